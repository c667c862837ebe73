import { expect, test } from '../fixture/mock-test.ts';

const headline = 'h1[data-tone]';

test('says in the first line what is wrong, and never in green', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator(headline)).toHaveText(/sets are NOT what the model says/u);
  await expect(page.locator(headline)).toHaveAttribute('data-tone', 'bad');
});

test('says that all is well, and what is held, each in its own tone', async ({ page, mock }) => {
  await mock.change({ scenario: 'calm' });
  await page.goto('/');
  await expect(page.locator(headline)).toHaveText(/sets match/u);
  await expect(page.locator(headline)).toHaveAttribute('data-tone', 'ok');
  await mock.change({ scenario: 'held' });
  await expect(page.locator(headline)).toHaveText(/^Held: one change removes 9,310 members/u);
  await expect(page.locator(headline)).toHaveAttribute('data-tone', 'warn');
});

test('an agent that vanishes is said, acts are off, green goes; and all comes back by itself', async ({
  page,
  mock,
}) => {
  await page.clock.install();
  await mock.change({ scenario: 'calm' });
  await page.goto('/');
  await expect(page.locator(headline)).toHaveAttribute('data-tone', 'ok');
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  await mock.change({ isDown: true });
  await page.clock.runFor(9_000);
  await expect(page.getByRole('alert').filter({ hasText: 'The agent of node-a does not answer' })).toBeVisible();
  await page.clock.runFor(25_000);
  await expect(page.locator(headline)).toHaveAttribute('data-tone', 'unsure');
  await expect(page.locator(headline)).toContainText('Not known now');
  await page.getByRole('link', { name: 'Leftovers', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'could not be read' })).toBeVisible();
  await mock.change({ isDown: false });
  await page.clock.runFor(40_000);
  await expect(page.getByRole('alert').filter({ hasText: 'does not answer' })).toHaveCount(0);
  await expect(page.getByText('There is no leftover')).toBeVisible();
});

test('acts are off while what is shown is old', async ({ page, mock }) => {
  await page.clock.install();
  await page.goto('/set/?group=tag:web');
  const apply = page.getByRole('button', { name: 'Apply pending…' });
  await expect(apply).not.toHaveAttribute('aria-disabled', 'true');
  await mock.change({ isDown: true });
  await page.clock.runFor(40_000);
  await expect(apply).toHaveAttribute('aria-disabled', 'true');
  await expect(apply).toHaveAttribute('title', /is \d+ s old/u);
});

test('a list shows that it loads, that it is empty, that no row fits, that it was refused, and that it failed', async ({
  page,
  mock,
}) => {
  await mock.change({ delayMs: 700 });
  await page.goto('/sets/');
  await expect(page.getByRole('status', { name: 'Reading sets' })).toBeVisible();
  await mock.change({ delayMs: 0 });
  await expect(page.getByRole('row', { name: /hosts:all/u }).first()).toBeVisible();

  await page.getByLabel('Filter sets').fill('nothing-is-called-so');
  await expect(page.getByText('No sets match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row', { name: /hosts:all/u }).first()).toBeVisible();

  await mock.change({ failing: { 'audit.list': 'not-permitted', 'changes.list': 'internal' } });
  await page.goto('/audit/');
  await expect(page.getByText('Your role may not see or do this')).toBeVisible();
  await page.goto('/changes/');
  const fault = page.getByRole('alert').filter({ hasText: 'The changes could not be read' });
  await expect(fault).toContainText('The agent failed to answer');
  await expect(fault).toContainText(/request q/u);
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect(fault).toBeVisible();
  await mock.change({ failing: {} });
  await expect(page.getByRole('row', { name: /model/u }).first()).toBeVisible();

  await mock.change({ scenario: 'empty' });
  await page.goto('/sets/');
  await expect(page.getByText('No set is managed yet')).toBeVisible();
  await page.goto('/runs/');
  await expect(page.getByText('Nothing has been programmed yet')).toBeVisible();
});

test('rows that could not be refreshed stay, and say that they are old', async ({ page, mock }) => {
  await page.goto('/sets/');
  await expect(page.getByRole('row', { name: /hosts:all/u }).first()).toBeVisible();
  await mock.change({ failing: { 'sets.list': 'internal' } });
  await expect(page.getByText('These rows could not be refreshed: they are as they were last seen')).toBeVisible();
  await expect(page.getByRole('row', { name: /hosts:all/u }).first()).toBeVisible();
});

test('kinds that the model does not contain are not in the navigation, and an observing agent offers no act', async ({
  page,
  mock,
}) => {
  await mock.change({ scenario: 'observe' });
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Screens' });
  await expect(page.locator(headline)).toHaveText(/observed/u);
  await expect(navigation.getByRole('link', { name: 'Kernel' })).toBeVisible();
  for (const name of ['Tags', 'Endpoints', 'Networks', 'Pending', 'Held', 'Overrides']) {
    await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0);
  }
});

test('a run is followed while it goes, and the list of runs moves by itself', async ({ page }) => {
  await page.goto('/runs/');
  await expect(page.getByRole('row', { name: /r-2041/u })).toBeVisible();
  await page.evaluate(async () => {
    await fetch('/api/trpc/sets.reprogram', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ groups: ['net:corp'] }),
    });
  });
  await expect(page.getByRole('row', { name: /reprogram/u }).first()).toContainText(/running|succeeded/u);
});

test('a browser whose clock is an hour off tells ages by the agent, and is not alarmed', async ({ page, mock }) => {
  await mock.change({ scenario: 'calm' });
  for (const hours of [1, -1]) {
    await page.clock.setFixedTime(Date.now() + hours * 3_600_000);
    await page.goto('/');
    await expect(page.locator(headline)).toHaveAttribute('data-tone', 'ok');
    await expect(page.getByText(/seen now · kernel read [1-9] s ago/u)).toBeVisible();
    await page.goto('/runs/');
    await expect(page.getByRole('row', { name: /r-2041/u })).toContainText(/\d+ s ago|1 min ago/u);
    await expect(page.getByRole('row', { name: /r-\d/u }).filter({ hasText: /\bin \d/u })).toHaveCount(0);
  }
});

test('a stream that is lost for ten minutes is said, and then the page shows what is true now', async ({
  page,
  mock,
}) => {
  await page.clock.install();
  await page.goto('/held/');
  await expect(page.getByText('held-17').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked += 1;
  });
  await mock.change({ isDown: true });
  await page.clock.runFor(600_000);
  await expect(page.getByRole('button', { name: /^reconnecting in \d+ s$/u })).toBeVisible();
  await expect(page.getByText(/seen (?:9|10) min ago/u).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Release once…' })).toHaveAttribute('aria-disabled', 'true');
  // Capped back-off, of the stream and of each list: a host that is down is not flooded.
  expect(asked).toBeLessThan(300);
  await mock.change({ scenario: 'calm', isDown: false });
  await page.clock.runFor(60_000);
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible();
  await expect(page.getByText('Nothing is held')).toBeVisible();
});
