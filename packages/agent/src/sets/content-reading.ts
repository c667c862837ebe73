import { type Family, formatIpv4, type Member, memberFromKernel } from '@setkeeper/ipset';
import type { DesiredElements } from './desired-elements.ts';
import type { Ledger, Watch } from './ledger.ts';
import { SeenElements } from './seen-elements.ts';

/** What a reading of one set came to. `void`: the content was replaced meanwhile, or it is a set of another kind that was read. `read-again`: something is missing, and which can only be told by reading once more with `keepsAll`. */
export type ReadContent =
  | {
      readonly kind: 'content';
      readonly missing: Set<Member>;
      readonly extra: Set<Member>;
      /** Elements seen. */
      readonly elements: number;
      /** What changed meanwhile, and so is not what it seems. */
      readonly touched: ReadonlySet<Member>;
    }
  | { readonly kind: 'void' }
  | { readonly kind: 'read-again' };

/** Sets of more elements are compared without keeping the texts of what was seen. */
const KEPT_ELEMENTS_MAX = 65_536;

/**
 * Compares a set's elements with what is desired as they stream by, while the model goes on changing. Where nothing is
 * wrong, it keeps eight bytes an IPv4 element and nothing else. An element that changed during the reading is taken for
 * what it should not be: an add of what is there and a del of what is not do no harm under `-exist`.
 */
export class ContentReading {
  readonly watch: Watch;
  readonly #ledger: Ledger;
  readonly #desired: DesiredElements;
  readonly #type: string;
  readonly #family: Family | null;
  readonly #keepsTexts: boolean;
  readonly #seen = new SeenElements();
  readonly #extra = new Set<Member>();
  #elements = 0;
  #matched = 0;
  #isOther = false;

  /** `expected`: how many elements the header announced; null: not known. */
  constructor(parts: {
    readonly ledger: Ledger;
    readonly desired: DesiredElements;
    readonly type: string;
    readonly family: Family | null;
    readonly expected: number | null;
    readonly keepsAll: boolean;
  }) {
    this.#ledger = parts.ledger;
    this.#desired = parts.desired;
    this.#type = parts.type;
    this.#family = parts.family;
    this.#keepsTexts = parts.keepsAll || (parts.expected !== null && parts.expected <= KEPT_ELEMENTS_MAX);
    this.watch = parts.ledger.watch();
  }

  /** What is read is of another kind: somebody made the set anew. Which elements it has says nothing then; its header does. */
  sawKind(type: string, family: Family | null): void {
    if (type !== this.#type || family !== this.#family) this.#isOther = true;
  }

  sawElement(text: string, nomatch: boolean): void {
    // What is desired is canonical already, which is nearly every element there is.
    const isDesired = !nomatch && this.#desired.has(text as Member);
    const element = isDesired ? (text as Member) : memberFromKernel(this.#type, this.#family, text, nomatch);
    if (this.#keepsTexts) this.#seen.addText(element);
    this.#count(element, isDesired || this.#desired.has(element));
  }

  sawIpv4(address: number, prefixLength: number): void {
    this.#seen.addIpv4(address, prefixLength);
    if (prefixLength === 32 && this.#desired.hasIpv4?.(address) === true) {
      this.#elements++;
      this.#matched++;
      return;
    }
    const text = formatIpv4(address);
    const element = (prefixLength === 32 ? text : `${text}/${prefixLength}`) as Member;
    this.#count(element, this.#desired.has(element));
  }

  /** To be called once, after a reading that was whole. Ends the watch. */
  finish(): ReadContent {
    this.#ledger.unwatch(this.watch);
    const { touched, isVoid } = this.watch;
    if (isVoid || this.#isOther) return { kind: 'void' };
    const missing = new Set<Member>();
    const isWhole = touched.size === 0 && this.#matched === this.#desired.count;
    if (!isWhole) {
      if (!this.#keepsTexts && !this.#isIpv4) return { kind: 'read-again' };
      for (const element of this.#desired.elements()) if (!this.#seen.has(element)) missing.add(element);
    }
    for (const element of touched) {
      if (this.#desired.has(element)) missing.add(element);
      else this.#extra.add(element);
    }
    for (const element of this.#extra) if (this.#desired.has(element)) this.#extra.delete(element);
    return { kind: 'content', missing, extra: this.#extra, elements: this.#elements, touched };
  }

  /** Gives the reading up: it was not whole. */
  abandon(): void {
    this.#ledger.unwatch(this.watch);
  }

  get #isIpv4(): boolean {
    return this.#family === 'inet' && (this.#type === 'hash:ip' || this.#type === 'hash:net');
  }

  #count(element: Member, isDesired: boolean): void {
    this.#elements++;
    if (isDesired) this.#matched++;
    else this.#extra.add(element);
  }
}
