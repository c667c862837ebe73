import type { Page } from '@playwright/test';
import { expect, test } from '../fixture/mock-test.ts';
import { screens } from '../fixture/screens.ts';

const all = [...screens, { path: '/run/?id=r-2040', heading: /50 rejected/u }];

/** What is wrong with how the page is laid out: it scrolls sideways, or words are cut that can be read nowhere. */
async function faultsOfLook(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide in ${clientWidth} px`);
    for (const element of document.body.querySelectorAll('*')) {
      if (element.clientWidth === 0 || element.scrollWidth <= element.clientWidth + 1) continue;
      if (getComputedStyle(element).textOverflow !== 'ellipsis') continue;
      if (element.closest('[title]') === null)
        faults.push(`cut, and nowhere whole: ${element.textContent.slice(0, 80)}`);
    }
    return faults;
  });
}

for (const width of [320, 768, 1440]) {
  test(`at ${width} px no screen scrolls sideways, and what is cut is whole on hover`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 900 });
    for (const { path, heading } of all) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(page.getByRole('main').getByRole('status', { name: /^(?:Reading|Opening|Asking)/u })).toHaveCount(0);
      expect(await faultsOfLook(page), path).toEqual([]);
    }
  });
}

test('an empty host is no wider than a window of 320 px either', async ({ page, mock }) => {
  await mock.change({ scenario: 'empty' });
  await page.setViewportSize({ width: 320, height: 900 });
  for (const path of ['/', '/doctor/', '/sources/', '/tags/?id=tag:web']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main').getByRole('status', { name: /^(?:Reading|Asking)/u })).toHaveCount(0);
    expect(await faultsOfLook(page), path).toEqual([]);
  }
});

test('the tables of runs, endpoints and kernel sets show every column in a window of 1,440 px', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of ['/runs/', '/endpoints/', '/kernel/']) {
    await page.goto(path);
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('row').nth(1)).toBeVisible();
    expect(await grid.evaluate((element) => element.scrollWidth - element.clientWidth), path).toBe(0);
  }
});

test('a name that is too long for its column ends inside it', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto('/kernel/?q=sk-v4-p');
  const cells = page.getByRole('gridcell').filter({ has: page.getByRole('link', { name: /^port:/u }) });
  await expect(cells.first()).toBeVisible();
  const beyond = await cells.evaluateAll((all) =>
    all.map(
      (cell) => (cell.querySelector('a')?.getBoundingClientRect().right ?? 0) - cell.getBoundingClientRect().right,
    ),
  );
  expect(Math.max(...beyond)).toBeLessThanOrEqual(0);
});

test('the open tab is in view in a window of 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 1400 });
  await page.goto('/set/?group=tag:web&tab=kernel');
  await expect(page.getByRole('tab', { name: 'Kernel' })).toBeInViewport({ ratio: 0.9 });
});

test('the acts of a set stand beside its name in a window of 1,440 px', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/set/?group=tag:web');
  const name = await page.getByRole('heading', { level: 1, name: 'tag:web' }).boundingBox();
  const act = await page.getByRole('button', { name: 'Apply pending…' }).boundingBox();
  expect(act?.y ?? 900).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
});

test('a held change says in a window of 320 px how much would leave', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto('/held/');
  for (const words of ['−9,306', '9,402', '99 %']) {
    const box = await page.getByRole('cell', { name: words, exact: true }).boundingBox();
    expect((box?.x ?? 320) + (box?.width ?? 0), words).toBeLessThanOrEqual(320);
  }
});

test('what is not there is said under its own name, with the way to the others', async ({ page, mock }) => {
  await mock.change({ scenario: 'empty' });
  await page.goto('/set/?group=tag:gone');
  await expect(page.getByRole('heading', { level: 1, name: 'tag:gone' })).toBeVisible();
  await expect(page.getByText('There is no set for tag:gone')).toBeVisible();
  await page.getByRole('link', { name: 'All sets' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sets' })).toBeVisible();
  await page.goto('/run/?id=r-9');
  await expect(page.getByText('There is no run r-9')).toBeVisible();
});

test('a host of which nothing is kept is not shown in green', async ({ page, mock }) => {
  for (const scenario of ['empty', 'observe'] as const) {
    await mock.change({ scenario });
    await page.goto('/');
    await expect(page.locator('h1[data-tone]')).toHaveAttribute('data-tone', 'info');
    const next = page.getByRole('region', { name: scenario === 'empty' ? 'Where to begin' : 'What there is to see' });
    await expect(next.getByRole('link', { name: 'Every set of this host' })).toBeVisible();
  }
});
