import { constants, statSync } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentConfig } from '../config/agent-config.ts';
import { isShort, readFreeSpace } from '../store/free-space.ts';
import { bad, type Finding, good, type Probe } from './doctor.ts';

const MIB = 1024 * 1024;

/** Mistakes around files: store, sockets, boot files, the gateway's key. */
export function fileProbes(config: AgentConfig): readonly Probe[] {
  return [
    { check: 'store', look: () => lookAtStore(config.store) },
    { check: 'group socket', look: () => lookAtGroupSocket(config.socket) },
    { check: 'admin socket', look: () => lookAtAdminSocket(config.adminSocket) },
    { check: 'gateway key', look: () => lookAtKeys(config) },
    { check: 'boot files', look: () => (config.mode === 'observe' ? null : lookAtBoot(config.boot.directory)) },
  ];
}

async function lookAtStore(path: string): Promise<Finding> {
  const folder = dirname(path);
  if (!(await may(folder, constants.W_OK)))
    return bad(`${folder} is not writable for the agent.`, `chown it to the agent's user.`);
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0) return bad(`Others may read ${path}.`, `chmod 600 ${path}`);
  const space = readFreeSpace(folder);
  if (space !== null && isShort(space))
    return bad(`${folder} has ${Math.floor(space.freeBytes / MIB)} MiB left: history is paused.`, 'Make room.');
  return good(space === null ? path : `${path}, ${Math.floor(space.freeBytes / MIB)} MiB free`);
}

async function lookAtGroupSocket(path: string): Promise<Finding> {
  const found = await stat(path).catch(() => null);
  if (found === null) return bad(`${path} is gone: nothing can reach the agent by it.`, 'Start the agent again.');
  const group = await groupName(found.gid);
  if ((found.mode & 0o007) !== 0) return bad(`Everybody may open ${path}.`, `chmod 660 ${path}`);
  if ((found.mode & 0o060) !== 0o060) return bad(`Its group may not use ${path}.`, `chmod 660 ${path}`);
  if (found.gid === 0)
    return bad(
      `${path} belongs to the group root: a gateway of another user cannot open it.`,
      'groupadd --system setkeeper, put the user of the gateway into it, then start the agent again.',
    );
  return good(`${path}, group ${group}`);
}

async function lookAtAdminSocket(path: string): Promise<Finding> {
  const found = await stat(path).catch(() => null);
  if (found === null)
    return process.getuid?.() === 0
      ? bad(`${path} is gone.`, 'Start the agent again.')
      : bad(
          `There is no ${path}: nobody can use the command line as root.`,
          'Enable the socket unit setkeeper-admin.socket.',
        );
  if ((found.mode & 0o077) !== 0) return bad(`Others than its owner may open ${path}.`, `chmod 600 ${path}`);
  if (found.uid !== 0) return bad(`${path} does not belong to root.`, `chown root ${path}`);
  return good(path);
}

function lookAtKeys({ trust }: AgentConfig): Finding {
  const kids = trust.gatewayKeys.map(({ kid }) => kid);
  const double = kids.find((kid, index) => kids.indexOf(kid) !== index);
  if (double !== undefined)
    return bad(`Two keys are named ${double}: only the last one counts.`, 'Give each key its own kid.');
  if (kids.length === 0)
    return bad(
      'No gateway is trusted: the console and `setkeeper --url` cannot reach this agent.',
      "Put the gateway's public key into trust.gatewayKeys, then start the agent again.",
    );
  return good(`trusted: ${kids.join(', ')}`);
}

async function lookAtBoot(directory: string): Promise<Finding> {
  if (!(await may(directory, constants.W_OK)))
    return bad(
      `${directory} cannot be written: at boot the host is without sets until the agent is up.`,
      `Make the directory, and give it to the agent's user.`,
    );
  return good(directory);
}

const may = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

async function groupName(gid: number): Promise<string> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((candidate) => candidate.split(':')[2] === String(gid));
  return line?.split(':')[0] ?? String(gid);
}
