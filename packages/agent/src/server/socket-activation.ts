/** Listening sockets that systemd passes (sd_listen_fds(3)), by the name of their unit's `FileDescriptorName=`. */
export function activatedSockets(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): ReadonlyMap<string, number> {
  const count = Number(environment.LISTEN_FDS ?? 0);
  if (Number(environment.LISTEN_PID) !== pid || !Number.isSafeInteger(count) || count < 1) return new Map();
  const names = (environment.LISTEN_FDNAMES ?? '').split(':');
  return new Map(Array.from({ length: count }, (_, index) => [names[index] ?? '', FIRST_DESCRIPTOR + index]));
}

const FIRST_DESCRIPTOR = 3;
