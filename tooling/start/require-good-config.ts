import { join } from 'node:path';
import { execa } from 'execa';
import { Sentence } from './sentence.ts';

/**
 * Lets the agent itself judge a configuration where it stands, so that a fault is named with the file and line that a
 * person can open (what runs is a copy of it). Throws a sentence with the agent's words.
 */
export async function requireGoodConfig(root: string, path: string): Promise<void> {
  const program = join(root, 'packages/agent/dist/agent.js');
  const checked = await execa(process.execPath, [program, '--check-config', '--config', path], {
    reject: false,
    stdin: 'ignore',
  });
  if (checked.failed) throw new Sentence(checked.stderr.trim() || `${path} is refused.`, 'Mend it and start again.');
}
