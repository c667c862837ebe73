import type { Page } from '@playwright/test';
import { expect, test } from '../fixture/host-test.ts';
import { herd, writeHerd } from '../fixture/make-trouble.ts';

/** What an operator does in the browser is what the kernel holds afterwards. */
test.describe.configure({ mode: 'serial' });
test.use({ agent: { guard: { removedMin: 3 }, sets: { maxelem: 8 } } });

const dialogOf = (page: Page) => page.getByRole('dialog');

/** Writes declared objects while a dialog is open, as somebody else would. */
const putByAnotherHand = (page: Page, documents: string) =>
  page.evaluate(async (body) => {
    const answer = await fetch('/api/trpc/model.put', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }, JSON.stringify({ documents }));

/** Fills a reason and presses the button of a dialog; it closes when the agent has done it. */
async function sendWithReason(page: Page, reason: string, button: string): Promise<void> {
  await dialogOf(page).getByLabel('Reason, kept in the audit').fill(reason);
  await dialogOf(page).getByRole('button', { name: button, exact: true }).click();
  await expect(dialogOf(page)).toHaveCount(0);
}

test('a held change is rejected: the kernel keeps its members, and the screen says so', async ({ page, host }) => {
  await writeHerd(host, 4);
  await page.goto('/held/');
  await page.getByRole('button', { name: 'Reject…' }).click();
  await sendWithReason(page, 'not meant', 'Reject');
  await expect(page.getByText('rejected until its source changes').first()).toBeVisible();
  expect(await host.namespace.ipset(['save', 'sk-v4-t.herd'])).toContain('10.66.0.8');
});

test('held again by the next change, it is released, and only then the members leave', async ({ page, host }) => {
  await writeHerd(host, 8);
  await page.goto('/held/');
  await expect(page.getByText('Nothing is held')).toBeVisible();
  await writeHerd(host, 3);
  await page.getByRole('button', { name: 'Release once…' }).click();
  expect(await host.namespace.ipset(['save', 'sk-v4-t.herd'])).toContain('10.66.0.8');
  await dialogOf(page).getByLabel('Type 5 to confirm').fill('5');
  await dialogOf(page).getByRole('button', { name: 'Remove 5 members' }).click();
  await expect(dialogOf(page).getByRole('status')).toContainText('succeeded');
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByText('Nothing is held')).toBeVisible();
  const saved = await host.namespace.ipset(['save', 'sk-v4-t.herd']);
  expect(herd.filter((address) => saved.includes(`${address}\n`))).toEqual(herd.slice(0, 3));
});

test('an address is excluded for a time, and comes back when the override is removed', async ({ page, host }) => {
  await page.goto('/overrides/');
  await page.getByRole('button', { name: 'Add or exclude…' }).click();
  await dialogOf(page).getByLabel('Group').fill('tag:web');
  await dialogOf(page).getByLabel('Address').fill('10.65.0.3');
  await sendWithReason(page, 'customer cut off', 'Exclude');
  await expect(page.getByRole('row', { name: /10\.65\.0\.3/u })).toContainText('customer cut off');
  await expect.poll(() => host.namespace.ipset(['save', 'sk-v4-t.web'])).not.toContain('10.65.0.3\n');
  await page.goto('/find/?q=10.65.0.3&group=tag:web');
  await expect(page.getByRole('main').getByText(/10\.65\.0\.3 is NOT in tag:web/u)).toBeVisible();
  await page.goto('/overrides/');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await dialogOf(page).getByRole('button', { name: 'End it now' }).click();
  await expect(page.getByText('No override is in force')).toBeVisible();
  await expect.poll(() => host.namespace.ipset(['save', 'sk-v4-t.web'])).toContain('10.65.0.3\n');
});

test('under a hold nothing is programmed; when it ends, what waited is', async ({ page, host, editModel }) => {
  await page.goto('/set/?group=tag:db&family=inet');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Hold…' }).click();
  await sendWithReason(page, 'vendor migration', 'Hold');
  await expect(page.getByText('On hold: nothing of it is programmed or repaired')).toBeVisible();
  await editModel('endpoints.yaml', '[10.65.0.10]', '[10.65.0.10, 10.65.0.12]');
  await expect(page.getByRole('tab', { name: 'Pending 1' })).toBeVisible();
  expect(await host.namespace.ipset(['save', 'sk-v4-t.db'])).not.toContain('10.65.0.12');
  await page.goto('/holds/');
  await expect(page.getByRole('row', { name: /tag:db/u })).toContainText('vendor migration');
  await page.getByRole('button', { name: 'End…' }).click();
  await dialogOf(page).getByRole('button', { name: 'End the hold' }).click();
  await expect(page.getByText('Nothing is on hold')).toBeVisible();
  await expect.poll(() => host.namespace.ipset(['save', 'sk-v4-t.db'])).toContain('10.65.0.12\n');
});

test('a pin names who holds a group, and goes again', async ({ page }) => {
  await page.goto('/set/?group=tag:frontend&tab=references');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pin…' }).click();
  await sendWithReason(page, 'rules are written by hand', 'Pin');
  const reference = page.getByRole('listitem').filter({ hasText: 'rules are written by hand' });
  await expect(reference).toBeVisible();
  await reference.getByRole('button', { name: 'Unpin' }).click();
  await expect(reference).toHaveCount(0);
});

test('declared objects are checked while one types, written, edited and deleted', async ({ page, host }) => {
  await page.goto('/sources/');
  await page.getByRole('button', { name: 'Edit declared objects…' }).click();
  const text = dialogOf(page).getByLabel('Documents, YAML or JSON');
  await text.fill('lists:\n  guests: { memebrs: ["tag:web"] }\n');
  await expect(dialogOf(page).getByRole('status')).toContainText(/line \d/u);
  await text.fill('lists:\n  guests: { members: ["tag:web"], note: "for the lobby" }\n');
  await expect(dialogOf(page).getByText('The agent finds no fault')).toBeVisible();
  await dialogOf(page).getByRole('button', { name: 'Put' }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect.poll(() => host.namespace.ipset(['list', '-n'])).toContain('sk-l.guests');
  expect(await host.namespace.ipset(['save', 'sk-l.guests'])).toContain('add sk-l.guests sk-v4-t.web\n');

  await page.goto('/lists/?id=guests');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('for the lobby');
  await details.getByRole('button', { name: 'Edit guests' }).click();
  await expect(dialogOf(page).getByLabel('Documents, YAML or JSON')).toHaveValue(/"tag:web"/u);
  await putByAnotherHand(page, 'lists:\n  guests: { members: ["tag:herd"] }\n');
  await text.fill('lists:\n  guests: { members: ["tag:web", "tag:db"] }\n');
  await dialogOf(page).getByRole('button', { name: 'Put' }).click();
  await expect(dialogOf(page).getByRole('alert')).toContainText('The declared objects changed');
  await dialogOf(page).getByRole('button', { name: 'Drop this text and read it again' }).click();
  await expect(text).toHaveValue(/"tag:herd"/u);
  await dialogOf(page)
    .getByLabel('Documents, YAML or JSON')
    .fill('lists:\n  guests: { members: ["tag:web", "tag:db"] }\n');
  await dialogOf(page).getByRole('button', { name: 'Put' }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect.poll(() => host.namespace.ipset(['save', 'sk-l.guests'])).toContain('sk-v4-t.db');
  await details.getByRole('button', { name: 'Delete guests' }).click();
  await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(details).toContainText('no list of this id');
  await expect.poll(() => host.namespace.ipset(['list', '-n'])).not.toContain('sk-l.guests');
});

test('a gateway that goes and comes back is said, and the page goes on by itself', async ({ page, host }) => {
  await page.goto('/sets/');
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  await host.restartGateway();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('alert').filter({ hasText: 'does not answer' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toContainText('in-sync');
});

test('the charts go on over a restart of the agent, and say since when there are times', async ({ page, host }) => {
  await host.killAgent();
  await host.startAgent();
  await page.goto('/?view=table');
  await expect(page.locator('h1[data-tone]')).toBeVisible();
  const before = page.getByRole('region', { name: 'Runs and times as numbers' }).getByRole('row');
  await expect(before.filter({ hasText: /\t?[1-9]\d*/u }).first()).toBeVisible();
  const counts = await before.locator('td:nth-child(2)').allTextContents();
  expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBeGreaterThan(1);
  await page.goto('/');
  await expect(page.getByText('since the agent started')).toBeVisible();
});
