/** Time as a parameter: `now` in milliseconds since 1970 (wall), `monotonic` in milliseconds since an arbitrary start. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
}
