import type { Page } from '@playwright/test';
import { expect, test } from '../fixture/mock-test.ts';
import { tabTo } from '../fixture/tab-to.ts';

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

test.describe('keyboard alone', () => {
  test('applies what is pending, and sees the run succeed', async ({ page }) => {
    await page.goto('/set/?group=tag:web');
    await tabTo(page, 'Apply pending…');
    await page.keyboard.press('Enter');
    await expect(dialogOf(page, 'Apply what is pending')).toContainText('4 lines to 1 set: 3 added, 1 removed');
    await tabTo(page, 'Send 4 lines to 1 set');
    await page.keyboard.press('Enter');
    await expect(dialogOf(page, 'Apply what is pending').getByRole('status')).toContainText(
      '4 applied, 0 rejected, 0 uncertain',
    );
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tab', { name: 'Pending 0' })).toBeVisible();
  });

  test('reprograms a set, after the exact script was shown', async ({ page }) => {
    await page.goto('/set/?group=net:corp');
    await tabTo(page, 'Reprogram…');
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, 'Write whole sets again');
    await expect(dialog.getByText('add sk-tmp-0 11.0.0.0/24', { exact: true })).toBeHidden();
    await tabTo(page, /net:corp inet /u);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('add sk-tmp-0 11.0.0.0/24', { exact: true })).toBeVisible();
    await tabTo(page, /Type 2 to confirm/u, 'textbox');
    await page.keyboard.type('2');
    await tabTo(page, /Send 51 lines to 2 sets/u);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('status')).toContainText('51 applied');
  });

  test('chooses two sets by a range of rows and reprograms them', async ({ page }) => {
    await page.goto('/sets/?q=net:corp');
    await expect(page.getByRole('row', { name: /net:corp/u })).toHaveCount(2);
    await tabTo(page, 'Managed sets', 'grid');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByRole('region', { name: 'Chosen sets' })).toContainText('2 sets chosen');
    await expect(page).toHaveURL(/sel=/u);
  });

  test('cleans up leftovers after typing how many', async ({ page }) => {
    await page.goto('/leftovers/');
    await tabTo(page, 'Clean up all 3 eligible…');
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, 'Clean up leftovers');
    await expect(dialog.getByRole('region', { name: 'Script' })).toContainText('destroy sk-v4-t.old-shop');
    await tabTo(page, 'Destroy 3 sets');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('region', { name: 'Script' })).toBeVisible();
    await tabTo(page, /Type 3 to confirm/u, 'textbox');
    await page.keyboard.type('3');
    await tabTo(page, 'Destroy 3 sets');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('3 sets destroyed, 0 kept');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('row', { name: /old-shop/u })).toHaveCount(0);
    await expect(page.getByText('sk-v4-t.legacy-api', { exact: true })).toBeVisible();
  });

  test('finds an address from any screen in two steps', async ({ page }) => {
    await page.goto('/audit/');
    await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('203.0.113.9');
    await expect(page.getByRole('option', { name: /Find 203\.0\.113\.9/u })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(
      page.getByText('203.0.113.9 is in f2b-sshd (foreign, fail2ban by its name), used by INPUT rule 3 DROP'),
    ).toBeVisible();
  });

  test('releases what is held, after typing how many members leave', async ({ page }) => {
    await page.goto('/held/');
    await tabTo(page, 'Release once…');
    await page.keyboard.press('Enter');
    await tabTo(page, /Type 9,310 to confirm/u, 'textbox');
    await page.keyboard.type('9310');
    await tabTo(page, 'Remove 9,310 members');
    await page.keyboard.press('Enter');
    await expect(dialogOf(page, 'Released held-17').getByRole('status')).toContainText('succeeded');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Nothing is held')).toBeVisible();
  });

  test('walks through the failed lines of a run and retries it', async ({ page }) => {
    await page.goto('/run/?id=r-2040');
    await expect(page.getByText('50 of its operations are still not in force: net:block is not')).toBeVisible();
    const grid = page.getByRole('grid', { name: 'Script with outcomes' });
    await expect(grid.getByText('Hash is full, cannot add more elements').first()).toBeVisible();
    for (const _first of [9951, 9952, 9953]) await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/line=9953/u);
    await page.keyboard.press('p');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/line=9952/u);
    await tabTo(page, 'Retry 50', 'button', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/id=r-20[4-9]\d/u);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('succeeded');
  });
});

test('a plan that changed is refused, nothing is sent, and the new one is shown with what changed', async ({
  page,
  mock,
}) => {
  await page.goto('/set/?group=tag:web');
  await page.getByRole('button', { name: 'Apply pending…' }).click();
  const dialog = dialogOf(page, 'Apply what is pending');
  await expect(dialog.getByText('del sk-v4-t.web 10.65.3.132', { exact: true })).toBeVisible();
  await mock.change({ bumpRevision: true });
  await dialog.getByRole('button', { name: 'Send 4 lines to 1 set' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing was sent: the plan changed while you looked');
  await dialog.getByRole('button', { name: 'Send 4 lines to 1 set' }).click();
  await expect(dialog.getByRole('status')).toContainText('4 applied');
});

test('one set needs one press, several need their number typed', async ({ page }) => {
  await page.goto('/set/?group=tag:web');
  await page.getByRole('button', { name: 'Apply pending…' }).click();
  await expect(page.getByLabel(/to confirm/u)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.goto('/pending/');
  await page.getByRole('button', { name: 'Apply exactly this…' }).click();
  const send = page.getByRole('button', { name: /Send \d+ lines to 2 sets/u });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel(/Type 2 to confirm/u).fill('2');
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
});

test('the focus goes back to where it was when a dialog closes', async ({ page }) => {
  await page.goto('/set/?group=tag:web');
  const opener = page.getByRole('button', { name: 'Reprogram…' });
  await opener.click();
  await expect(dialogOf(page, 'Write whole sets again')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('a viewer sees everything and is offered no act', async ({ page, mock }) => {
  await mock.change({ role: 'viewer' });
  await page.goto('/set/?group=tag:web');
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Apply|Reprogram|More/u })).toHaveCount(0);
  await page.goto('/leftovers/');
  await expect(page.getByRole('row', { name: /old-shop/u })).toHaveCount(2);
  await expect(page.getByRole('button', { name: /Clean up/u })).toHaveCount(0);
});

test('an act that the agent does not allow now stays, with its reason', async ({ page }) => {
  await page.goto('/set/?group=tag:stock');
  const apply = page.getByRole('button', { name: 'Apply pending…' });
  await expect(apply).toHaveAttribute('aria-disabled', 'true');
  await expect(apply).toHaveAttribute('title', 'maria stopped programming it until 06:00');
});

test('an override, a hold and a pin ask for a reason first', async ({ page }) => {
  await page.goto('/overrides/');
  await page.getByRole('button', { name: 'Add or exclude…' }).click();
  const dialog = dialogOf(page, 'Exclude an address for a time');
  await dialog.getByLabel('Group').fill('tag:web');
  await dialog.getByLabel('Address').fill('192.0.2.9');
  const send = dialog.getByRole('button', { name: 'Exclude', exact: true });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Reason, kept in the audit').fill('ticket 1');
  await send.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /192\.0\.2\.9/u })).toBeVisible();
});
