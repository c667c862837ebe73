import { ConfigError, loadGatewayConfig } from './config/load-config.ts';
import { createGatewayLog } from './gateway-log.ts';
import { runGateway } from './run-gateway.ts';

/** Runs a gateway in the foreground until SIGTERM or SIGINT; returns the exit status: 0 stopped, 1 could not run, 2 bad configuration. */
export async function runGatewayProgram(o: {
  readonly configFile: string;
  readonly isCheck: boolean;
  readonly version: string;
}): Promise<number> {
  const log = createGatewayLog(process.env.SETKEEPER_LOG_LEVEL ?? 'info');
  try {
    const config = loadGatewayConfig(o.configFile);
    if (o.isCheck) {
      process.stdout.write(`${o.configFile} is good\n`);
      return 0;
    }
    const stopRequested = new Promise<string>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    });
    const gateway = await runGateway(config, { log, version: o.version });
    log.info(`stopping (${await stopRequested})`);
    await gateway.stop();
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      return 2;
    }
    const message = error instanceof Error ? error.message : String(error);
    log.fatal({ err: error }, message);
    process.stderr.write(`setkeeper gateway: ${message}\n`);
    return 1;
  }
}
