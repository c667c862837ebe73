import type { Handlers } from '@setkeeper/api';

/** `read` renders the metrics as Prometheus text. */
export function metricsHandlers(read: () => Promise<string>): Pick<Handlers, 'metrics.get'> {
  return { 'metrics.get': async () => ({ text: await read() }) };
}
