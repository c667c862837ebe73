import type { Launcher } from '../../launcher/launcher-client.ts';

/** Runs ipset once a line, from a small shell: a process a line costs a millisecond there, and many more elsewhere. */
export interface LineShell {
  /** `ipset -exist restore` of this one line. */
  run(line: string): Promise<{ readonly exitCode: number; readonly stderr: string }>;
  /** `ipset` with these words: its output, or null when it failed. */
  show(words: string): Promise<string | null>;
  close(): void;
}

const SCRIPT = `
while IFS= read -r kind && IFS= read -r text; do
  case $kind in
    run) printf '%s\\n' "$text" | ipset -exist restore 2>&1; code=$? ;;
    *) ipset $text 2>&1; code=$? ;;
  esac
  printf '%s\\n' "== $code"
done`;

export async function openLineShell(launcher: Launcher): Promise<LineShell> {
  const sh = (await launcher.which('sh')) ?? '/bin/sh';
  let output = '';
  let answer: (text: string) => void = () => undefined;
  const child = launcher.spawn({
    file: sh,
    args: ['-c', SCRIPT],
    env: { LC_ALL: 'C' },
    onStdout: (chunk) => {
      output += Buffer.from(chunk).toString('utf8');
      if (!/(^|\n)== \d+\n$/.test(output)) return;
      const whole = output;
      output = '';
      answer(whole);
    },
  });
  const ask = async (kind: string, text: string): Promise<{ exitCode: number; text: string }> => {
    const whole = new Promise<string>((resolve) => {
      answer = resolve;
    });
    await child.write(Buffer.from(`${kind}\n${text}\n`));
    const [, said = '', code = ''] = /^([\s\S]*)== (\d+)\n$/.exec(await whole) ?? [];
    return { exitCode: Number(code), text: said };
  };
  return {
    async run(line) {
      const { exitCode, text } = await ask('run', line);
      return { exitCode, stderr: text };
    },
    async show(words) {
      const { exitCode, text } = await ask('show', words);
      return exitCode === 0 ? text : null;
    },
    close: () => child.kill('SIGKILL'),
  };
}
