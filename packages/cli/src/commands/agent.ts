import type { AddCommand } from '../cli.ts';
import { runSibling } from '../programs/sibling-program.ts';

/** `agent`: runs the agent in the foreground. */
export const addAgent: AddCommand = (program, cli) => {
  program
    .command('agent')
    .description('run the agent in the foreground')
    .option('--config <file>', 'agent.yaml', '/etc/setkeeper/agent.yaml')
    .option('--check-config', 'only check the configuration')
    .action(
      cli.local(async (_tools, { config, checkConfig }: { config: string; checkConfig?: true }) =>
        runSibling('agent', ['--config', config, ...(checkConfig === true ? ['--check-config'] : [])]),
      ),
    );
};
