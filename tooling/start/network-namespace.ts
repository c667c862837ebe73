import { execa } from 'execa';
import { Sentence } from './sentence.ts';

const setTypes = ['hash:ip', 'hash:net', 'hash:ip,port', 'list:set'];

/** Makes a network namespace with its loopback up. One of that name that is there already is a crash's: it goes first. */
export async function createNamespace(name: string): Promise<void> {
  await removeNamespace(name);
  const made = await ip('netns', 'add', name);
  if (made.failed) {
    throw new Sentence(
      `The network namespace ${name} could not be made: ${made.stderr.trim() || made.shortMessage}.`,
      'This needs the capability CAP_SYS_ADMIN; in a container, run it privileged (docker run --privileged).',
    );
  }
  const up = await ip('-n', name, 'link', 'set', 'lo', 'up');
  if (up.failed) {
    await removeNamespace(name);
    throw new Sentence(
      `The loopback of ${name} could not be set up: ${up.stderr.trim()}.`,
      'This needs CAP_NET_ADMIN.',
    );
  }
}

/** Removes a namespace; one that is not there is fine. Its sets go with its last process. */
export async function removeNamespace(name: string): Promise<void> {
  await ip('netns', 'delete', name);
}

/** Whether a namespace of this name is there. */
export async function namespaceExists(name: string): Promise<boolean> {
  const { stdout } = await ip('netns', 'list');
  return stdout.split('\n').some((line) => line.split(' ')[0] === name);
}

/**
 * Proves that the kernel has ipset and every set type we program, by making one set of each in the (private, empty)
 * namespace and removing it. Throws a sentence that names what is missing.
 */
export async function requireSetTypes(namespace: string): Promise<void> {
  const missing: string[] = [];
  let words = '';
  for (const type of setTypes) {
    const made = await ip('netns', 'exec', namespace, 'ipset', 'create', 'probe', type);
    if (made.failed) {
      missing.push(type);
      words = made.stderr.trim().split('\n').at(-1) ?? '';
    } else {
      await ip('netns', 'exec', namespace, 'ipset', 'destroy', 'probe');
    }
  }
  if (missing.length > 0) throw missingFeature(missing, words);
}

/** Proves that the host's own kernel answers ipset, by reading names alone: nothing is written. */
export async function requireReadableSets(): Promise<void> {
  const listed = await execa('ipset', ['list', '-n'], { reject: false, stdin: 'ignore' });
  if (listed.failed) throw missingFeature([], listed.stderr.trim().split('\n').at(-1) ?? listed.shortMessage ?? '');
}

function missingFeature(types: readonly string[], words: string): Sentence {
  const what = types.length === 0 || types.length === setTypes.length ? 'ipset' : `the set types ${types.join(', ')}`;
  const modules = [
    'ip_set',
    ...types.map((type) => `ip_set_${type.replace(/[:,]/g, '_').replace('hash_ip_port', 'hash_ipport')}`),
  ];
  return new Sentence(
    `This kernel does not offer ${what}: ${words}.`,
    `Load the modules on the host: modprobe -a ${modules.join(' ')} (kernel options CONFIG_IP_SET and below).`,
  );
}

async function ip(...args: readonly string[]) {
  return execa('ip', args, { reject: false, stdin: 'ignore', env: { LC_ALL: 'C' } });
}
