import { Command } from 'commander';
import { type AddCommand, type Cli, createCli } from './cli.ts';
import { addAgent } from './commands/agent.ts';
import { addApply } from './commands/apply.ts';
import { addAudit } from './commands/audit.ts';
import { addChanges } from './commands/changes.ts';
import { addCheck } from './commands/check.ts';
import { addCleanup } from './commands/cleanup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDelete } from './commands/delete.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEndpoints } from './commands/endpoints.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addGateway } from './commands/gateway.ts';
import { addGroups } from './commands/groups.ts';
import { addHeld } from './commands/held.ts';
import { addHold } from './commands/hold.ts';
import { addHolds } from './commands/holds.ts';
import { addHosts } from './commands/hosts.ts';
import { addImport } from './commands/import.ts';
import { addKernel } from './commands/kernel.ts';
import { addLeaks } from './commands/leaks.ts';
import { addLeftovers } from './commands/leftovers.ts';
import { addLists } from './commands/lists.ts';
import { addManual } from './commands/manual.ts';
import { addMembers } from './commands/members.ts';
import { addMetrics } from './commands/metrics.ts';
import { addName } from './commands/name.ts';
import { addNetworks } from './commands/networks.ts';
import { addOverride } from './commands/override.ts';
import { addPin } from './commands/pin.ts';
import { addPins } from './commands/pins.ts';
import { addPlan } from './commands/plan.ts';
import { addProfiles } from './commands/profiles.ts';
import { addPut } from './commands/put.ts';
import { addReferences } from './commands/references.ts';
import { addReject } from './commands/reject.ts';
import { addRelease } from './commands/release.ts';
import { addReprogram } from './commands/reprogram.ts';
import { addRetry } from './commands/retry.ts';
import { addRun } from './commands/run.ts';
import { addRuns } from './commands/runs.ts';
import { addSet } from './commands/set.ts';
import { addSets } from './commands/sets.ts';
import { addSource } from './commands/source.ts';
import { addSources } from './commands/sources.ts';
import { addStatus } from './commands/status.ts';
import { addUnhold } from './commands/unhold.ts';
import { addUnpin } from './commands/unpin.ts';
import { addUser } from './commands/user.ts';
import { addValidate } from './commands/validate.ts';
import { addWait } from './commands/wait.ts';
import { addWatch } from './commands/watch.ts';
import { addWhoami } from './commands/whoami.ts';
import type { World } from './world.ts';

/** Every command, under the heading it has in the help, in the order in which an operator meets them. */
const headings: Readonly<Record<string, readonly AddCommand[]>> = {
  'How it stands:': [addStatus, addWait, addCheck, addDoctor, addWatch],
  'Sets:': [addSets, addSet, addMembers, addExplain],
  'The model:': [addGroups, addEndpoints, addProfiles, addNetworks, addLists, addHosts, addSources, addSource],
  'Act:': [addPlan, addApply, addReprogram, addRetry, addRuns, addRun],
  'Safety:': [addHeld, addRelease, addReject, addHold, addUnhold, addHolds, addOverride],
  'The kernel:': [addKernel, addLeftovers, addCleanup, addReferences, addLeaks, addPin, addUnpin, addPins],
  'Declared objects:': [addPut, addDelete, addExport],
  'Without an agent:': [addValidate, addName, addImport, addAgent, addGateway, addCompletion, addManual],
  'Who did what:': [addAudit, addChanges, addMetrics, addWhoami, addUser],
};

/** The whole command line. Man pages and completions are made from it, so every word of the help lives in it. */
export function createProgram(world: World, version: string): { program: Command; cli: Cli } {
  const program = new Command('setkeeper')
    .description("Keeps the kernel's ipsets equal to a data model and tells the truth about them")
    .version(version)
    .option('--socket <path>', "the agent's socket (default: $SETKEEPER_SOCKET, else /run/setkeeper/admin.sock)")
    .option('--url <url>', 'ask through a gateway instead')
    .option('--token-file <file>', 'with --url: a file with an API token')
    .option('--agent <name>', 'with --url: which of its agents (default: the first)')
    .option('--json', 'one JSON value on standard output')
    .showHelpAfterError('(setkeeper COMMAND --help tells more)')
    .configureHelp({ sortOptions: false })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.columns,
      getErrHelpWidth: () => world.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const cli = createCli(world, () => program.opts());
  for (const [heading, commands] of Object.entries(headings)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, cli);
  }
  return { program, cli };
}
