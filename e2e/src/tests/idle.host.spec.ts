import { expect, test } from '../fixture/host-test.ts';
import { firstAdmin, password } from '../fixture/log-in.ts';

/** Sessions of this gateway end after nine seconds in which nobody does anything. */
test.use({ logins: true, gateway: { session: { idleMinutes: 0.15 } } });

test('a session ends when nobody does anything, though the page asks by itself; it stays, and one comes back to it', async ({
  page,
  context,
  host,
}) => {
  const ada = await firstAdmin(host);
  await ada.enter(context);
  await page.goto('/set/?group=tag:web&family=inet');
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u })).toBeVisible();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();

  const banner = page.getByRole('alert').filter({ hasText: 'This session has ended' });
  await expect(banner).toBeVisible();
  await expect(page.getByRole('button', { name: 'signed out' })).toBeVisible();
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u })).toBeVisible();

  await banner.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/set\/\?group=tag:web&family=inet$/u);
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
});
