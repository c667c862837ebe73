/**
 * The holders helper: reads the rules of this host for the agent, with CAP_NET_RAW and group 0, which the agent has not.
 * Started by systemd when somebody connects to its socket (setkeeper-holders.socket); ends when it has nothing to do.
 */
import { launchedHolderTools } from '../holders/launched-holder-tools.ts';
import { localChildren } from '../holders-helper/local-children.ts';
import { serveHolders } from '../holders-helper/serve-holders.ts';
import { activatedSockets } from '../server/socket-activation.ts';

/** Longer than the time between two readings of a busy agent, so that they share a process. */
const IDLE_MS = 90_000;

const descriptor = activatedSockets(process.env, process.pid).get('holders');
if (descriptor === undefined) {
  console.error('This program is started by setkeeper-holders.socket; it does nothing by itself.');
  process.exit(2);
}

const end = (): void => process.exit(0);
let idle = setTimeout(end, IDLE_MS);
const server = serveHolders({
  tools: launchedHolderTools(localChildren()),
  onBusy: () => clearTimeout(idle),
  onIdle: () => {
    idle = setTimeout(end, IDLE_MS);
  },
});
server.once('error', (error) => {
  console.error(`The holders helper cannot listen: ${error.message}`);
  process.exit(1);
});
server.listen({ fd: descriptor });
