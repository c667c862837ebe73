import { readFileSync } from 'node:fs';
import { ask, type Door } from './ask.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** What a request of somebody carries. */
export type Credentials = Readonly<Record<string, string>>;

const PASSWORD = 'correct horse battery';

/** The users of a host. */
export interface MadeUsers {
  readonly as: Readonly<Record<Role, Credentials>>;
  /** Every secret that was made or typed on the way: none may be found anywhere later. */
  readonly secrets: readonly string[];
}

/** Makes the first admin by the one-time code, two more users, and an API token for each of the three. */
export async function makeUsers(gateway: Door, codeFile: string): Promise<MadeUsers> {
  const secrets = [PASSWORD];
  const post = async (path: string, body: unknown, cookie?: string) => {
    const answer = await ask(gateway, { method: 'POST', path, body, headers: cookie === undefined ? {} : { cookie } });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return { ...answer, json: JSON.parse(answer.text) as { readonly password?: string; readonly token?: string } };
  };
  const token = async (role: Role, cookie: string | undefined) => {
    const { json } = await post('/api/tokens', { name: role, role, days: 2 }, cookie);
    secrets.push(json.token ?? '');
    return { authorization: `Bearer ${json.token}` };
  };
  const code = readFileSync(codeFile, 'utf8').trim();
  const { cookie: admin } = await post('/api/first-admin', { code, name: 'root', password: PASSWORD });
  secrets.push(code, cookieValue(admin));
  const user = async (role: Role) => {
    const { json } = await post('/api/users', { name: role, role }, admin);
    const { cookie } = await post('/api/login', { name: role, password: json.password });
    secrets.push(json.password ?? '', cookieValue(cookie));
    await post('/api/password', { current: json.password, next: PASSWORD }, cookie);
    return token(role, cookie);
  };
  const as = { admin: await token('admin', admin), operator: await user('operator'), viewer: await user('viewer') };
  return { as, secrets };
}

const cookieValue = (cookie: string | undefined): string =>
  decodeURIComponent(cookie?.split('=').slice(1).join('=') ?? '');
