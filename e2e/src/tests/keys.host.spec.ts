import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointLines } from '../fixture/edit-model.ts';
import { expect, test } from '../fixture/host-test.ts';
import { addRule, makeLeftover, writeHerd } from '../fixture/make-trouble.ts';
import { tabTo } from '../fixture/tab-to.ts';

/** The six journeys of an operator by keyboard alone, on a real kernel where changes wait to be applied. */
test.describe.configure({ mode: 'serial' });
test.use({
  waits: true,
  agent: {
    guard: { removedMin: 3 },
    sets: { maxelem: 8, apply: 'manual' },
    resync: { headersSeconds: 0, membersSeconds: 0, repair: false },
  },
});

test('applies what is pending', async ({ page, host }) => {
  await page.goto('/pending/');
  await tabTo(page, 'Apply exactly this…');
  await page.keyboard.press('Enter');
  const all = page.getByRole('dialog', { name: 'Apply what is pending' });
  await tabTo(page, /Type \d+ to confirm/u, 'textbox');
  const label = (await all.getByText(/Type \d+ to confirm/u).textContent()) ?? '';
  await page.keyboard.type(/\d+/u.exec(label)?.[0] ?? '');
  await tabTo(page, /^Send \d+ lines/u);
  await page.keyboard.press('Enter');
  await expect(all.getByRole('status')).toContainText('succeeded');
  await page.keyboard.press('Escape');

  await writeFile(
    join(host.model, 'late.yaml'),
    `endpoints:\n${endpointLines('node-e2e/web-9/eth0', 'web', '10.65.0.9')}`,
  );
  await page.goto('/set/?group=tag:web&family=inet');
  await tabTo(page, 'Apply pending…');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Send \d+ lines to 1 set$/u);
  expect(await host.namespace.ipset(['save', 'sk-v4-t.web'])).not.toContain('10.65.0.9');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  expect(await host.namespace.ipset(['save', 'sk-v4-t.web'])).toContain('add sk-v4-t.web 10.65.0.9\n');
});

test('reprograms a set', async ({ page, host }) => {
  await page.goto('/set/?group=net:corp');
  await tabTo(page, 'Reprogram…');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Write whole sets again' });
  await tabTo(page, /Type 2 to confirm/u, 'textbox');
  await page.keyboard.type('2');
  await tabTo(page, /^Send \d+ lines to 2 sets$/u);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  expect(await host.namespace.ipset(['save', 'sk-v4-n.corp'])).toContain('10.1.0.0/16 nomatch');
});

test('cleans up a leftover', async ({ page, host }) => {
  await makeLeftover(host, 'sk-v4-t.orphan');
  await page.goto('/leftovers/');
  await tabTo(page, /^Clean up .*eligible…$/u);
  await page.keyboard.press('Enter');
  await tabTo(page, /Type 1 to confirm/u, 'textbox');
  await page.keyboard.type('1');
  await tabTo(page, 'Destroy 1 set');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 set destroyed, 0 kept');
  expect(await host.namespace.ipset(['list', '-n'])).not.toContain('sk-v4-t.orphan');
});

test('finds an address from any screen', async ({ page, host }) => {
  await addRule(host, 'sk-v4-t.web', 'ACCEPT');
  await page.goto('/doctor/');
  await expect(page.getByRole('heading', { level: 1, name: 'Doctor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('10.65.0.9');
  await expect(page.getByRole('option', { name: /Find 10\.65\.0\.9/u })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByText(/10\.65\.0\.9 is in tag:web.*late\.yaml/u)).toBeVisible();
  await expect(page.getByRole('main').getByText(/INPUT/u).first()).toBeVisible();
});

test('releases what is held', async ({ page, host }) => {
  await writeHerd(host, 4);
  await page.goto('/held/');
  await tabTo(page, 'Release once…');
  expect(await host.namespace.ipset(['save', 'sk-v4-t.herd'])).toContain('10.66.0.8');
  await page.keyboard.press('Enter');
  await tabTo(page, /Type 4 to confirm/u, 'textbox');
  await page.keyboard.type('4');
  await tabTo(page, 'Remove 4 members');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Released/u }).getByRole('status')).toContainText('succeeded');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing is held')).toBeVisible();
  expect(await host.namespace.ipset(['save', 'sk-v4-t.herd'])).not.toContain('10.66.0.5');
});

test('goes to the failed line of a run and has it retried, as a run of its own', async ({ page, host }) => {
  await writeFile(join(host.model, 'guests.yaml'), 'lists:\n  guests: { members: ["tag:db"] }\n');
  await page.goto('/set/?group=list:guests');
  await tabTo(page, 'Apply pending…');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Send \d+ lines to 1 set$/u);
  await host.namespace.ipset(['destroy', 'sk-v4-t.db']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 rejected');
  await page.keyboard.press('Escape');
  await page.goto('/runs/');
  await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1)).toContainText('partly');
  await tabTo(page, 'Runs', 'grid');
  await page.keyboard.press('Enter');
  const failed = page.getByRole('row', { name: /add sk-l\.guests sk-v4-t\.db/u });
  await expect(failed).toContainText('Set to be added/deleted/tested as element does not exist');
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/line=\d/u);
  const before = new URL(page.url()).searchParams.get('id');
  await tabTo(page, 'Retry 1', 'button', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(before);
  await expect(page.getByRole('main').getByText(`retry (${before}) by local`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('0 uncertain');
});
