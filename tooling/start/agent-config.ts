import { parseDocument, stringify } from 'yaml';
import type { Layout } from './layout.ts';
import { Sentence } from './sentence.ts';
import type { SigningKey } from './signing-key.ts';

/** What `agent.yaml` of a private or observing agent depends on. */
export interface AgentConfigInput {
  readonly layout: Layout;
  readonly host: string;
  readonly key: SigningKey;
}

/** The configuration of an agent that keeps the sets of its own namespace equal to a model directory. */
export function privateAgentConfig(input: AgentConfigInput, modelDirectory: string): string {
  const { stateDirectory } = input.layout;
  return stringify({
    ...everyAgent(input),
    store: `${stateDirectory}/agent.db`,
    boot: { directory: bootDirectory(input.layout, 'private') },
    sources: [{ directory: { path: modelDirectory } }, { declared: {} }],
  });
}

/** The configuration of an agent that looks at the host's sets and writes nothing. */
export function observingAgentConfig(input: AgentConfigInput): string {
  const { stateDirectory } = input.layout;
  return stringify({
    mode: 'observe',
    ...everyAgent(input),
    store: `${stateDirectory}/observe.db`,
    boot: { directory: bootDirectory(input.layout, 'observe') },
  });
}

/** Where a private or observing agent writes its boot files (an observing one never does). */
export function bootDirectory({ stateDirectory }: Layout, mode: 'private' | 'observe'): string {
  return `${stateDirectory}/${mode === 'private' ? 'boot.d' : 'observe-boot.d'}`;
}

/** The host's own configuration with the key of this checkout's gateway added, and where that agent will listen. */
export interface HostAgentConfig {
  readonly text: string;
  readonly agentSocket: string;
  readonly adminSocket: string;
  readonly host: string;
}

/**
 * Adds the gateway's key to the text of `/etc/setkeeper/agent.yaml`, and changes nothing else in it.
 * Throws a sentence if the text is not YAML: the agent itself judges the rest, with key and line.
 */
export function hostAgentConfig(text: string, path: string, machine: string, key: SigningKey): HostAgentConfig {
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line;
    const words = fault.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
    throw new Sentence(
      `${path}${line === undefined ? '' : `:${line}`} is not YAML: ${words}.`,
      'Mend it and start again.',
    );
  }
  const content: unknown = document.toJS();
  if (content !== null && (typeof content !== 'object' || Array.isArray(content))) {
    throw new Sentence(
      `${path} is not a map of settings.`,
      'It holds keys such as `sources:` and `sets:`, one below the other.',
    );
  }
  if (content === null) return hostAgentConfig('{}', path, machine, key);
  const added = { kid: key.kid, key: key.publicKey, maxRole: 'admin' };
  if (document.hasIn(['trust', 'gatewayKeys'])) document.addIn(['trust', 'gatewayKeys'], document.createNode(added));
  else document.setIn(['trust'], document.createNode({ gatewayKeys: [added] }));
  const setting = (name: string, fallback: string): string => {
    const value: unknown = document.get(name);
    return typeof value === 'string' && value !== '' ? value : fallback;
  };
  return {
    text: document.toString({ lineWidth: 0 }),
    agentSocket: setting('socket', '/run/setkeeper/agent.sock'),
    adminSocket: setting('adminSocket', '/run/setkeeper/admin.sock'),
    host: setting('host', machine),
  };
}

function everyAgent({ layout, host, key }: AgentConfigInput) {
  return {
    host,
    socket: layout.agentSocket,
    adminSocket: layout.adminSocket,
    trust: { gatewayKeys: [{ kid: key.kid, key: key.publicKey, maxRole: 'admin' }] },
  };
}
