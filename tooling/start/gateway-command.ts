import { dirname, join } from 'node:path';
import type { Layout } from './layout.ts';

/** Where the gateway sees its files: below the runtime directory, mounted in a mount namespace of its own. */
export interface GatewayView {
  readonly node: string;
  readonly program: string;
  readonly console: string;
  readonly state: string;
}

const script = `set -e
user=$1; shift
while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done
shift
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
  --pdeathsig=TERM -- "$@"`;

/** The view of the gateway in this layout. */
export function gatewayView({ runtimeDirectory }: Layout): GatewayView {
  const gateway = join(runtimeDirectory, 'gateway');
  return {
    node: join(gateway, 'node'),
    program: join(gateway, 'program'),
    console: join(gateway, 'console'),
    state: join(gateway, 'state'),
  };
}

/**
 * The command that runs the gateway as its own user, without any capability, from its first instruction on.
 *
 * A checkout may lie where only root can look (below a home of mode 0700). So the four folders that the gateway needs
 * are mounted where its user can reach them, in a mount namespace that ends with the process: nothing to clean up.
 */
export function gatewayCommand(layout: Layout, nodeProgram: string, config: string): readonly [string, ...string[]] {
  const view = gatewayView(layout);
  const mounts = [
    [dirname(nodeProgram), view.node],
    [join(layout.root, 'packages/gateway/dist'), view.program],
    [join(layout.root, 'apps/console/out'), view.console],
    [layout.gatewayState, view.state],
  ].flat();
  return [
    'unshare',
    ...['--mount', '--propagation', 'private', '--', 'sh', '-c', script, 'sh', String(layout.gatewayUser)],
    ...mounts,
    '--',
    ...[join(view.node, 'node'), join(view.program, 'gateway.js'), '--config', config],
  ];
}
