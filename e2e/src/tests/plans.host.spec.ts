import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Page } from '@playwright/test';
import { endpointLines } from '../fixture/edit-model.ts';
import { expect, test } from '../fixture/host-test.ts';
import { tabTo } from '../fixture/tab-to.ts';

/** What is chosen, planned and exported, on a real kernel where changes wait to be applied. */
test.describe.configure({ mode: 'serial' });
test.use({ waits: true, agent: { sets: { maxelem: 131_072, apply: 'manual' } } });

/** Adds an endpoint of `tag:web` in a file of its own. */
const addWeb = (model: string, name: string, ipv4: string) =>
  writeFile(join(model, `${name}.yaml`), `endpoints:\n${endpointLines(`node-e2e/${name}/eth0`, 'web', ipv4)}`);

/** Waits until the agent would send a text that contains this. */
const untilPlanned = (page: Page, text: string) =>
  expect
    .poll(async () => (await page.request.get(`/api/trpc/plan.get?input=${encodeURIComponent('{"all":true}')}`)).text())
    .toContain(text);

async function exported(page: Page, format: 'CSV' | 'JSON'): Promise<string> {
  const waiting: Promise<Download> = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all rows of this filter' }).click();
  await page.getByRole('menuitem', { name: `Export as ${format}` }).click();
  return readFile(await (await waiting).path(), 'utf8');
}

test('all that match are those that matched then: a set that comes later is not touched', async ({ page, host }) => {
  await page.goto('/sets/?q=tag:');
  await expect(page.getByRole('row', { name: /tag:web inet6/u })).toBeVisible();
  await tabTo(page, 'Managed sets', 'grid');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  const bar = page.getByRole('region', { name: 'Chosen sets' });
  await expect(bar).toContainText('2 sets chosen');
  await bar.getByRole('button', { name: 'Choose all 8 that match' }).click();
  await expect(bar).toContainText('8 sets chosen');

  await writeFile(
    join(host.model, 'late.yaml'),
    `profiles:\n  late: { tags: [late] }\nendpoints:\n${endpointLines('node-e2e/late/eth0', 'late', '10.65.0.77')}`,
  );
  await expect(page.getByRole('row', { name: /tag:late inet6/u })).toBeVisible();
  await bar.getByRole('button', { name: 'Apply pending…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply what is pending' });
  await dialog.getByLabel(/Type 8 to confirm/u).fill('8');
  await dialog.getByRole('button', { name: /^Send \d+ lines to 8 sets$/u }).click();
  await expect(dialog.getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  const kernel = await host.namespace.ipset(['save']);
  expect(kernel).toContain('add sk-v4-t.web 10.65.0.2\n');
  expect(kernel).not.toContain('sk-v4-t.late');
});

test('a plan that changed is refused, the kernel is untouched, and the new one is shown with what changed', async ({
  page,
  host,
}) => {
  await addWeb(host.model, 'web-8', '10.65.0.8');
  await page.goto('/set/?group=tag:web&family=inet');
  await page.getByRole('button', { name: 'Apply pending…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply what is pending' });
  await expect(dialog.getByText('add sk-v4-t.web 10.65.0.8', { exact: true })).toBeVisible();
  await addWeb(host.model, 'web-9', '10.65.0.9');
  await untilPlanned(page, 'add sk-v4-t.web 10.65.0.9');
  await dialog.getByRole('button', { name: /^Send \d+ lines to 1 set$/u }).click();
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('Nothing was sent: the plan changed while you looked');
  await expect(refusal).toContainText('tag:web inet: +1 −0 became +2 −0');
  expect(await host.namespace.ipset(['save', 'sk-v4-t.web'])).not.toContain('10.65.0.8');
  await dialog.getByRole('button', { name: /^Send \d+ lines to 1 set$/u }).click();
  await expect(dialog.getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  const kernel = await host.namespace.ipset(['save', 'sk-v4-t.web']);
  for (const address of ['10.65.0.8', '10.65.0.9']) expect(kernel).toContain(`add sk-v4-t.web ${address}\n`);
});

test('an export holds the rows of the filter, all of them and no other', async ({ page }) => {
  await page.goto('/sets/?q=tag:&family=inet');
  await expect(page.getByRole('row', { name: /tag:web inet/u })).toBeVisible();
  const [header, ...lines] = (await exported(page, 'CSV')).trim().split('\r\n');
  expect(header).toContain('Kernel name');
  expect(lines.map((line) => /tag:[a-z]+/u.exec(line)?.[0]).sort()).toEqual([
    'tag:db',
    'tag:frontend',
    'tag:herd',
    'tag:late',
    'tag:web',
  ]);
  await page.goto('/set/?group=tag:web&family=inet&q=10.65.0.8');
  await expect(page.getByRole('row', { name: /10\.65\.0\.8/u })).toBeVisible();
  const members: unknown = JSON.parse(await exported(page, 'JSON'));
  expect(members).toEqual([expect.objectContaining({ member: '10.65.0.8' })]);
});

test('hundreds of changes ask for a list a few times, and the last of them is shown', async ({ page }) => {
  const writes = 400;
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/trpc/sets.members')) asked += 1;
  });
  await page.goto('/set/?group=tag:web&family=inet');
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u })).toBeVisible();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  const before = asked;
  await page.evaluate(async (count) => {
    for (let write = 1; write <= count; write += 1) {
      const address = `10.67.${write >> 8}.${write & 255}`;
      const answer = await fetch('/api/trpc/model.put', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          documents: JSON.stringify({ endpoints: { 'node-e2e/flood/eth0': { profiles: ['web'], ipv4: [address] } } }),
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
  }, writes);
  await expect(page.getByRole('row', { name: /10\.67\.1\.144/u })).toBeVisible();
  await expect(page.getByRole('row', { name: /10\.67\./u })).toHaveCount(1);
  expect(asked - before).toBeLessThan(writes / 10);
});

test('a plan of a hundred thousand lines opens with few rows, is searched whole, and is carried out', async ({
  page,
  host,
}) => {
  const endpoints = Object.fromEntries(
    Array.from({ length: 400 }, (_, third) => [
      `node-e2e/big-${third}/eth0`,
      {
        profiles: ['big'],
        ipv4: Array.from({ length: 250 }, (_address, last) => `10.${80 + (third >> 8)}.${third & 255}.${last + 1}`),
      },
    ]),
  );
  await writeFile(join(host.model, 'big.json'), JSON.stringify({ profiles: { big: { tags: ['big'] } }, endpoints }));
  await page.goto('/set/?group=tag:big&family=inet');
  await page.getByRole('button', { name: 'Apply pending…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply what is pending' });
  await expect(dialog).toContainText('100,000 added, 0 removed');
  await dialog.getByRole('button', { name: /^tag:big inet / }).click();
  const lines = dialog.getByRole('grid', { name: 'Lines for sk-v4-t.big' });
  await expect(lines.getByText('add sk-v4-t.big 10.80.0.1', { exact: true })).toBeVisible();
  await expect(lines).toHaveAttribute('aria-rowcount', '100002');
  expect(await dialog.getByRole('row').count()).toBeLessThan(80);
  await dialog.getByRole('searchbox', { name: 'Search the script' }).fill('10.81.143.250');
  const found = dialog.getByRole('grid', { name: 'Lines that hold the text' });
  await expect(found.getByText('Add 10.81.143.250 to sk-v4-t.big.')).toBeVisible();
  await expect(found.getByRole('row')).toHaveCount(2);
  await dialog.getByLabel(/Type 2 to confirm/u).fill('2');
  await dialog.getByRole('button', { name: /^Send 100,00\d lines to 2 sets$/u }).click();
  await expect(dialog.getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  expect(await host.namespace.ipset(['list', '-t', 'sk-v4-t.big'])).toContain('Number of entries: 100000\n');
});
