import { expect, test } from '../fixture/host-test.ts';

test.describe.configure({ mode: 'serial' });

const webSet = 'sk-v4-t.web';

test('a line added to a YAML file is a member in the browser and in the kernel', async ({ page, host, editModel }) => {
  await page.goto('/set/?group=tag:web&family=inet');
  await expect(page.getByRole('row', { name: /10\.65\.0\.2/u })).toContainText('programmed');
  await expect(page.getByRole('row', { name: /10\.65\.0\.77/u })).toHaveCount(0);
  await editModel(
    'endpoints.yaml',
    'endpoints:\n',
    'endpoints:\n  node-e2e/web-77/eth0:\n    profiles: [web]\n    ipv4: [10.65.0.77]\n',
  );
  const row = page.getByRole('row', { name: /10\.65\.0\.77/u });
  await expect(row).toContainText('programmed');
  await expect(row).toContainText('node-e2e/web-77/eth0');
  expect(await host.namespace.ipset(['save', webSet])).toContain(`add ${webSet} 10.65.0.77\n`);
  await page.goto('/find/?q=10.65.0.77');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toContainText(
    /10\.65\.0\.77 is in [1-9]/u,
  );
});

test('a set is reprogrammed from the browser, after its exact script was shown', async ({ page, host }) => {
  const before = await host.namespace.ipset(['save', webSet]);
  await page.goto('/set/?group=tag:web&family=inet');
  await page.getByRole('button', { name: 'Reprogram…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write whole sets again' });
  await dialog.getByRole('button', { name: /tag:web inet / }).click();
  await expect(dialog.getByText(/^swap sk-tmp-\S+ sk-v4-t\.web$/u)).toBeVisible();
  await dialog.getByLabel(/Type 2 to confirm/u).fill('2');
  await dialog.getByRole('button', { name: /^Send \d+ lines to 2 sets$/u }).click();
  await expect(dialog.getByRole('status')).toContainText(/succeeded.*0 rejected, 0 uncertain/u);
  await dialog.getByRole('link', { name: /^Open run/u }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('succeeded');
  await expect(page.getByRole('row', { name: /swap sk-tmp/u }).first()).toContainText('applied');
  const members = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('add '))
      .toSorted();
  expect(members(await host.namespace.ipset(['save', webSet]))).toEqual(members(before));
  expect(await host.namespace.ipset(['list', '-n'])).not.toContain('sk-tmp-');
});

test('a leftover is cleaned up; one that a rule uses is kept, with its content and its reason', async ({
  page,
  host,
}) => {
  const { namespace } = host;
  await namespace.ipset(['create', 'sk-v4-t.orphan', 'hash:ip']);
  await namespace.ipset(['create', 'sk-v4-t.legacy', 'hash:ip']);
  await namespace.ipset(['add', 'sk-v4-t.legacy', '192.0.2.7']);
  await namespace.ipset(['create', 'foreign-blocklist', 'hash:ip']);
  const rule = await namespace.exec('iptables', [
    '-A',
    'INPUT',
    '-m',
    'set',
    '--match-set',
    'sk-v4-t.legacy',
    'src',
    '-j',
    'DROP',
  ]);
  expect(rule.stderr).toBe('');
  await page.goto('/leftovers/');
  await expect(page.getByRole('row', { name: /sk-v4-t\.orphan/u })).toContainText('yes');
  await expect(page.getByRole('row', { name: /sk-v4-t\.legacy/u })).toContainText('no');
  await expect(page.getByRole('row', { name: /foreign-blocklist/u })).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select sk-v4-t.orphan' }).click();
  await page.getByRole('checkbox', { name: 'Select sk-v4-t.legacy' }).click();
  await page.getByRole('region', { name: 'Chosen leftovers' }).getByRole('button', { name: 'Clean up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clean up leftovers' });
  await expect(dialog.getByRole('region', { name: 'Script' })).toHaveText('destroy sk-v4-t.orphan');
  await expect(dialog.getByRole('region', { name: 'Kept' })).toContainText('sk-v4-t.legacy');
  await dialog.getByLabel(/Type 1 to confirm/u).fill('1');
  await dialog.getByRole('button', { name: 'Destroy 1 set' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 set destroyed');
  const names = (await namespace.ipset(['list', '-n'])).split('\n');
  expect(names).not.toContain('sk-v4-t.orphan');
  expect(names).toContain('foreign-blocklist');
  expect(await namespace.ipset(['save', 'sk-v4-t.legacy'])).toContain('add sk-v4-t.legacy 192.0.2.7');
});

test("a line that the kernel rejects is shown as rejected, in the kernel's own words", async ({
  page,
  host,
  editModel,
}) => {
  const set = 'sk-v4-t.db';
  for (let last = 1; last <= 7; last += 1) await host.namespace.ipset(['add', set, `198.51.100.${last}`]);
  await page.goto('/runs/');
  await editModel(
    'endpoints.yaml',
    'endpoints:\n',
    'endpoints:\n  node-e2e/db-2/eth0:\n    profiles: [db]\n    ipv4: [10.65.0.11]\n',
  );
  const row = page.getByRole('row', { name: /^(?:partly|failed)/u }).first();
  await expect(row).toBeVisible();
  await row.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 rejected');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('tag:db');
  const line = page.getByRole('row', { name: /add sk-v4-t\.db 10\.65\.0\.11/u });
  await expect(line).toContainText('rejected');
  await expect(line).toHaveAttribute('data-index', '0');
  await expect(line).toContainText('Hash is full, cannot add more elements');
  await expect(line).toContainText('Add 10.65.0.11 to sk-v4-t.db');
  await expect(line).toContainText(/Read back: \d+ elements are there/u);
});

test('an agent that is killed is said at once; started again, the page goes on by itself', async ({ page, host }) => {
  await page.goto('/sets/');
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toBeVisible();
  await host.killAgent();
  await expect(page.getByRole('alert').filter({ hasText: 'does not answer' })).toBeVisible();
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toBeVisible();
  await host.startAgent();
  await expect(page.getByRole('button', { name: 'live' })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('alert').filter({ hasText: 'does not answer' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /tag:web inet/u }).first()).toContainText('in-sync');
});
