import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { createNamespace, namespaceExists, removeNamespace, requireSetTypes } from './network-namespace.ts';

const name = `setkeeper-test-${process.pid}`;

describe('network namespace', () => {
  afterEach(() => removeNamespace(name));

  it('is made with its loopback up and every set type, and leaves no set', async () => {
    await createNamespace(name);
    const { stdout } = await execa('ip', ['-n', name, '-br', 'link', 'show', 'lo']);
    expect(stdout).toMatch(/UNKNOWN|UP/);
    await requireSetTypes(name);
    expect((await execa('ip', ['netns', 'exec', name, 'ipset', 'list', '-n'])).stdout).toBe('');
  });

  it('replaces what a crash left, and is gone when removed', async () => {
    await createNamespace(name);
    await execa('ip', ['netns', 'exec', name, 'ipset', 'create', 'old', 'hash:ip']);
    await createNamespace(name);
    expect((await execa('ip', ['netns', 'exec', name, 'ipset', 'list', '-n'])).stdout).toBe('');
    await removeNamespace(name);
    expect(await namespaceExists(name)).toBe(false);
    await removeNamespace(name);
  });
});
