import type { AddCommand } from '../cli.ts';
import { runSibling } from '../programs/sibling-program.ts';

/** `gateway`: runs the gateway in the foreground. */
export const addGateway: AddCommand = (program, cli) => {
  program
    .command('gateway')
    .description('run the gateway in the foreground')
    .option('--config <file>', 'gateway.yaml', '/etc/setkeeper/gateway.yaml')
    .option('--check-config', 'only check the configuration')
    .action(
      cli.local(async (_tools, { config, checkConfig }: { config: string; checkConfig?: true }) =>
        runSibling('gateway', ['--config', config, ...(checkConfig === true ? ['--check-config'] : [])]),
      ),
    );
};
