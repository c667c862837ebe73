import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixture/accessible.ts';
import { expect, test } from '../fixture/host-test.ts';
import { firstAdmin, userOf, type Visitor } from '../fixture/log-in.ts';
import { makeTrouble } from '../fixture/make-trouble.ts';

/** One host with everything that can be wrong, seen by an admin: each screen shows its part of it. */
test.use({
  logins: true,
  agent: {
    guard: { removedMin: 3 },
    leaks: { afterSeconds: 1 },
    sets: { maxelem: 8, formerPrefixes: ['felix-'] },
    // Drift is seen by the headers; it is not repaired, so nothing but a test changes sets.
    resync: { headersSeconds: 1, membersSeconds: 0, repair: false },
  },
  viewport: { width: 1440, height: 900 },
});

let admin: Visitor;

test.beforeAll(async ({ host }) => {
  admin = await firstAdmin(host);
  await makeTrouble(host);
  await expect
    .poll(async () => (await admin.api.get('/api/trpc/status.get')).text(), { timeout: 20_000 })
    .toMatch(/"held":1/u);
  await expect
    .poll(async () => (await admin.api.get('/api/trpc/runs.list?input=%7B%7D')).text(), { timeout: 20_000 })
    .toContain('"phase":"partly"');
  await host.namespace.ipset(['add', 'sk-v4-t.frontend', '198.51.100.99']);
  await expect
    .poll(
      async () => {
        // Whoever lists the references has the holders read anew.
        await admin.api.get('/api/trpc/references.list?input=%7B%7D');
        return (await admin.api.get('/api/trpc/sets.list?input=%7B%22state%22%3A%22drifted%22%7D')).text();
      },
      { timeout: 20_000 },
    )
    .toContain('"tag:frontend"');
});

test.beforeEach(async ({ context }) => admin.enter(context));

/** Each screen, what an operator reads first, and what of this host's trouble it shows. */
const screens: readonly {
  readonly path: string;
  readonly heading: string | RegExp;
  readonly shows: readonly (string | RegExp)[];
}[] = [
  {
    path: '/',
    heading: /^node-e2e: .*(?:NOT what the model says|Held)/u,
    shows: ['change-held', 'source-fault'],
  },
  {
    path: '/find/?q=203.0.113.9&group=tag:web',
    heading: 'Find an address',
    shows: [/203\.0\.113\.9 is in f2b-sshd \(foreign, fail2ban by its name\)/u, /NOT in tag:web/u],
  },
  { path: '/references/', heading: 'References & leaks', shows: ['1 unexplained'] },
  { path: '/sets/', heading: 'Sets', shows: ['tag:db', 'tag:frontend'] },
  { path: '/sets/?state=drifted', heading: 'Sets', shows: ['tag:frontend'] },
  { path: '/set/?group=tag:frontend&tab=kernel', heading: 'tag:frontend', shows: ['198.51.100.99'] },
  { path: '/set/?group=tag:db', heading: 'tag:db', shows: ['10.65.0.10', '10.65.0.11'] },
  { path: '/set/?group=tag:db&tab=history', heading: 'tag:db', shows: ['partly'] },
  { path: '/set/?group=tag:herd', heading: 'tag:herd', shows: ['4 removals are held by'] },
  {
    path: '/set/?group=tag:web&tab=references',
    heading: 'tag:web',
    shows: [/match-set sk-v4-t\.web src/u],
  },
  { path: '/pending/', heading: 'Pending', shows: [/lines? to \d+ sets?|Nothing is pending/u] },
  { path: '/held/', heading: 'Held', shows: ['removes 4 members of 1 set', '10.66.0.5'] },
  { path: '/leftovers/', heading: 'Leftovers', shows: ['sk-v4-t.orphan', 'sk-v4-t.legacy'] },
  { path: '/kernel/', heading: 'Kernel', shows: ['f2b-sshd', 'fail2ban by its name'] },
  { path: '/runs/', heading: 'Runs', shows: ['partly'] },
  { path: '/changes/', heading: 'Changes', shows: ['guard'] },
  { path: '/changes/?kind=source', heading: 'Changes', shows: [/^declared is current, was missing/u] },
  { path: '/audit/', heading: 'Audit', shows: [] },
  { path: '/tags/?id=tag:web', heading: 'Tags', shows: ['tag:herd', 'Endpoints with this tag'] },
  { path: '/endpoints/?id=node-e2e/web-1/eth0', heading: 'Endpoints', shows: ['10.65.0.3', 'In these groups'] },
  { path: '/profiles/?id=web', heading: 'Profiles', shows: ['frontend', 'Tags: 2'] },
  { path: '/networks/?id=corp', heading: 'Networks', shows: ['net:corp', 'Nets and exceptions'] },
  { path: '/lists/?id=trusted', heading: 'Lists', shows: ['list:trusted', 'Member groups'] },
  { path: '/sources/', heading: 'Sources', shows: ['1 fault; each object keeps its last good value', 'faulty.yaml:4'] },
  { path: '/overrides/', heading: 'Overrides', shows: ['No override is in force'] },
  { path: '/holds/', heading: 'Holds', shows: ['Nothing is on hold'] },
  { path: '/doctor/', heading: 'Doctor', shows: ['ipset', 'change-held'] },
  { path: '/users/', heading: 'Users', shows: ['ada'] },
  { path: '/settings/', heading: 'Settings', shows: ['ada'] },
  { path: '/glossary/', heading: 'Glossary', shows: ['change-held'] },
];

async function open(page: Page, { path, heading, shows }: (typeof screens)[number]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  const main = page.getByRole('main');
  for (const text of shows) await expect(main.getByText(text).first(), `${path} shows ${String(text)}`).toBeVisible();
  await expect(main.getByRole('status', { name: /^(?:Reading|Opening|Asking|Drawing)/u })).toHaveCount(0);
  await expect(main.getByRole('alert').filter({ hasText: 'could not be read' })).toHaveCount(0);
}

/** Axe in light, and what colours decide in dark. */
async function expectAccessibleInBoth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'colours');
  await page.emulateMedia({ colorScheme: 'light' });
}

for (const screen of screens) {
  test(`${screen.path} shows what is true of this host; axe finds nothing in light and dark`, async ({
    page,
    complaints,
  }) => {
    await open(page, screen);
    await expectAccessibleInBoth(page);
    expect(complaints).toEqual([]);
  });
}

/** Each dialog: where, what opens it, and its title. */
const dialogs: readonly { readonly at: string; readonly press: readonly string[]; readonly title: string | RegExp }[] =
  [
    { at: '/set/?group=tag:web', press: ['Reprogram…'], title: 'Write whole sets again' },
    { at: '/set/?group=tag:web', press: ['More', 'Grow to a larger maxelem…'], title: /larger|Grow/u },
    {
      at: '/set/?group=tag:web',
      press: ['More', 'Add or exclude an address…'],
      title: 'Exclude an address for a time',
    },
    { at: '/set/?group=tag:web', press: ['More', 'Pin…'], title: 'Pin tag:web' },
    { at: '/set/?group=tag:web', press: ['More', 'Hold…'], title: 'Hold tag:web' },
    { at: '/held/', press: ['Release once…'], title: /^Release .* once$/u },
    { at: '/held/', press: ['Reject…'], title: /^Reject / },
    { at: '/leftovers/', press: [/^Clean up (?:all|the) /.source], title: 'Clean up leftovers' },
    { at: '/holds/', press: ['Hold every set…'], title: 'Hold every set' },
    { at: '/sources/', press: ['Edit declared objects…'], title: 'Declared objects' },
    { at: '/sources/', press: ['Accept as complete…'], title: /^Accept .* as complete$/u },
    { at: '/users/', press: ['Add a user…'], title: /user/iu },
    { at: '/sets/', press: ['Keys and help'], title: 'Keys' },
    { at: '/sets/', press: [/^Find an address, a set/.source], title: 'Find or go to' },
  ];

test('axe finds nothing in any dialog, in light and dark', async ({ page, complaints }) => {
  test.setTimeout(120_000);
  for (const { at, press, title } of dialogs) {
    await test.step(`${at} ${press.join(', ')}`, async () => {
      await page.goto(at);
      for (const name of press) {
        const pattern = name.startsWith('^') ? new RegExp(name, 'u') : name;
        await page
          .getByRole('button', { name: pattern, exact: true })
          .or(page.getByRole('menuitem', { name: pattern }))
          .first()
          .click();
      }
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await expect(page.getByRole('dialog').getByRole('status', { name: /^(?:Reading|Planning)/u })).toHaveCount(0);
      await expectAccessibleInBoth(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  }
  expect(complaints).toEqual([]);
});

test('from any screen two interactions lead to why a set is not right, and to the lines that failed', async ({
  page,
}) => {
  await page.goto('/audit/');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Runs/u }).click();
  await page
    .getByRole('row', { name: /partly/u })
    .first()
    .getByRole('link')
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 rejected');
  await expect(page.getByRole('row', { name: /add sk-v4-t\.db 10\.65\.0\.11/u })).toContainText(
    'Hash is full, cannot add more elements',
  );
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Sets/u }).click();
  await page
    .getByRole('row', { name: /tag:db/u })
    .first()
    .getByRole('link', { name: /tag:db/u })
    .click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('row', { name: /^partly/u })).toBeVisible();
});

test('the note on a held set leads to exactly that change', async ({ page }) => {
  await page.goto('/set/?group=tag:herd');
  await page.getByRole('main').getByRole('link', { name: /^h/u }).first().click();
  await expect(page).toHaveURL(/\/held\/\?id=/u);
  await expect(page.getByRole('heading', { name: /removes 4 members of 1 set/u })).toBeInViewport();
});

test('a viewer reads every screen and is offered no act on any', async ({ page, context, host }) => {
  test.setTimeout(90_000);
  const vera = await userOf(host, admin, 'vera', 'viewer');
  await context.clearCookies();
  await vera.enter(context);
  const acts =
    /^(?:Apply|Reprogram|Retry|Release|Reject|Clean up|Hold|Add or exclude|Edit declared|Accept|End…|Unpin|More$)/u;
  for (const screen of screens.filter(({ path }) => path !== '/users/' && path !== '/settings/')) {
    await test.step(screen.path, async () => {
      await open(page, screen);
      await expect(page.getByRole('main').getByRole('button', { name: acts })).toHaveCount(0);
    });
  }
  const refused = await vera.api.post('/api/trpc/holds.add', { data: { all: true, forSeconds: 60, reason: 'no' } });
  expect(refused.status()).toBe(403);
  await page.goto('/audit/');
  await expect(page.getByText('not-permitted').or(page.getByText('Your role may not see')).first()).toBeVisible();
});
