import { expectAccessible } from '../fixture/accessible.ts';
import { expect, test } from '../fixture/host-test.ts';

test.describe.configure({ mode: 'serial' });
test.use({ logins: true });

const password = 'correct horse battery staple';
let firstPassword = '';

test('the one-time code makes the first admin, who comes to the page that was asked for', async ({ page, host }) => {
  await page.goto('/sets/?q=web');
  await expect(page).toHaveURL(/\/login\/\?back=/u);
  await expectAccessible(page);
  await page.getByLabel('One-time code').fill('wrong');
  await page.getByLabel('Name').fill('root-of-all');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make the first admin' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No user was made' })).toContainText('The code is wrong');
  await page.getByLabel('One-time code').fill(await host.firstAdminCode());
  await page.getByRole('button', { name: 'Make the first admin' }).click();
  await expect(page).toHaveURL(/\/sets\/\?q=web/u);
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /root-of-all · admin/u })).toBeVisible();

  await page.goto('/users/');
  await page.getByRole('button', { name: 'Add a user…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('vera');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  firstPassword =
    (await page
      .getByRole('dialog', { name: 'First password of vera' })
      .getByRole('paragraph')
      .locator('bdi')
      .textContent()) ?? '';
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await expect(page.getByRole('row', { name: /vera/u }).first()).toContainText('viewer');
  await expectAccessible(page);
});

test('a wrong password is refused; a first password must be changed; a viewer is offered no act', async ({ page }) => {
  await page.goto('/login/?back=/leftovers/');
  await page.getByLabel('Name').fill('vera');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not logged in' })).toContainText(
    'The name or the password is wrong',
  );
  await page.getByLabel('Password').fill(firstPassword);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Present password').fill(firstPassword);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again').fill(password);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page).toHaveURL(/\/leftovers\/$/u);
  await expect(page.getByText('There is no leftover')).toBeVisible();
  await page.goto('/set/?group=tag:web');
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u })).toBeVisible();
  await expect(page.getByRole('button', { name: /Reprogram|More/u })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Users' })).toHaveCount(0);
  await page.goto('/users/');
  await expect(page.getByText('Your role is viewer. Ask an admin.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a user…' })).toHaveCount(0);
});

test('a session that ends elsewhere is said, and the page stays', async ({ page, context }) => {
  await page.goto('/login/');
  await page.getByLabel('Name').fill('vera');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.locator('h1[data-tone]')).toBeVisible();
  await page.goto('/sets/');
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  await context.request.post('/api/logout', { data: {}, headers: { origin: new URL(page.url()).origin } });
  await expect(page.getByRole('button', { name: 'signed out' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'This session has ended' })).toBeVisible();
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toBeVisible();
});
