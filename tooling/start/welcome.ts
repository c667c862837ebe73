import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayFiles } from './gateway-config.ts';
import type { Layout } from './layout.ts';

/** What a person must know about a start that is up. */
export interface Welcome {
  readonly layout: Layout;
  readonly url: string;
  /** Null in the host's own namespace. */
  readonly namespace: string | null;
  /** Empty where there is no model directory of ours. */
  readonly model: string;
  readonly logins: boolean;
}

/** Where the console is, how to log in, where to look, how to stop: one line each, an empty one before and after. */
export function welcome({ layout, url, namespace, model, logins }: Welcome): readonly string[] {
  return [
    '',
    `Console:  ${url}`,
    `Log in:   ${howToLogIn(layout, logins)}`,
    ...(model === '' ? [] : [`Model:    ${model} (watched: edit a file and see the kernel follow)`]),
    ...(namespace === null ? [] : [`Kernel:   ip netns exec ${namespace} ipset list -t`]),
    'CLI:      ./setkeeper status',
    'Stop:     Ctrl-C',
    '',
  ];
}

/** The one-time code itself is never printed: what is printed ends in logs. */
function howToLogIn(layout: Layout, logins: boolean): string {
  if (!logins) {
    return 'not needed: it listens on 127.0.0.1 only, and whoever opens it there is the operator "local" (--logins asks)';
  }
  const code = join(layout.gatewayState, gatewayFiles.firstAdminCode);
  return existsSync(code)
    ? `the first visit asks for a one-time code and makes the first admin; the code: cat ${code}`
    : 'with the name and password of an account (made by an admin, in the console or with ./setkeeper user)';
}
