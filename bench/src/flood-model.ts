import { pages } from './documents.ts';

/** How the changes of a flood come. */
export type FloodWay = 'put' | 'file';

const TAGS = 20;
/** Of these, so many objects are there for each one of a batch: by put, other objects change each time. */
const PUT_ROUNDS = 10;
const SECOND_OCTET = { put: 0, file: 64 } as const;

/** An endpoint and how often it changed. */
interface Moving {
  readonly id: string;
  readonly number: number;
  readonly isFlapping: boolean;
  moves: number;
}

/**
 * Endpoints that change in batches. Every other one flaps: it goes to another address, and back at its next change; the rest
 * never come back. A file has the same endpoints each time; a put has half of them in every batch, flapping, and others in turn.
 */
export class FloodModel {
  readonly #aBatch: number;
  readonly #moving: Readonly<Record<FloodWay, readonly Moving[]>>;
  #puts = 0;

  constructor(aBatch: number) {
    this.#aBatch = aBatch;
    const half = aBatch / 2;
    const moving = (way: FloodWay, count: number): readonly Moving[] =>
      Array.from({ length: count }, (_, number) => ({
        id: `${way}/${number}`,
        number,
        isFlapping: number < half,
        moves: 0,
      }));
    this.#moving = { put: moving('put', half + half * PUT_ROUNDS), file: moving('file', aBatch) };
  }

  /** What the model says before the flood: profiles, references, and the endpoints that come by a file. */
  documents(): Readonly<Record<string, string>> {
    const tags = Array.from({ length: TAGS }, (_, tag) => `t${tag}`);
    const rest = {
      profiles: Object.fromEntries(tags.map((tag) => [`p-${tag}`, { tags: [tag] }])),
      references: { bench: tags.map((tag) => `tag:${tag}`) },
    };
    return { ...pages('flood-start', {}, rest), 'flood.json': JSON.stringify({ endpoints: this.batch('file') }) };
  }

  /** The next changes of a way, each of another endpoint, as the endpoints of a document. */
  batch(way: FloodWay): Readonly<Record<string, unknown>> {
    const chosen = way === 'file' ? this.#moving.file : this.#nextPut();
    for (const each of chosen) each.moves++;
    return Object.fromEntries(
      chosen.map((each) => [each.id, { profiles: [profile(each)], ipv4: [address(way, each)] }]),
    );
  }

  /** The add lines that the kernel has to show in the end. */
  *lines(): Generator<string> {
    for (const way of ['put', 'file'] as const)
      for (const each of this.#moving[way])
        if (each.moves > 0) yield `add sk-v4-t.t${each.number % TAGS} ${address(way, each)}`;
  }

  #nextPut(): readonly Moving[] {
    const half = this.#aBatch / 2;
    const from = half * (1 + (this.#puts++ % PUT_ROUNDS));
    return [...this.#moving.put.slice(0, half), ...this.#moving.put.slice(from, from + half)];
  }
}

const profile = ({ number }: Moving): string => `p-t${number % TAGS}`;

/** Each endpoint has 256 or more addresses of its own: 10.W.X.Y, by its number and its moves. */
function address(way: FloodWay, { number, isFlapping, moves }: Moving): string {
  const place = number * 512 + (isFlapping ? moves % 2 : moves % 512);
  return `10.${SECOND_OCTET[way] + (place >> 16)}.${(place >> 8) & 255}.${place & 255}`;
}
