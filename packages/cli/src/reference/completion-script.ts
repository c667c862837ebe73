import type { CommandEntry } from './command-tree.ts';

/** Shells that completions are made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script that completes commands, options and their fixed values in a shell. It asks nothing of an agent. */
export function completionScript(shell: Shell, tree: readonly CommandEntry[]): string {
  switch (shell) {
    case 'bash':
      return bash(tree);
    case 'zsh':
      return `#compdef setkeeper\nautoload -U +X bashcompinit && bashcompinit\n${bash(tree)}`;
    case 'fish':
      return fish(tree);
  }
}

/** Words and values below a command, by its path. */
function bash(tree: readonly CommandEntry[]): string {
  const globals = longsOf(tree[0]);
  const cases = tree.map(({ path, subcommands, options }) => {
    const words = [...subcommands, ...options.flatMap(({ long }) => long ?? []), ...(path.length === 0 ? [] : globals)];
    return `    ${quoted(path.join(' '))}) words=${quoted([...new Set(words)].join(' '))} ;;`;
  });
  const values = tree.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `    ${quoted(`${path.join(' ')} ${long}`)}) words=${quoted(choices.join(' '))} ;;`),
  );
  const files = [...new Set(tree.flatMap(({ options }) => options.filter(isFile).flatMap(({ long }) => long ?? [])))];
  const commands = tree.map(({ path }) => path.join(' ')).filter((path) => path !== '');
  return `# Completions of setkeeper, made from its commands.
_setkeeper() {
  local word path='' words='' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local known=${quoted(` ${commands.map((path) => path.replaceAll(' ', '/')).join(' ')} `)}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$known" in *" \${path:+\${path// //}/}$word "*) path="\${path:+$path }$word" ;; esac
  done
  case "$previous" in ${files.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  case "$path $previous" in
${values.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$path" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _setkeeper setkeeper
`;
}

function fish(tree: readonly CommandEntry[]): string {
  const lines = ['# Completions of setkeeper, made from its commands.', 'complete -c setkeeper -f'];
  const descriptionOf = new Map(tree.map(({ path, description }) => [path.join(' '), description]));
  for (const entry of tree) {
    const [first, second] = entry.path;
    const condition =
      first === undefined
        ? '__fish_use_subcommand'
        : [first, ...(second === undefined ? [] : [second])]
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    for (const name of entry.subcommands)
      lines.push(
        `complete -c setkeeper -n ${quoted(condition)} -a ${name} -d ${quoted(descriptionOf.get([...entry.path, name].join(' ')) ?? '')}`,
      );
    for (const option of entry.options) {
      if (option.long === undefined) continue;
      const value =
        option.choices.length > 0
          ? ` -x -a ${quoted(option.choices.join(' '))}`
          : isFile(option)
            ? ' -r -F'
            : option.takesValue
              ? ' -x'
              : '';
      const where = first === undefined ? '' : ` -n ${quoted(condition)}`;
      lines.push(`complete -c setkeeper${where} -l ${option.long.slice(2)}${value} -d ${quoted(option.description)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const longsOf = (entry: CommandEntry | undefined): string[] => entry?.options.flatMap(({ long }) => long ?? []) ?? [];
const isFile = ({ flags }: { readonly flags: string }): boolean => /<(?:file|path|directory)>/u.test(flags);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
