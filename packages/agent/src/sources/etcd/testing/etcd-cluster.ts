import type { TestNamespace } from '@setkeeper/testkit';
import { EtcdServer } from './etcd-server.ts';

/** Users that nobody else has: by them the packets of each member are known. */
const FIRST_UID = 64_200;
const CLIENT_PORT = 2379;
const PEER_PORT = 2380;
const MEMBERS = 3;

/** A real cluster of three members, each with an address of its own inside a network namespace. */
export class EtcdCluster {
  readonly members: readonly EtcdServer[];
  readonly #namespace: TestNamespace;

  constructor(program: string, namespace: TestNamespace) {
    this.#namespace = namespace;
    const numbers = Array.from({ length: MEMBERS }, (_, number) => number);
    const cluster = numbers.map((number) => `m${number}=${peerUrl(number)}`).join(',');
    this.members = numbers.map(
      (number) =>
        new EtcdServer(program, {
          inside: namespace.prefix,
          member: {
            name: `m${number}`,
            clientUrl: `http://${addressOf(number)}:${CLIENT_PORT}`,
            peerUrl: peerUrl(number),
            cluster,
            uid: FIRST_UID + number,
          },
        }),
    );
  }

  get endpoints(): readonly string[] {
    return this.members.map(({ endpoint }) => endpoint);
  }

  async start(): Promise<void> {
    await Promise.all(this.members.map((member) => member.start()));
  }

  /** The member that leads now. Waits until there is one that most of them agree on. */
  async leader(): Promise<EtcdServer> {
    for (;;) {
      for (const member of this.members) {
        const url = `${member.endpoint}/v3/maintenance/status`;
        const { stdout } = await this.#namespace.exec(process.execPath, ['--eval', ASK, url]);
        const status = parsed(stdout);
        if (status !== null && status.leader === status.header.member_id) return member;
      }
    }
  }

  /** The member hears nothing of the others and they nothing of it; those who ask it still reach it. */
  async cutOff(member: EtcdServer): Promise<void> {
    await this.#firewall('-A', this.members.indexOf(member));
  }

  async join(member: EtcdServer): Promise<void> {
    await this.#firewall('-D', this.members.indexOf(member));
  }

  async remove(): Promise<void> {
    await Promise.all(this.members.map((member) => member.remove()));
  }

  async #firewall(how: '-A' | '-D', number: number): Promise<void> {
    const byMember = ['-m', 'owner', '--uid-owner', String(FIRST_UID + number)];
    for (const rule of [
      [...byMember, '-p', 'tcp', '--dport', String(PEER_PORT)],
      [...byMember, '-p', 'tcp', '--sport', String(PEER_PORT)],
      ['-p', 'tcp', '-d', addressOf(number), '--dport', String(PEER_PORT)],
    ]) {
      const { exitCode, stderr } = await this.#namespace.exec('iptables', [how, 'OUTPUT', ...rule, '-j', 'DROP']);
      if (exitCode !== 0) throw new Error(`iptables: ${stderr}`);
    }
  }
}

/** Asks a member for its status, from inside the namespace; says nothing where nobody answers. */
const ASK = `
  const options = { method: 'POST', body: '{}', signal: AbortSignal.timeout(2000) };
  fetch(process.argv[1], options).then((answer) => answer.text()).then((text) => process.stdout.write(text), () => {});
`;

const addressOf = (number: number): string => `127.0.0.${11 + number}`;
const peerUrl = (number: number): string => `http://${addressOf(number)}:${PEER_PORT}`;

function parsed(text: string): { readonly leader: string; readonly header: { readonly member_id: string } } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
