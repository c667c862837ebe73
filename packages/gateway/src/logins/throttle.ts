import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';

/** Slows guessing down, for an account and for an address each by its own count, across restarts. */
export interface Throttle {
  /** Seconds until another attempt is allowed; 0: now. An attempt under way counts as one that just failed. */
  waitSeconds(account: string | null, address: string): number;
  /** An attempt is under way, until what is returned is called: many at once must not get past the count together. */
  begin(account: string | null, address: string): () => void;
  failed(account: string | null, address: string): void;
  /** The account's count begins anew; the address's does not, or one good account would buy guesses at others. */
  succeeded(account: string): void;
}

/** Failures that cost nothing, and how long the wait grows: doubling from one second. */
const free = { account: 5, address: 20 };
const waitSecondsMax = { account: 15 * 60, address: 15 * 60 };
/** After this long without a failure a count is forgotten. */
const forgetMs = 60 * 60_000;

/**
 * What the store knows an account by. People type a password where a name belongs: of that nothing may be left from which
 * it could be found again, so it is four bytes of a digest. Two names that share them wait together, which harms nobody.
 */
const keyOf = (account: string): string => createHash('sha256').update(account.toLowerCase()).digest('hex').slice(0, 8);

/** What an address is counted by. Whoever has one IPv6 address has all of its /64, so they count together. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/iu, '');
  if (!isIPv6(plain)) return plain;
  const [left, right] = (plain.split('%')[0] ?? '').split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8)
    .fill('0')
    .slice((left?.length ?? 0) + (right?.length ?? 0));
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Keeps its counts in the store of accounts. `now`: milliseconds since 1970. */
export function createThrottle(database: DatabaseSync, now: () => number): Throttle {
  const find = database.prepare('select failures, last_at as lastAt from throttle where key = ?');
  const add = database.prepare(
    `insert into throttle (key, failures, last_at) values (?, 1, ?)
     on conflict (key) do update set failures = case when last_at < ? then 1 else failures + 1 end, last_at = excluded.last_at`,
  );
  const remove = database.prepare('delete from throttle where key = ?');
  const forget = database.prepare('delete from throttle where last_at < ?');

  const underWay = new Map<string, number>();

  const waitOf = (kind: 'account' | 'address', key: string): number => {
    const trying = underWay.get(`${kind}:${key}`) ?? 0;
    const row = find.get(`${kind}:${key}`);
    const failedAt = Number(row?.lastAt ?? 0);
    const failures = trying + (failedAt < now() - forgetMs ? 0 : Number(row?.failures ?? 0));
    if (failures < free[kind]) return 0;
    const lastAt = trying > 0 ? now() : failedAt;
    const seconds = Math.min(waitSecondsMax[kind], 2 ** Math.min(20, failures - free[kind]));
    return Math.max(0, Math.ceil(seconds - (now() - lastAt) / 1000));
  };
  const count = (kind: 'account' | 'address', key: string): void => {
    add.run(`${kind}:${key}`, now(), now() - forgetMs);
  };
  const addUnderWay = (keys: readonly string[], change: 1 | -1): void => {
    for (const key of keys) {
      const trying = (underWay.get(key) ?? 0) + change;
      if (trying > 0) underWay.set(key, trying);
      else underWay.delete(key);
    }
  };
  return {
    waitSeconds: (account, address) =>
      Math.max(account === null ? 0 : waitOf('account', keyOf(account)), waitOf('address', networkOf(address))),
    begin(account, address) {
      const keys = [...(account === null ? [] : [`account:${keyOf(account)}`]), `address:${networkOf(address)}`];
      addUnderWay(keys, 1);
      return () => addUnderWay(keys, -1);
    },
    failed(account, address) {
      if (account !== null) count('account', keyOf(account));
      count('address', networkOf(address));
      forget.run(now() - forgetMs);
    },
    succeeded: (account) => void remove.run(`account:${keyOf(account)}`),
  };
}
