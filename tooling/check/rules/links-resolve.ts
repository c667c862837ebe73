import { dirname, join } from 'node:path/posix';
import { type Fault, type HouseRule, numberedLines, type Project } from '../project.ts';

const link = /!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;

/**
 * Every relative link of every Markdown file leads to a file or folder that exists, and to a heading that exists where
 * it names one. Images are binary and not in the project map, so `exists` answers for them.
 */
export function linksResolve(exists: (path: string) => boolean): HouseRule {
  return {
    name: 'links in documents resolve',
    why: 'A document that points at nothing was not read by anybody since: mend the link, or remove it.',
    find: (project) =>
      [...project].flatMap(([path, text]) => (path.endsWith('.md') ? documentFaults(project, exists, path, text) : [])),
  };
}

function documentFaults(project: Project, exists: (path: string) => boolean, path: string, text: string): Fault[] {
  return proseLines(text).flatMap(([line, content]) =>
    [...content.matchAll(link)].flatMap(([, target = '']) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
      const [file = '', anchor] = target.split('#', 2);
      const wanted = file === '' ? path : join(dirname(path), decodeURIComponent(file)).replace(/\/$/, '');
      if (!exists(wanted)) return [{ path, line, message: `links to ${target}, which does not exist` }];
      const destination = project.get(wanted);
      if (anchor === undefined || destination === undefined || !wanted.endsWith('.md')) return [];
      return headingAnchors(destination).has(anchor.toLowerCase())
        ? []
        : [{ path, line, message: `links to ${target}, but ${wanted} has no such heading` }];
    }),
  );
}

/** The lines outside code fences, without inline code: what Markdown would turn into links. */
function proseLines(text: string): [number, string][] {
  let isFenced = false;
  const lines: [number, string][] = [];
  for (const [line, content] of numberedLines(text)) {
    if (/^\s*(```|~~~)/.test(content)) isFenced = !isFenced;
    else if (!isFenced) lines.push([line, content.replace(/`[^`]*`/g, '')]);
  }
  return lines;
}

function headingAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  let isFenced = false;
  for (const content of text.split('\n')) {
    if (/^\s*(```|~~~)/.test(content)) isFenced = !isFenced;
    const heading = isFenced ? null : /^#{1,6}\s+(.*?)\s*#*$/.exec(content);
    const named = /<a (?:id|name)="([^"]+)"/.exec(content);
    if (named?.[1] !== undefined) anchors.add(named[1].toLowerCase());
    if (heading?.[1] === undefined) continue;
    const base = heading[1]
      .replace(/[`*]/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
