/** The agent: `--config F`, `--check-config`. Everything it does is in main.ts. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, parseAgentConfig } from '../config/load-config.ts';
import { createLog } from '../daemon/create-log.ts';
import { StartRefusal } from '../daemon/start-refusal.ts';
import { runAgent } from '../main.ts';

const USAGE = 'usage: agent [--config FILE] [--check-config]';
const DEFAULT_CONFIG = '/etc/setkeeper/agent.yaml';
/** Bugs that reach the top within a minute before the agent gives up and is started again by its supervisor. */
const BUGS_A_MINUTE_MAX = 20;

const { config: file, 'check-config': isCheckOnly } = parseOptions();
const config = loadConfig(file);
if (isCheckOnly) {
  console.log(`${file} is right.`);
  process.exit(0);
}

const log = createLog(process.env.SETKEEPER_LOG_LEVEL ?? 'info', process.stdout);
const extension = extname(import.meta.filename);
const program = (name: string): string => join(import.meta.dirname, `${name}${extension}`);

surviveBugs();
try {
  const agent = await runAgent({
    config,
    programs: { launcher: program('launcher'), modelWorker: program('model-worker') },
    log,
    environment: process.env,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      void agent.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
} catch (error) {
  if (error instanceof StartRefusal) console.error(error.message);
  else log.fatal({ err: error }, 'the agent does not start');
  process.exit(1);
}

function parseOptions(): { readonly config: string; readonly 'check-config': boolean } {
  try {
    const { values } = parseArgs({
      options: {
        config: { type: 'string', default: DEFAULT_CONFIG },
        'check-config': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

function loadConfig(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    console.error(`The configuration ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
  try {
    return parseAgentConfig(text, path);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

/** A bug is told and survived: the kernel must not be left alone because of one. Many in a minute are a reason to begin anew. */
function surviveBugs(): void {
  let recent: number[] = [];
  const contain = (error: unknown): void => {
    log.error({ err: error }, 'a bug was contained; please report it');
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < 60_000), now];
    if (recent.length <= BUGS_A_MINUTE_MAX) return;
    log.fatal('too many bugs in one minute: ending, to be started again');
    process.exit(1);
  };
  process.on('uncaughtException', contain);
  process.on('unhandledRejection', contain);
}
