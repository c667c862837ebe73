import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { consoleDirectory, mockServer } from './mock/mock-server.ts';

/** A picture of the console for the documents. */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** What must be there before it is taken. */
  readonly shows: string;
  readonly press?: string;
}

const pictures: readonly Picture[] = [
  { name: 'overview-light', path: '/', theme: 'light', shows: 'What is wanted' },
  { name: 'overview-dark', path: '/', theme: 'dark', shows: 'What is wanted' },
  {
    name: 'overview-narrow',
    path: '/',
    theme: 'light',
    shows: 'What is wanted',
    size: { width: 320, height: 800 },
  },
  { name: 'find-light', path: '/find/?q=203.0.113.9&group=tag:web', theme: 'light', shows: 'is NOT in tag:web' },
  { name: 'sets-light', path: '/sets/', theme: 'light', shows: 'hosts:all' },
  { name: 'run-light', path: '/run/?id=r-2040', theme: 'light', shows: 'add sk-v4-n.block 12.17.62.0/24' },
  {
    name: 'plan-dark',
    path: '/set/?group=tag:web',
    theme: 'dark',
    press: 'Apply pending…',
    shows: 'del sk-v4-t.web 10.65.3.132',
  },
  { name: 'held-light', path: '/held/', theme: 'light', shows: 'Would leave' },
  { name: 'leftovers-dark', path: '/leftovers/', theme: 'dark', shows: 'sk-v4-t.legacy-api' },
];

/** Where they are kept. */
const directory = join(import.meta.dirname, '../../docs/screenshots');

const server = await mockServer({ scenario: 'trouble', consoleDirectory });
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo;
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
await mkdir(directory, { recursive: true });
for (const picture of pictures) {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    colorScheme: picture.theme,
    viewport: picture.size ?? { width: 1440, height: 900 },
  });
  await take(await context.newPage(), picture);
  await context.close();
  console.log(picture.name);
}
await browser.close();
await server.close();

async function take(page: Page, { name, path, press, shows }: Picture): Promise<void> {
  await page.goto(path);
  if (press !== undefined) await page.getByRole('button', { name: press }).click();
  await page.getByText(shows).first().waitFor();
  await page.getByRole('button', { name: 'live' }).waitFor();
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled', caret: 'hide' });
}
