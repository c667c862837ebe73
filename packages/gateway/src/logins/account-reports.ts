import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type AccountEvent, accountEventsMax, accountEventsPath, gatewaySubject, Role } from '@setkeeper/api';
import type { AgentLink } from '../agents/agent-link.ts';
import type { Visitor } from '../visitors/visitor.ts';

/** Brings what happened to accounts into the audit of every agent, so that one place shows who could act and who did. */
export interface AccountReports {
  /** Reports now what no agent has yet; resolves when every agent was asked. Called by itself every few seconds. */
  report(): Promise<void>;
  close(): void;
}

export interface AccountReportsParts {
  readonly database: DatabaseSync;
  readonly links: readonly AgentLink[];
  readonly log: { warn(facts: object, message: string): void; info(facts: object, message: string): void };
}

const everyMs = 2_000;
/** An agent that does not take reports is asked again after this long, twice as long each time. */
const patience = { firstMs: 4_000, lastMs: 120_000 };
const answerMs = 10_000;
/** Acts of somebody who has not signed in: the name was only typed. */
const beforeSignIn: readonly string[] = ['sign-in', 'first-admin'];

const itself: Visitor = {
  subject: gatewaySubject,
  name: 'gateway',
  role: 'viewer',
  sessionId: gatewaySubject,
  via: 'nobody-else',
  mustChangePassword: false,
};

/**
 * Starts reporting. How far each agent has come is in the store: a line is reported until the agent has it in its audit,
 * over restarts of both; one whose answer was lost is reported again under the same number. An agent that was never
 * reported to begins with what happens from now on.
 */
export function createAccountReports({ database, links, log }: AccountReportsParts): AccountReports {
  const begin = database.prepare(
    'insert or ignore into account_report (agent, last_id) values (?, (select coalesce(max(id), 0) from account_log))',
  );
  const next = database.prepare(
    `select account_log.*, user.role as role from account_log left join user on user.username = account_log.actor
     where account_log.id > (select last_id from account_report where agent = ?) order by account_log.id limit ?`,
  );
  const taken = database.prepare('update account_report set last_id = ? where agent = ?');
  for (const { name } of links) begin.run(name);

  const reportTo = async (link: AgentLink): Promise<void> => {
    for (;;) {
      const events = next.all(link.name, accountEventsMax).map(eventOf);
      const last = events.at(-1);
      if (last === undefined) return;
      const { statusCode, body } = await link.ask({
        visitor: itself,
        method: 'POST',
        path: accountEventsPath,
        body: Buffer.from(JSON.stringify({ events })),
        signal: AbortSignal.timeout(answerMs),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the agent answered ${statusCode}`);
      taken.run(last.id, link.name);
    }
  };

  const waits = new Map<string, { readonly ms: number; readonly until: number }>();
  const reportPatiently = async (link: AgentLink): Promise<void> => {
    const waiting = waits.get(link.name);
    if (waiting !== undefined && performance.now() < waiting.until) return;
    try {
      await reportTo(link);
      if (waits.delete(link.name)) log.info({ agent: link.name }, 'the agent takes reports of accounts again');
    } catch (error) {
      if (waiting === undefined)
        log.warn({ agent: link.name, err: error }, 'the agent takes no reports of accounts; they are kept for it');
      const ms = waiting === undefined ? patience.firstMs : Math.min(patience.lastMs, waiting.ms * 2);
      waits.set(link.name, { ms, until: performance.now() + ms });
    }
  };

  let running: Promise<void> | null = null;
  const report = (): Promise<void> => {
    running ??= Promise.all(links.map(reportPatiently)).then(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void report(), everyMs);
  timer.unref();
  return { report, close: () => clearInterval(timer) };
}

function eventOf(row: Record<string, SQLOutputValue>): AccountEvent {
  const act = String(row.act);
  const result = String(row.result);
  return {
    id: Number(row.id),
    at: new Date(Number(row.at)).toISOString(),
    actor: String(row.actor),
    role: Role.safeParse(row.role).data ?? null,
    proved: result === 'done' || !beforeSignIn.includes(act),
    act,
    subject: String(row.subject),
    address: String(row.address),
    result,
  };
}
