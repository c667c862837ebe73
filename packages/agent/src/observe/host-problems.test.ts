import { parseGroupId } from '@setkeeper/ipset';
import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { NO_HOLDERS } from '../holders/holder-reading.ts';
import { LeakTracker } from '../leaks/leak-tracker.ts';
import { type HostState, hostProblems } from './host-problems.ts';

const group = parseGroupId('tag:web');
const state = (over: Partial<HostState> & { names?: readonly string[] }): HostState => ({
  headers: { at: 0, sets: listedSets(...(over.names ?? []).map((name) => ({ name, references: 1 }))), unreadable: [] },
  holders: NO_HOLDERS,
  leaks: new LeakTracker(),
  leaksAfterSeconds: 60,
  now: 0,
  rules: { prefix: 'sk-', formerPrefixes: [], managedGroup: () => undefined, isInternal: () => false },
  pins: [],
  leftovers: 0,
  ...over,
});
const codes = (found: ReturnType<typeof hostProblems>) => found.map(({ code, subject }) => `${code} ${subject}`);

describe('hostProblems', () => {
  it('is silent on a quiet host', () => {
    expect(hostProblems(state({ names: [] }))).toEqual([]);
  });

  it('names sets that share the prefix, and counts them where there are many', () => {
    const names = Array.from({ length: 30 }, (_, i) => `sk-other${i}`);
    const found = hostProblems(state({ names }));
    expect(found).toHaveLength(20);
    expect(found.at(-1)?.message).toContain('And 10 more');
  });

  it('tells of an ipset that firewalld does not filter by', () => {
    const headers = { at: 0, sets: listedSets({ name: 'blacklist', references: 0 }), unreadable: [] };
    const holders = { ...NO_HOLDERS, firewalldSets: new Set(['blacklist']) };
    expect(codes(hostProblems(state({ headers, holders })))).toEqual(['nft-backend-set blacklist']);
  });

  it('tells what could not be read only where something is unexplained', () => {
    const holders = { ...NO_HOLDERS, unreadable: [{ what: 'iptables-legacy-save', why: 'hidden', remedy: 'r' }] };
    expect(hostProblems(state({ names: [], holders }))).toEqual([]);
    expect(codes(hostProblems(state({ names: ['a'], holders })))).toEqual(['holders-unreadable iptables-legacy-save']);
  });

  it('tells of pins whose group is gone, and of leftovers by their number', () => {
    const pins = group.ok ? [{ group: group.id, referrer: 'pin/tag:web', at: 0, isDefined: false }] : [];
    expect(codes(hostProblems(state({ pins, leftovers: 3 })))).toEqual([
      'orphaned-reference pin/tag:web tag:web',
      'leftovers leftovers',
    ]);
  });
});
