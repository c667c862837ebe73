import type { Family, GroupId } from '@setkeeper/ipset';
import type { MemberToken } from './member-token.ts';
import { MemberView } from './member-view.ts';
import type { GroupDelta, MembershipDelta } from './membership.ts';

/** What one batch did to one group in one family, step by step: a member that comes and goes stands in both. */
interface Steps {
  readonly group: GroupId;
  readonly family: Family | null;
  readonly came: MemberToken[];
  readonly went: MemberToken[];
}

/** Collects what a batch does to members and groups, and nets it at the end. A step costs one push. */
export class Batch {
  readonly #steps = new Map<GroupId, (Steps | undefined)[]>();
  readonly #listedBefore = new Map<GroupId, boolean>();

  /** A member came (1) or went (-1). */
  step(group: GroupId, family: Family | null, token: MemberToken, by: 1 | -1): void {
    const { came, went } = this.#of(group, family);
    if (by > 0) came.push(token);
    else went.push(token);
  }

  /** To be called before a group enters or leaves the list of groups. */
  listing(group: GroupId, isListed: boolean): void {
    if (!this.#listedBefore.has(group)) this.#listedBefore.set(group, isListed);
  }

  /** `isListed` and `isDefined` as they are after the batch. */
  end(
    isListed: (group: GroupId) => boolean,
    isDefined: (group: GroupId) => boolean,
  ): Omit<MembershipDelta, 'references'> {
    const listed = new Map<GroupId, boolean>();
    const definition = new Map<GroupId, boolean>();
    for (const [group, was] of this.#listedBefore) {
      const is = isListed(group);
      if (is === was) continue;
      listed.set(group, is);
      if (is) definition.set(group, true);
      else if (!isDefined(group)) definition.set(group, false);
    }
    const groups = [...this.#steps.values()].flatMap((steps) => steps.flatMap((each) => netted(each) ?? []));
    return { groups, definition, listed };
  }

  #of(group: GroupId, family: Family | null): Steps {
    let steps = this.#steps.get(group);
    if (steps === undefined) {
      steps = [undefined, undefined, undefined];
      this.#steps.set(group, steps);
    }
    const index = family === 'inet' ? 0 : family === 'inet6' ? 1 : 2;
    const known = steps[index];
    if (known !== undefined) return known;
    const made: Steps = { group, family, came: [], went: [] };
    steps[index] = made;
    return made;
  }
}

/** A member comes and goes in turns, so what is left of it is one step or none. */
function netted(steps: Steps | undefined): GroupDelta | null {
  if (steps === undefined) return null;
  const { group, family, came, went } = steps;
  if (went.length === 0 || came.length === 0) {
    return { group, family, appeared: new MemberView(came), disappeared: new MemberView(went) };
  }
  const balance = new Map<MemberToken, number>();
  for (const token of came) balance.set(token, (balance.get(token) ?? 0) + 1);
  for (const token of went) balance.set(token, (balance.get(token) ?? 0) - 1);
  const appeared: MemberToken[] = [];
  const disappeared: MemberToken[] = [];
  for (const [token, sum] of balance) {
    if (sum > 0) appeared.push(token);
    else if (sum < 0) disappeared.push(token);
  }
  if (appeared.length + disappeared.length === 0) return null;
  return { group, family, appeared: new MemberView(appeared), disappeared: new MemberView(disappeared) };
}
