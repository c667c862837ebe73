import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

describe('completion', () => {
  /** What bash would offer for a line, with the script loaded. */
  async function offered(...words: string[]): Promise<string[]> {
    const { stdout } = await runCli(['completion', 'bash']);
    const folder = mkdtempSync(join(tmpdir(), 'setkeeper-completion-'));
    const file = join(folder, 'script');
    writeFileSync(file, stdout);
    const line = words.map((word) => `'${word}'`).join(' ');
    const program = `source '${file}'; COMP_WORDS=(setkeeper ${line}); COMP_CWORD=${words.length}; _setkeeper; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const result = spawnSync('bash', ['-c', program], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    expect(result.stderr).toBe('');
    return result.stdout.split('\n').filter((word) => word !== '');
  }

  it('offers commands, their options, subcommands and fixed values', async () => {
    expect(await offered('stat')).toEqual(['status']);
    expect(await offered('override', 'e')).toEqual(['exclude']);
    expect(await offered('override', 'add', '--f')).toEqual(['--for']);
    expect(await offered('members', 'tag:web', '--family', 'inet')).toEqual(['inet', 'inet6']);
    expect(await offered('sets', '--js')).toEqual(['--json']);
  });

  it('is there for other shells too, and for no unknown one', async () => {
    expect((await runCli(['completion', 'zsh'])).stdout).toMatch(/^#compdef setkeeper/u);
    expect((await runCli(['completion', 'fish'])).stdout).toContain(
      "complete -c setkeeper -n '__fish_use_subcommand' -a status",
    );
    expect((await runCli(['completion', 'cmd'])).exitCode).toBe(2);
  });
});

describe('the manual page', () => {
  it('names every command, and is the same for the same source date', async () => {
    const env = { SOURCE_DATE_EPOCH: '1700000000' };
    const { stdout } = await runCli(['manual'], { env });
    expect(stdout).toMatch(/^\.TH SETKEEPER 1 "2023\\-11\\-14" /u);
    for (const usage of ['status', 'override add', 'cleanup', 'user reset\\-password'])
      expect(stdout).toContain(`.SS "${usage}`);
    expect((await runCli(['manual'], { env })).stdout).toBe(stdout);
    expect((await runCli(['help'])).stdout).not.toContain('manual');
  });
});
