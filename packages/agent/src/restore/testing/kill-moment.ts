import type { Launcher, LauncherChild } from '../../launcher/launcher-client.ts';

/** When in a run somebody kills something: around one of its writes, or some milliseconds after its start. */
export type KillMoment =
  | { readonly kind: 'write'; readonly number: number; readonly isBefore: boolean }
  | { readonly kind: 'later'; readonly ms: number };

/** Most runs of a random plan are a few writes, and a few milliseconds. */
export function killMoment(random: () => number): KillMoment {
  if (random() < 0.4) return { kind: 'later', ms: random() * 12 };
  return { kind: 'write', number: 1 + Math.floor(random() * 3), isBefore: random() < 0.3 };
}

/** Children whose writes are told of. */
export interface WriteWatch {
  readonly before: (child: LauncherChild) => void;
  readonly after: (child: LauncherChild) => void;
}

/** A launcher that tells of every write to a child, before it and when the child's pipe took it. */
export function watchingWrites(launcher: Launcher, watch: WriteWatch): Launcher {
  return {
    ...launcher,
    spawn: (request) => {
      const child = launcher.spawn(request);
      return {
        pid: child.pid,
        exit: child.exit,
        end: () => child.end(),
        kill: (signal) => child.kill(signal),
        write: async (chunk) => {
          watch.before(child);
          await child.write(chunk);
          watch.after(child);
        },
      };
    },
  };
}
