import { type Anomaly, classifyFailure } from '@setkeeper/ipset';
import type { ChildExit } from '../launcher/launcher-client.ts';
import type { ReadFault } from './kernel-reader.ts';

/** Why a reading child's output is not the truth, or null if it is: exit status 0, nothing cut, every line understood. */
export function readFault(
  exit: ChildExit,
  stderr: string,
  anomalies: readonly Anomaly[],
  hadOutput: boolean,
): ReadFault | null {
  const fault = (code: ReadFault['code'], message: string): ReadFault => ({ code, message, raw: stderr });
  if (exit.spawnError !== undefined) return fault('spawn-failed', `ipset could not be started: ${exit.spawnError}`);
  if (exit.timedOut === true) return fault('timed-out', 'ipset did not end in time and was stopped');
  if (exit.signal !== null) return fault('killed', `ipset was ended by ${exit.signal}`);
  if (exit.exitCode !== 0) {
    const { code, message } = classifyFailure({ exitCode: exit.exitCode, signal: null, stderr, command: 'list' });
    if (code === 'set-missing') return fault('set-missing', message);
    if (code === 'permission' || code === 'no-session') return fault('permission', message);
    if (code === 'type-unsupported' || REVISION.test(message)) return fault('revision', message);
    return fault(hadOutput ? 'partial' : 'other', message);
  }
  const worst = anomalies.find(({ kind }) => kind === 'truncated') ?? anomalies[0];
  if (worst === undefined) return null;
  const where = `line ${worst.line} of ipset's output (${JSON.stringify(worst.text)})`;
  return worst.kind === 'truncated'
    ? fault('partial', `The output of ipset ends too early: ${where}`)
    : fault('unparsable', `The output of ipset holds what no known version prints: ${worst.kind}, ${where}`);
}

/** A userspace older than a set's revision (samples/12-revision-*.stderr). */
const REVISION = /Kernel and userspace incompatible|revision/i;
