/** Where a group's sets are shown. */
export function setHref(group: string, family?: string | null, tab?: string): string {
  const search = new URLSearchParams({ group });
  if (family !== undefined && family !== null) search.set('family', family);
  if (tab !== undefined) search.set('tab', tab);
  return `/set/?${search}`;
}

/** Where a group stands in the model: the tag, port, network or list of which its sets are made. */
export function modelHref(group: string): string {
  const colon = group.indexOf(':');
  const [kind, name] = [group.slice(0, colon), group.slice(colon + 1)];
  switch (kind) {
    case 'net':
      return screenHref('/networks/', { id: name });
    case 'list':
      return screenHref('/lists/', { id: name });
    case 'tag':
      return screenHref('/tags/', { id: group });
    default:
      return screenHref('/tags/', { kind, id: group });
  }
}

/** Where a run is shown; `line` opens it at that line. */
export function runHref(id: string, line?: number): string {
  const search = new URLSearchParams({ id });
  if (line !== undefined) search.set('line', String(line));
  return `/run/?${search}`;
}

/** Where an address is looked up. */
export function findHref(address: string): string {
  return `/find/?${new URLSearchParams({ q: address })}`;
}

/** A screen with one query parameter. */
export function screenHref(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(parameters)}`;
}
