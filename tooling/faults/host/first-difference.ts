/** Sets by name with what they must hold and, beside that, what they may hold. */
export interface Wanted {
  readonly must: ReadonlyMap<string, ReadonlySet<string>>;
  readonly also?: readonly ReadonlyMap<string, ReadonlySet<string>>[];
  readonly may?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The first thing in which the kernel's sets are not as wanted, in words; null if there is none. Acknowledgement sets are the agent's own business. Pure. */
export function firstDifference(
  saved: ReadonlyMap<string, ReadonlySet<string>>,
  { must, also = [], may }: Wanted,
): string | null {
  for (const name of saved.keys())
    if (!must.has(name) && !name.startsWith('sk-ack-')) return `the set ${name} is nobody's`;
  for (const [name, members] of must) {
    const held = saved.get(name);
    if (held === undefined) return `there is no set ${name}`;
    const all = new Set(members);
    for (const more of also) for (const member of more.get(name) ?? []) all.add(member);
    for (const member of all) if (!held.has(member)) return `${name} has not ${member}`;
    for (const member of held)
      if (!all.has(member) && may?.get(name)?.has(member) !== true) return `${name} has ${member}, which nobody wants`;
  }
  return null;
}
