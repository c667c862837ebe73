import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixture/accessible.ts';
import { expect, test } from '../fixture/mock-test.ts';
import { screens } from '../fixture/screens.ts';

const all = [...screens, { path: '/run/?id=r-2040', heading: /50 rejected/u }];

async function open(page: Page, screen: (typeof all)[number]): Promise<void> {
  await page.goto(screen.path);
  await expect(page.getByRole('heading', { level: 1, name: screen.heading })).toBeVisible();
  await expect(
    page.getByRole('main').getByRole('status', { name: /^(?:Reading|Opening|Asking|Drawing)/u }),
  ).toHaveCount(0);
}

test.use({ viewport: { width: 1280, height: 640 } });

test.describe('in light', () => {
  for (const screen of all) {
    test(`axe finds nothing on ${screen.path}, and the browser has no complaint`, async ({ page, complaints }) => {
      await open(page, screen);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    });
  }
});

test.describe('in dark', () => {
  test.use({ colorScheme: 'dark' });
  test('every colour of every screen has contrast', async ({ page }) => {
    test.setTimeout(180_000);
    for (const screen of all) {
      await test.step(screen.path, async () => {
        await open(page, screen);
        await expectAccessible(page, 'colours');
      });
    }
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`dialogs in ${colorScheme}`, () => {
    test.use({ colorScheme });
    const rules = colorScheme === 'light' ? 'all' : 'colours';

    test('axe finds nothing on a plan of several sets', async ({ page }) => {
      await page.goto('/sets/?sel=net:corp+inet,tag:web+inet');
      await page.getByRole('button', { name: 'Reprogram…' }).click();
      await page.getByRole('button', { name: /net:corp inet / }).click();
      await expect(page.getByRole('grid', { name: /Lines for/u })).toBeVisible();
      await expectAccessible(page, rules);
    });

    test('axe finds nothing on clean-up, help and palette', async ({ page }) => {
      await page.goto('/leftovers/');
      await page.getByRole('button', { name: /Clean up all/u }).click();
      await expect(page.getByRole('region', { name: 'Script' })).toBeVisible();
      await expectAccessible(page, rules);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
      await expectAccessible(page, rules);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Find or go to' })).toBeVisible();
      await expectAccessible(page, rules);
    });
  });
}
