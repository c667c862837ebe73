import { access } from 'node:fs/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { bigTag } from '../documents.ts';
import { withConsole } from '../gateway-under-test.ts';
import { type Goal, type Pair, rowOf } from '../goal.ts';
import { addresses } from '../raw.ts';

/** Rows that the document may hold, whatever the list's length. */
const ROWS_MAX = 80;
/** What the page may hold on to, whatever the set's size. */
const HEAP_BYTES_MAX = 64 * 1024 * 1024;
const USABLE_MS = 1000;
const CHROMIUM = '/usr/bin/chromium';
const LONG_TASK_MS = 100;

/**
 * P10, the browser's part: the first screen, and a set of a million members that is opened and scrolled from end to end,
 * in a real browser behind the real gateway. That rows and heap stay bounded is checked, times are only told.
 */
export const p10Console: Goal = {
  id: 'P10',
  run: async ({ isQuick, say }) => {
    if (!(await isThere(CHROMIUM))) {
      say(`  ${CHROMIUM} is not there: the browser's part is left out`);
      return [];
    }
    const [members, count] = isQuick ? [2000, 1] : [1_000_000, 5];
    const config = { sets: { settleMs: 0, maxelem: 1_048_576, families: ['inet'] }, startTimeoutSeconds: 120 };
    return withConsole({ documents: bigTag([...addresses(members)]), config }, async (url, agent) => {
      await agent.settled();
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      });
      try {
        const [first, opened, longest]: [Pair[], Pair[], Pair[]] = [[], [], []];
        for (let done = 0; done < count; done++) {
          first.push({ ours: await firstScreen(browser, url), floor: USABLE_MS });
          const set = await bigSet(browser, url, members);
          opened.push({ ours: set.openMs, floor: USABLE_MS });
          longest.push({ ours: set.longestTaskMs, floor: LONG_TASK_MS });
        }
        const facts = { id: 'P10', unit: 'ms', atMost: 1 };
        return [
          rowOf({ ...facts, work: 'first screen usable after the first byte' }, first),
          rowOf({ ...facts, work: `a set of ${members} members opens in the browser` }, opened),
          rowOf({ ...facts, work: `longest task while ${members} members are scrolled` }, longest),
        ];
      } finally {
        await browser.close();
      }
    });
  },
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Milliseconds from the first byte of the page to the sentence about the host, with nothing in the browser's cache. */
async function firstScreen(browser: Browser, url: string): Promise<number> {
  const { page, close } = await newPage(browser, 'h1[data-tone]');
  await page.goto(url);
  await page.locator('h1[data-tone]').waitFor();
  const ms = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const begin = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
    return Number(document.documentElement.dataset.benchShown) - begin;
  });
  await close();
  return ms;
}

/** Opens the set `tag:big`, scrolls through it from end to end, and looks at what the page holds then. */
async function bigSet(
  browser: Browser,
  url: string,
  members: number,
): Promise<{ readonly openMs: number; readonly longestTaskMs: number }> {
  const { page, close } = await newPage(browser, '[role=grid][aria-label=Members] [role=row][data-index] a');
  await page.goto(`${url}/set/?group=tag:big`);
  const grid = page.getByRole('grid', { name: 'Members' });
  await grid.getByRole('row').nth(1).getByRole('link').first().waitFor();
  const openMs = await page.evaluate(() => Number(document.documentElement.dataset.benchShown));
  if ((await grid.getAttribute('aria-rowcount')) !== String(members + 1))
    throw new Error('not every member is counted');

  await page.evaluate(() => {
    document.documentElement.dataset.benchLongest = '0';
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement;
      for (const { duration } of list.getEntries())
        dataset.benchLongest = String(Math.max(Number(dataset.benchLongest), duration));
    }).observe({ type: 'longtask' });
  });
  await grid.hover();
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 400 + step * 40);
  await grid.focus();
  for (const key of ['End', 'End', 'PageUp', 'PageUp', 'Home', 'PageDown', 'End', 'End']) {
    await page.keyboard.press(key);
    await grid.getByText('on its way').first().waitFor({ state: 'detached' });
  }
  const longestTaskMs = await page.evaluate(() => Number(document.documentElement.dataset.benchLongest));
  const rows = await grid.getByRole('row').count();
  const heap = await heapBytes(page);
  if (rows > ROWS_MAX) throw new Error(`${rows} rows in the document`);
  if (heap > HEAP_BYTES_MAX) throw new Error(`a heap of ${heap} bytes`);
  await close();
  return { openMs, longestTaskMs };
}

/** A page of a new context, that notes on its root element when what is waited for first stands there. */
async function newPage(browser: Browser, selector: string): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((waitedFor) => {
    const look = () => {
      if (document.querySelector(waitedFor) === null) return;
      observer.disconnect();
      document.documentElement.dataset.benchShown = String(performance.now());
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
  }, selector);
  return { page, close: () => context.close() };
}

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
