import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixture/mock-test.ts';

test('names show as themselves, whatever they hold', async ({ page, complaints }) => {
  await page.goto('/kernel/?q=a%3Cb');
  await expect(page.getByRole('row', { name: /a<b>&"c/u })).toBeVisible();
  await page.goto('/kernel/?owner=foreign');
  await expect(page.getByText('office\\u{202e}txt.exe')).toBeVisible();
  await page.goto(`/set/?${new URLSearchParams({ group: 'tag:a<b>&"c' })}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('tag:a<b>&"c');
  expect(complaints).toEqual([]);
});

test('an export holds every row of the filter, in UTC, and no cell that a spreadsheet would run', async ({ page }) => {
  await page.goto('/changes/');
  await expect(page.getByRole('row', { name: /drift/u }).first()).toBeVisible();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all rows of this filter' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toMatch(/^changes-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/u);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('When,Time,Kind,By,What,Groups');
  expect(lines).toHaveLength(181);
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,/u);
  await page.goto('/sets/?q=tag:web-prod');
  await expect(page.getByRole('row', { name: /web-prod/u }).first()).toBeVisible();
  const json = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all rows of this filter' }).click();
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  const rows: unknown = JSON.parse(await readFile(await (await json).path(), 'utf8'));
  expect(rows).toHaveLength(2);
});

test('keys lead to screens and rows, help lists them, and single letters can be turned off', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('h1[data-tone]')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { level: 1, name: 'Sets', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Filter sets')).toBeFocused();
  await page.keyboard.type('state:dirty');
  await expect(page).toHaveURL(/q=state/u);
  await expect(page.getByRole('row', { name: /tag:web/u })).toBeVisible();
  await page.getByRole('grid', { name: 'Managed sets' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/set\/\?group=/u);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByLabel('Single-letter keys').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/set\/\?group=/u);
});

test('the first tab stop skips to the screen', async ({ page }) => {
  await page.goto('/runs/');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the screen' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('an address holds the whole view: filter, order, tab, selection', async ({ page, context }) => {
  await page.goto('/sets/');
  await page.getByLabel('Filter sets').fill('net:');
  await page.getByRole('button', { name: 'Desired' }).click();
  await expect(page).toHaveURL(/sort=desired.*desc=true|desc=true.*sort=desired/u);
  await expect(page.getByRole('row', { name: /net:block/u }).first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select net:block inet', exact: true }).click();
  await expect(page).toHaveURL(/sel=/u);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('region', { name: 'Chosen sets' })).toContainText('1 set chosen');
  await expect(other.getByRole('row').nth(1)).toContainText('net:block');
});

test('columns, density and theme are remembered', async ({ page }) => {
  await page.goto('/sets/');
  await expect(page.getByRole('columnheader', { name: 'Kernel name' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Kernel name' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Make rows comfortable' }).click();
  await page.getByRole('button', { name: /^Theme/u }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Make rows compact' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Kernel name' })).toHaveCount(0);
});

test('a narrow window reads without a sideways scroll of the page', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [
    '/',
    '/sets/',
    '/set/?group=tag:web',
    '/run/?id=r-2040',
    '/leftovers/',
    '/references/',
    '/held/',
    '/sources/',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});
