import { chmodSync, chownSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanUp } from './clean-up.ts';
import { gatewayCommand, gatewayView } from './gateway-command.ts';
import { gatewayFiles } from './gateway-config.ts';
import { keepRunning } from './keep-running.ts';
import type { Layout } from './layout.ts';
import type { ManagedProcess } from './managed-process.ts';
import { startProcess } from './managed-process.ts';
import { createNamespace, requireReadableSets, requireSetTypes } from './network-namespace.ts';
import type { StartOptions } from './options.ts';
import { freePort, modelDirectory, requireBuilt } from './preflight.ts';
import { hostConfigPath, type PreparedAgent, prepare } from './prepare.ts';
import { requireGoodConfig } from './require-good-config.ts';
import { writeRunFile } from './run-file.ts';
import { Sentence } from './sentence.ts';
import type { StopRequest } from './stop-request.ts';
import { type Door, untilAnswers } from './until-answers.ts';
import { welcome } from './welcome.ts';

/** How a start speaks: `say` for its own sentences, `line` for what a program wrote. */
export interface Voice {
  readonly say: (sentence: string) => void;
  readonly line: (speaker: string, line: string) => void;
}

const answerTimeoutMs = 60_000;
const stopGraceMs = 20_000;

/**
 * Runs agent and gateway until a stop is requested, then stops the gateway, the agent and whatever they left, and
 * removes the namespace. Whatever happens in between, nothing of it is left when this returns or throws.
 * Throws a sentence when it cannot start.
 */
export async function run(layout: Layout, options: StartOptions, stop: StopRequest, voice: Voice): Promise<void> {
  requireBuilt(layout.root);
  const model = options.mode === 'private' ? modelDirectory(layout.root, options.model) : '';
  // Before the port is looked at: a gateway that a crash left may still hold it.
  const found = await cleanUp(layout, 5_000);
  if (found !== undefined) voice.say(found);
  const port = await freePort(options.port);

  const running: (() => ManagedProcess)[] = [];
  try {
    const namespace = options.mode === 'private' ? layout.namespace : null;
    if (namespace === null) await requireReadableSets();
    else {
      await createNamespace(namespace);
      await requireSetTypes(namespace);
    }
    if (options.mode === 'host' && existsSync(hostConfigPath)) await requireGoodConfig(layout.root, hostConfigPath);
    const agent = prepare({ layout, mode: options.mode, port, model, logins: options.logins });
    const url = `http://127.0.0.1:${port}/`;
    const keep = (start: () => ManagedProcess, door: Door, afterReady: () => void) =>
      keepRunning({
        start,
        untilReady: async (process, signal) => {
          await untilAnswers(door, answerTimeoutMs, signal).catch((error: Error) => {
            throw signal.aborted ? signal.reason : new Error(`the ${process.name} gives ${error.message}`);
          });
          afterReady();
        },
        tell: voice.say,
        pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
        stop: stop.signal,
      });

    voice.say(
      namespace === null
        ? "starting the agent in the host's namespace"
        : `starting the agent in the namespace ${namespace}`,
    );
    const agentProcess = await keep(
      () => startProcess(agentSpec(layout, namespace, voice)),
      { socketPath: agent.adminSocket, path: '/api/trpc/status.get' },
      () => openToGateway(agent, layout.gatewayUser),
    );
    running.push(agentProcess.current);

    voice.say(`starting the gateway on ${url} as user ${layout.gatewayUser}`);
    const gatewayProcess = await keep(
      () => startProcess(gatewaySpec(layout, voice)),
      { host: '127.0.0.1', port, path: '/' },
      () => {},
    );
    running.push(gatewayProcess.current);

    writeRunFile(layout.runFile, {
      pid: process.pid,
      mode: options.mode,
      url,
      adminSocket: agent.adminSocket,
      agentSocket: agent.agentSocket,
      namespace,
      startedAt: new Date().toISOString(),
    });
    for (const sentence of welcome({ layout, url, namespace, model, logins: options.logins })) voice.say(sentence);
    voice.say(`stopping (${await stop.requested})`);
  } catch (error) {
    if (stop.signal.aborted) voice.say('stopping before everything was up');
    else
      throw error instanceof Sentence
        ? error
        : new Sentence(capital(String(error instanceof Error ? error.message : error)), 'The log above says why.');
  } finally {
    for (const current of running.reverse()) await stopProcess(current(), stop.hurry);
    await cleanUp(layout, stop.hurry.aborted ? 0 : 2_000);
  }
}

function agentSpec(layout: Layout, namespace: string | null, voice: Voice) {
  const program = [process.execPath, join(layout.root, 'packages/agent/dist/agent.js'), '--config', layout.agentConfig];
  const [file = '', ...args] = namespace === null ? program : ['ip', 'netns', 'exec', namespace, ...program];
  return {
    name: 'agent',
    command: [file, ...args] as const,
    mark: layout.namespace,
    environment: {},
    onLine: (line: string) => voice.line('agent', line),
  };
}

function gatewaySpec(layout: Layout, voice: Voice) {
  const config = join(gatewayView(layout).state, gatewayFiles.config);
  return {
    name: 'gateway',
    command: gatewayCommand(layout, process.execPath, config),
    mark: layout.namespace,
    environment: {},
    onLine: (line: string) => voice.line('gateway', line),
  };
}

/** The agent made its socket for the group `setkeeper`, which a checkout does not need: the gateway's own group gets it. */
function openToGateway({ agentSocket }: PreparedAgent, user: number): void {
  chownSync(agentSocket, 0, user);
  chmodSync(agentSocket, 0o660);
}

async function stopProcess(process: ManagedProcess, hurry: AbortSignal): Promise<void> {
  process.signal('SIGTERM');
  const giveUp = AbortSignal.any([hurry, AbortSignal.timeout(stopGraceMs)]);
  const impatient = new Promise<void>((resolve) => {
    if (giveUp.aborted) resolve();
    giveUp.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([process.ended, impatient]);
  process.signal('SIGKILL');
  await process.ended;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
