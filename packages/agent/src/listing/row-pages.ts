import { ApiError } from '@setkeeper/api';
import type { Breathe } from '../sources/breather.ts';
import { sortInSlices } from './sliced-sort.ts';

/** A row that may be shown: its id, and what it is sorted by. */
export interface Candidate {
  readonly id: string;
  readonly by: string | number;
}

/** One question for a page of rows. */
export interface PageQuestion {
  /** Tells this list, its filters and its order from every other. */
  readonly list: string;
  /** Of what the rows are made of: while it stays, an order once made is used again. */
  readonly revision: string;
  /** The rows that fit the filters, in no order. */
  readonly candidates: () => Iterable<Candidate>;
  readonly isDescending: boolean;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The ids of one page, in order, and how many rows fit in all. */
export interface RowPage {
  readonly ids: readonly string[];
  readonly total: number;
  readonly nextCursor?: string;
}

const ORDERS_KEPT = 6;

/**
 * Pages of long lists, by cursor. A cursor is the last row that was shown: rows that come and go do not shift a page. The
 * order of a list is made once a revision, in slices, and the last few are kept; a page of a known order costs O(log n).
 */
export class RowPages {
  readonly #newBreathe: () => Breathe;
  readonly #orders = new Map<string, { readonly revision: string; readonly rows: Promise<readonly Candidate[]> }>();

  constructor(newBreathe: () => Breathe) {
    this.#newBreathe = newBreathe;
  }

  async page(question: PageQuestion): Promise<RowPage> {
    const { cursor, limit, isDescending } = question;
    const compare = isDescending ? descending : ascending;
    const rows = await this.#ordered(question, compare);
    const from = cursor === undefined ? 0 : firstAfter(rows, parseCursor(cursor), compare);
    const shown = rows.slice(from, from + limit);
    const last = shown.at(-1);
    const hasMore = from + shown.length < rows.length && last !== undefined;
    return {
      ids: shown.map(({ id }) => id),
      total: rows.length,
      ...(hasMore ? { nextCursor: cursorOf(last) } : {}),
    };
  }

  #ordered(question: PageQuestion, compare: Compare): Promise<readonly Candidate[]> {
    const { list, revision } = question;
    const known = this.#orders.get(list);
    this.#orders.delete(list);
    const order = known?.revision === revision ? known : { revision, rows: this.#order(question, compare) };
    this.#orders.set(list, order);
    for (const oldest of this.#orders.keys()) {
      if (this.#orders.size <= ORDERS_KEPT) break;
      this.#orders.delete(oldest);
    }
    return order.rows;
  }

  async #order({ candidates }: PageQuestion, compare: Compare): Promise<readonly Candidate[]> {
    const breathe = this.#newBreathe();
    const found: Candidate[] = [];
    for (const candidate of candidates()) {
      found.push(candidate);
      const pause = breathe();
      if (pause !== null) await pause;
    }
    return sortInSlices(found, compare, breathe);
  }
}

type Compare = (a: Candidate, b: Candidate) => number;

const ascending: Compare = (a, b) => order(a.by, b.by) || order(a.id, b.id);
const descending: Compare = (a, b) => order(b.by, a.by) || order(a.id, b.id);

function order(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function firstAfter(rows: readonly Candidate[], last: Candidate, compare: Compare): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && compare(row, last) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const cursorOf = ({ id, by }: Candidate): string => Buffer.from(JSON.stringify([by, id])).toString('base64url');

function parseCursor(cursor: string): Candidate {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === 2) {
      const [by, id]: unknown[] = parsed;
      if ((typeof by === 'string' || typeof by === 'number') && typeof id === 'string') return { id, by };
    }
  } catch {
    // Not one of ours: refused below like any other.
  }
  throw new ApiError('bad-input', 'cursor: is none that this list gave', { subject: 'cursor' });
}
