import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixture/mock-test.ts';

/** Counts the questions that a page asks of one verb. */
function countOf(page: Page, verb: string): () => number {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes(`/api/trpc/${verb}`)) asked += 1;
  });
  return () => asked;
}

test('two thousand events ask for a list a few times, and the last state is shown', async ({ page, mock }) => {
  const asked = countOf(page, 'sets.list');
  await page.goto('/sets/');
  await expect(page.getByRole('row', { name: /hosts:all/u }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  const before = asked();
  await mock.change({ storm: 2_000, role: 'viewer' });
  await expect.poll(asked).toBeGreaterThan(before);
  await mock.change({ storm: 1 });
  await expect.poll(asked).toBeGreaterThan(before + 1);
  expect(asked() - before).toBeLessThan(8);
});

test('a paused list stands still, counts what comes, and catches up', async ({ page, mock }) => {
  await page.goto('/runs/');
  await expect(page.getByRole('row', { name: /r-2041/u })).toBeVisible();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause the list' }).click();
  await expect(page.getByRole('button', { name: 'paused', exact: true })).toBeVisible();
  await page.evaluate(async () => {
    await fetch('/api/trpc/sets.reprogram', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ groups: ['net:corp'] }),
    });
  });
  await expect(page.getByRole('button', { name: /Paused · [1-9]\d* new/u })).toBeVisible();
  await expect(page.getByRole('row', { name: /reprogram.*local/u })).toHaveCount(0);
  await mock.change({});
  await page.getByRole('button', { name: /Paused/u }).click();
  await expect(page.getByRole('row', { name: /reprogram.*local/u }).first()).toBeVisible();
});

test('a hundred thousand sets and a million members keep few rows and a bounded heap', async ({ page, mock }) => {
  await mock.change({ scenario: 'huge' });
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await page.goto('/sets/');
  const grid = page.getByRole('grid', { name: 'Managed sets' });
  await expect(grid).toHaveAttribute('aria-rowcount', '100001');
  const before = await heap();
  await grid.focus();
  for (let page_ = 0; page_ < 15; page_ += 1) await page.keyboard.press('End');
  await expect(grid.getByRole('row', { name: /service-0/u }).first()).toBeVisible();
  expect(await grid.getByRole('row').count()).toBeLessThan(80);
  await page.getByRole('button', { name: 'Group' }).click();
  await expect(grid.getByRole('row', { name: /service-099999/u })).toBeVisible();

  await page.goto('/set/?group=tag:web&family=inet');
  const members = page.getByRole('grid', { name: 'Members' });
  await expect(members).toHaveAttribute('aria-rowcount', '1000001');
  await members.focus();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('End');
    await expect(members.getByText('on its way')).toHaveCount(0);
  }
  expect(await members.getByRole('row').count()).toBeLessThan(80);
  expect((await heap()) - before).toBeLessThan(60 * 1024 * 1024);
});

test('the first screen needs at most 250 kB of script, compressed', async ({ page }) => {
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await page.goto('/');
  await expect(page.locator('h1[data-tone]')).toBeVisible();
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeLessThanOrEqual(250_000);
});
