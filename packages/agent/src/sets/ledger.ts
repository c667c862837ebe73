import { isNomatch, type Member, memberKey } from '@setkeeper/ipset';
import type { DesiredElements } from './desired-elements.ts';
import { Parking } from './parking.ts';

/**
 * What is known to be in the kernel, told against what is desired: programmed = desired − missing + extra. So a set of
 * a million members that is right costs nothing. `unknown`: nothing may be believed, the set is read or rewritten.
 * `absent`: the kernel has no such set.
 */
export type Content =
  | { readonly kind: 'unknown'; readonly cause: string; readonly before?: Believed }
  | { readonly kind: 'absent' }
  | { readonly kind: 'known'; readonly missing: Set<Member>; readonly extra: Set<Member> };

/** What was programmed when that became doubtful. It goes on following what is desired; of `doubted` elements nothing is known. */
export interface Believed {
  readonly missing: Set<Member>;
  readonly extra: Set<Member>;
  readonly doubted: ReadonlySet<Member>;
}

/** The cause of an unknown set that nobody read so far: no problem, it is on its way. */
export const NOT_READ = 'not read yet';

/** Elements that changed while the set was read or rewritten. `isVoid`: the content was replaced meanwhile. */
export interface Watch {
  readonly touched: Set<Member>;
  isVoid: boolean;
}

/**
 * The ledger of one set, in kernel elements: what is programmed, what the kernel refused (parked) and what may not leave
 * (withheld: a removal that was held). It hears of every change of the desired elements after it happened, and of every
 * acknowledged operation. All steps cost O(change).
 */
export class Ledger {
  readonly parking = new Parking();
  readonly #desired: DesiredElements;
  /** Elements that are not desired and may not be deleted, with the id of what holds them. */
  #withheld: Map<Member, string> | null = null;
  /** Nobody watches most sets, nearly always: empty collections of 10,000 sets would be megabytes. */
  #watches: Set<Watch> | null = null;
  #content: Content = { kind: 'unknown', cause: NOT_READ };
  #version = 0;

  constructor(desired: DesiredElements) {
    this.#desired = desired;
  }

  get content(): Content {
    return this.#content;
  }

  /** Counts up with every change: what was derived from the ledger is good for one version. */
  get version(): number {
    return this.#version;
  }

  get withheld(): ReadonlyMap<Member, string> {
    return this.#withheld ?? NONE_WITHHELD;
  }

  /** A change of the desired elements means nothing to it: its content is not known, and nobody reads or writes it. */
  get isIndifferent(): boolean {
    if (this.#tracked !== null) return false;
    return (this.#watches?.size ?? 0) === 0 && this.parking.size === 0 && this.withheld.size === 0;
  }

  /** Elements in the kernel as far as acknowledged; null while unknown. */
  get programmed(): number | null {
    if (this.#content.kind === 'unknown') return null;
    if (this.#content.kind === 'absent') return 0;
    return this.#desired.count - this.#content.missing.size + this.#content.extra.size;
  }

  /** Whether an element is programmed; null while unknown. */
  isProgrammed(element: Member): boolean | null {
    if (this.#content.kind === 'unknown') return null;
    if (this.#content.kind === 'absent') return false;
    return this.#desired.has(element) ? !this.#content.missing.has(element) : this.#content.extra.has(element);
  }

  /** The desired elements changed so. Gives back what came back of the withheld: element and what held it. */
  desiredChanged(appeared: Iterable<Member>, disappeared: Iterable<Member>): readonly (readonly [Member, string])[] {
    this.#version++;
    const back: (readonly [Member, string])[] = [];
    const tracked = this.#tracked;
    for (const element of disappeared) {
      this.#touch(element);
      this.parking.free(element);
      if (tracked !== null && !tracked.missing.delete(element)) tracked.extra.add(element);
    }
    for (const element of appeared) {
      this.#touch(element);
      this.parking.free(element);
      if (tracked !== null && !tracked.extra.delete(element)) tracked.missing.add(element);
      const holder = this.#withheld?.get(element);
      if (holder === undefined) continue;
      this.#withheld?.delete(element);
      back.push([element, holder]);
    }
    return back;
  }

  /** Hears of every element that changes until `unwatch`: what a reading or a rewrite cannot know by itself. */
  watch(): Watch {
    const watch: Watch = { touched: new Set(), isVoid: false };
    this.#watches ??= new Set();
    this.#watches.add(watch);
    return watch;
  }

  unwatch(watch: Watch): void {
    this.#watches?.delete(watch);
    if (this.#watches?.size === 0) this.#watches = null;
  }

  becomeUnknown(cause: string): void {
    this.#replace({ kind: 'unknown', cause });
  }

  /** Elements of `doubted` may or may not be in the kernel; what was known of all others is kept, to be compared with the next reading. */
  becomeDoubtful(cause: string, doubted: ReadonlySet<Member>): void {
    const content = this.#content;
    if (content.kind !== 'known') this.#replace({ kind: 'unknown', cause });
    else this.#replace({ kind: 'unknown', cause, before: { missing: content.missing, extra: content.extra, doubted } });
  }

  /** The kernel has no such set: there is nothing to delete, and what was refused is asked again. What is withheld stays: it was programmed, and is put back with the rest. */
  becomeAbsent(): void {
    this.#replace({ kind: 'absent' });
    this.parking.clear();
  }

  /** The set was to go as a whole, and is gone. */
  becomeDestroyed(): void {
    this.becomeAbsent();
    this.#withheld = null;
  }

  /** The kernel holds exactly desired - missing + extra. Takes the sets over. */
  becomeKnown(missing: Set<Member>, extra: Set<Member>): void {
    this.#replace({ kind: 'known', missing, extra });
    for (const [element, refusal] of this.parking.entries()) {
      const isOpen = refusal.op === 'del' ? extra.has(element) : missing.has(element);
      if (!isOpen) this.parking.free(element);
    }
    for (const element of this.withheld.keys()) if (!extra.has(element)) this.#withheld?.delete(element);
  }

  /** The kernel acknowledged an add. It also turns the flag of the same network around (KERNEL.md section 1). */
  added(element: Member): void {
    this.#version++;
    this.#touch(element);
    this.parking.free(element);
    if (this.#content.kind !== 'known') return;
    const { missing, extra } = this.#content;
    if (this.#desired.hasFlags) {
      const other = otherFlag(element);
      if (this.#desired.has(other)) missing.add(other);
      else if (extra.delete(other)) this.#withheld?.delete(other);
    }
    if (this.#desired.has(element)) missing.delete(element);
    else extra.add(element);
  }

  /** The kernel acknowledged a del, or that there was nothing to delete. */
  deleted(element: Member): void {
    this.#version++;
    this.#touch(element);
    this.parking.free(element);
    this.#withheld?.delete(element);
    if (this.#content.kind !== 'known') return;
    const { missing, extra } = this.#content;
    if (this.#desired.has(element)) missing.add(element);
    else extra.delete(element);
  }

  /** Elements that are not desired stay in the kernel until what `holder` names lets them go. */
  withhold(elements: Iterable<Member>, holder: string): void {
    this.#version++;
    this.#withheld ??= new Map();
    for (const element of elements) this.#withheld.set(element, holder);
  }

  /** Lets go what `holder` held. O(withheld). */
  letGo(holder: string): readonly Member[] {
    this.#version++;
    const gone = [...this.withheld].filter(([, by]) => by === holder).map(([element]) => element);
    for (const element of gone) this.#withheld?.delete(element);
    return gone;
  }

  /** What follows every change of the desired elements. */
  get #tracked(): Pick<Believed, 'missing' | 'extra'> | null {
    if (this.#content.kind === 'known') return this.#content;
    return this.#content.kind === 'unknown' ? (this.#content.before ?? null) : null;
  }

  #replace(content: Content): void {
    this.#version++;
    this.#content = content;
    for (const watch of this.#watches ?? NO_WATCHES) watch.isVoid = true;
  }

  #touch(element: Member): void {
    for (const watch of this.#watches ?? NO_WATCHES) watch.touched.add(element);
  }
}

const NONE_WITHHELD: ReadonlyMap<Member, string> = new Map();
const NO_WATCHES: readonly Watch[] = [];

/** The same network with the other flag: one element to the kernel. */
export const otherFlag = (element: Member): Member =>
  (isNomatch(element) ? memberKey(element) : `${element} nomatch`) as Member;
