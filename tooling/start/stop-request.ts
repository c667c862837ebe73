/** The one wish to stop, from a signal or from inside. */
export interface StopRequest {
  /** Aborted with the reason at the first wish. */
  readonly signal: AbortSignal;
  /** Resolves with the reason at the first wish. */
  readonly requested: Promise<string>;
  /** Aborted at the second signal: the person does not want to wait for an orderly stop. */
  readonly hurry: AbortSignal;
}

/** Listens for Ctrl-C, SIGTERM and SIGHUP from now on. */
export function listenForStop(): StopRequest {
  const stop = new AbortController();
  const hurry = new AbortController();
  const requested = Promise.withResolvers<string>();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) hurry.abort(new Error(name));
      else stop.abort(new Error(name));
      requested.resolve(name);
    });
  }
  return { signal: stop.signal, requested: requested.promise, hurry: hurry.signal };
}
