import {
  Activity,
  BookOpen,
  Boxes,
  Cable,
  ClipboardList,
  Cog,
  Cpu,
  FileStack,
  Gauge,
  Globe,
  Hand,
  History,
  Layers,
  ListTree,
  type LucideIcon,
  Network,
  OctagonPause,
  Search,
  ShieldQuestion,
  SquarePen,
  Stethoscope,
  Tags,
  Trash2,
  Users,
} from 'lucide-react';
import type { Status } from '../client/api-types.ts';

/** One screen in the navigation. */
export interface Screen {
  readonly id: string;
  readonly label: string;
  readonly href: string;
  readonly icon: LucideIcon;
  /** The second key after `g`. */
  readonly key: string;
  /** A number that matters, and whether it is a bad one. */
  readonly badge?: (status: Status) => { readonly value: number; readonly isBad: boolean; readonly means: string };
  /** Whether it has anything to show for this agent. */
  readonly isThere?: (status: Status) => boolean;
}

const hasKind = (kind: string) => (status: Status) =>
  (status.modelKinds[kind] ?? status.modelKinds[`${kind}s`] ?? 0) > 0;
const isManaging = (status: Status) => status.mode === 'manage';

/** The navigation, in groups. */
export const screenGroups: readonly { readonly label: string; readonly screens: readonly Screen[] }[] = [
  {
    label: 'Now',
    screens: [
      { id: 'overview', label: 'Overview', href: '/', icon: Gauge, key: 'o' },
      { id: 'find', label: 'Find an address', href: '/find/', icon: Search, key: 'f' },
    ],
  },
  {
    label: 'Sets',
    screens: [
      {
        id: 'sets',
        label: 'Sets',
        href: '/sets/',
        icon: Boxes,
        key: 's',
        isThere: isManaging,
        badge: ({ sets }) => {
          const wrong = sets.dirty + sets.drifted + sets.unknown;
          return wrong > 0
            ? { value: wrong, isBad: sets.drifted + sets.failed + sets.unknown > 0, means: 'not what the model says' }
            : { value: sets.total, isBad: false, means: 'in all' };
        },
      },
      {
        id: 'pending',
        label: 'Pending',
        href: '/pending/',
        icon: Layers,
        key: 'p',
        isThere: isManaging,
        badge: ({ pending }) => ({ value: pending.sets, isBad: false, means: 'sets wait to be programmed' }),
      },
      {
        id: 'held',
        label: 'Held',
        href: '/held/',
        icon: Hand,
        key: 'h',
        isThere: isManaging,
        badge: ({ held }) => ({ value: held, isBad: held > 0, means: 'changes held by the guard' }),
      },
      {
        id: 'leftovers',
        label: 'Leftovers',
        href: '/leftovers/',
        icon: Trash2,
        key: 'l',
        badge: ({ leftovers }) => ({ value: leftovers, isBad: false, means: 'sets of ours that nobody owns' }),
      },
      {
        id: 'references',
        label: 'References & leaks',
        href: '/references/',
        icon: ShieldQuestion,
        key: 'r',
        badge: ({ leaks }) => ({ value: leaks, isBad: leaks > 0, means: 'leaks' }),
      },
      { id: 'kernel', label: 'Kernel', href: '/kernel/', icon: Cpu, key: 'k' },
    ],
  },
  {
    label: 'History',
    screens: [
      {
        id: 'runs',
        label: 'Runs',
        href: '/runs/',
        icon: Activity,
        key: 'u',
        badge: ({ lastRun }) => ({
          value: lastRun !== null && lastRun.phase !== 'succeeded' && lastRun.phase !== 'running' ? 1 : 0,
          isBad: true,
          means: 'the last run did not succeed',
        }),
      },
      { id: 'changes', label: 'Changes', href: '/changes/', icon: History, key: 'c' },
      { id: 'audit', label: 'Audit', href: '/audit/', icon: ClipboardList, key: 'a' },
    ],
  },
  {
    label: 'Model',
    screens: [
      { id: 'tags', label: 'Tags', href: '/tags/', icon: Tags, key: 't', isThere: hasKind('profile') },
      { id: 'endpoints', label: 'Endpoints', href: '/endpoints/', icon: Cable, key: 'e', isThere: hasKind('endpoint') },
      { id: 'profiles', label: 'Profiles', href: '/profiles/', icon: FileStack, key: 'i', isThere: hasKind('profile') },
      { id: 'networks', label: 'Networks', href: '/networks/', icon: Network, key: 'n', isThere: hasKind('network') },
      { id: 'lists', label: 'Lists', href: '/lists/', icon: ListTree, key: 'y', isThere: hasKind('list') },
      {
        id: 'sources',
        label: 'Sources',
        href: '/sources/',
        icon: Globe,
        key: 'w',
        isThere: isManaging,
        badge: ({ sources }) => {
          const wrong = sources.filter((source) => source.state !== 'current' || source.problems.length > 0).length;
          return { value: wrong, isBad: wrong > 0, means: 'sources with a problem' };
        },
      },
    ],
  },
  {
    label: 'Exceptions',
    screens: [
      {
        id: 'overrides',
        label: 'Overrides',
        href: '/overrides/',
        icon: SquarePen,
        key: 'v',
        isThere: isManaging,
        badge: ({ overrides }) => ({ value: overrides, isBad: false, means: 'in force' }),
      },
      {
        id: 'holds',
        label: 'Holds',
        href: '/holds/',
        icon: OctagonPause,
        key: 'x',
        isThere: isManaging,
        badge: ({ holds }) => ({ value: holds, isBad: holds > 0, means: 'in force: nothing is programmed under them' }),
      },
    ],
  },
  {
    label: 'Host',
    screens: [
      { id: 'doctor', label: 'Doctor', href: '/doctor/', icon: Stethoscope, key: 'd' },
      { id: 'users', label: 'Users', href: '/users/', icon: Users, key: 'z' },
      { id: 'settings', label: 'Settings', href: '/settings/', icon: Cog, key: ',' },
      { id: 'glossary', label: 'Glossary', href: '/glossary/', icon: BookOpen, key: 'b' },
    ],
  },
];

/** Every screen of the navigation in one row. */
export const allScreens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);
