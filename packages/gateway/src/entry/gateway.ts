/** The program `gateway --config FILE [--check-config]`: serves the console and passes its questions to the agents. */
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { runGatewayProgram } from '../run-gateway-program.ts';

const { values } = parseArgs({
  options: {
    config: { type: 'string', default: '/etc/setkeeper/gateway.yaml' },
    'check-config': { type: 'boolean', default: false },
  },
});
process.exitCode = await runGatewayProgram({
  configFile: values.config,
  isCheck: values['check-config'],
  version: manifest.version,
});
