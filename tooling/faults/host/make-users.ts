import { readFileSync } from 'node:fs';
import { ask, type Door } from './ask.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** What a request of somebody carries. */
export type Credentials = Readonly<Record<string, string>>;

const PASSWORD = 'correct horse battery';

/** Makes the first admin by the one-time code, two more users, and an API token for each of the three. */
export async function makeUsers(gateway: Door, codeFile: string): Promise<Readonly<Record<Role, Credentials>>> {
  const post = async (path: string, body: unknown, cookie?: string) => {
    const answer = await ask(gateway, { method: 'POST', path, body, headers: cookie === undefined ? {} : { cookie } });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return { ...answer, json: JSON.parse(answer.text) as { readonly password?: string; readonly token?: string } };
  };
  const token = async (role: Role, cookie: string | undefined) => {
    const { json } = await post('/api/tokens', { name: role, role, days: 2 }, cookie);
    return { authorization: `Bearer ${json.token}` };
  };
  const code = readFileSync(codeFile, 'utf8').trim();
  const { cookie: admin } = await post('/api/first-admin', { code, name: 'root', password: PASSWORD });
  const user = async (role: Role) => {
    const { json } = await post('/api/users', { name: role, role }, admin);
    const { cookie } = await post('/api/login', { name: role, password: json.password });
    await post('/api/password', { current: json.password, next: PASSWORD }, cookie);
    return token(role, cookie);
  };
  return { admin: await token('admin', admin), operator: await user('operator'), viewer: await user('viewer') };
}
