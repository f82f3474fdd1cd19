import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible, expectNoOverflow, looksGood, useBrowser } from '../support/browser/browser.ts';
import { field, leave, noticeText, press } from '../support/browser/forms.ts';
import { movingClock, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A tester with a browser only. */

const browser = useBrowser();
const SLOW = { timeout: 180_000 };
const WAIT = { timeout: 60_000 };
const world = await forFile(createWorld({ clock: movingClock }));

const open = (path: string) => browser.visit(`${world.url}${path}`);
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');

test.each(['ETH', 'XRP'])('in %s the withdrawal test by hand is a wizard: verify, pay, report', SLOW, async symbol => {
  const page = await open('/console/tests');
  await leave(page, page.getByRole('button', { name: `Withdrawal test in ${symbol}` }));
  const step = page.locator('.wizard > .now');
  for (const name of ['Verify', 'Pay', 'Report']) {
    const button = step.getByRole('button', { name: `Do it for me: ${name}` });
    await button.waitFor(WAIT);
    expect(await step.getByRole('button', { name: /^Copy/ }).count()).toBeGreaterThan(1);
    if (name === 'Verify') await looksGood(page, `wizard-${symbol}`);
    if (name === 'Pay')
      expect(await step.getByRole('link', { name: 'In a wallet' }).getAttribute('href')).toMatch(
        symbol === 'ETH' ? /^ethereum:0x\w+@31337\?value=\d+$/ : /^ripple:r\w+\?amount=[\d.]+&dt=\d+$/,
      );
    await leave(page, button);
  }
  await page
    .locator('.verdict .badge', { hasText: /PASSED|REVIEW/ })
    .first()
    .waitFor(WAIT);
  expect(await page.locator('.wizard').count()).toBe(0);
});

test.each(['ETH', 'XRP'])('in %s the deposit test by hand is the same wizard', SLOW, async symbol => {
  const page = await open('/console/tests');
  await leave(page, page.getByRole('button', { name: `Deposit test in ${symbol}` }));
  expect(await page.getByLabel('Asset').inputValue()).toBe(symbol);
  await page.getByLabel('Amount').fill('7');
  const step = page.locator('.wizard > .now');
  const button = (name: string) => step.getByRole('button', { name: `Do it for me: ${name}` });
  await leave(page, button('Verify'));
  expect(await step.getByRole('button', { name: /^Copy/ }).count()).toBeGreaterThan(0);
  await looksGood(page, `deposit-by-hand-${symbol}`);
  await leave(page, button('Pay'));
  // The block comes by itself: the page is not loaded again.
  await leave(page, button('Report'));
  await page.getByText('All steps are done.').waitFor(WAIT);
  expect(await page.locator('.wizard').getByText('DONE').count()).toBe(3);
  const uuid = new URL(page.url()).searchParams.get('verificationUuid')!;
  await until(() => world.vasp.callbacks(uuid).some(({ callbackType }) => callbackType === 'TX_REPORT'));
});

test('a deposit by hand is made in one click, too, and says why it was denied', SLOW, async () => {
  const page = await open('/console/tests/deposit');
  await leave(page, page.getByRole('button', { name: 'All steps at once' }));
  expect(await page.locator('.wizard').getByText('DONE').count()).toBe(3);
  world.vasp.script('verifyUser', undefined, { body: { version: '1.0', result: 'DENIED', reason: 'NOT-ALLOWED' } });
  onTestFinished(() => world.vasp.script('verifyUser', undefined, 'ordinary'));
  await page.goto(`${world.url}/console/tests/deposit`);
  await press(page, 'Do it for me: Verify');
  expect(await noticeText(page)).toContain('NOT-ALLOWED');
});

test('Send is ten tabs away at most, sends by Ctrl-Enter, and has its curl command in a tab', SLOW, async () => {
  const page = await open('/console/send');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  let tabs = 1;
  while ((await focused(page)) !== 'Send' && tabs < 20) {
    await page.keyboard.press('Tab');
    tabs++;
  }
  expect(tabs).toBeLessThanOrEqual(10);
  await page.getByRole('radio', { name: 'curl' }).check();
  expect(await page.locator('.curl').isVisible()).toBe(true);
  expect(await field(page, 'body').isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Request' }).check();
  await field(page, 'body').focus();
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+Enter')]);
  expect(await noticeText(page)).toContain('answered 200');
  expect(await page.evaluate('document.activeElement.name')).toBe('body');
});

test('the focus stays where it was after an action', SLOW, async () => {
  const page = await open('/console/timers');
  await press(page, '10 s');
  expect(await noticeText(page)).toContain('It is ');
  expect(await focused(page)).toBe('10 s');
});

test('Advance is offered only where something is due', SLOW, async () => {
  const user = world.user('not-allowed').id;
  const page = await open(`/console/send?user=${user}`);
  await press(page, 'Send');
  expect(await noticeText(page)).toContain('NOT-ALLOWED');
  expect(await page.getByRole('button', { name: 'Advance the time' }).count()).toBe(0);
});

test('on a wide screen the header and the content begin at one line', SLOW, async () => {
  const page = await open('/console');
  await page.setViewportSize({ width: 1920, height: 1000 });
  const left = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x;
  expect(await left('header .brand')).toBe(await left('main h1'));
});

/** What does not fit into a table, in pixels. */
const hiddenIn = (page: Page) =>
  page.evaluate<number[]>('[...document.querySelectorAll(".table")].map(each => each.scrollWidth - each.clientWidth)');

test('the list of verifications shows every column at 1280', SLOW, async () => {
  const wish = { user: world.user('changes-account-number').id, amount: '0.001485289768901123' };
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world, wish));
  await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  const { uuid: paid } = await verified(world, { amount: '0.250000039120448176' });
  await world.api.advance('58m');
  const page = await open('/console/verifications');
  await page.locator(`#verification-${paid}`).waitFor(WAIT);
  expect(await page.locator(`#verification-${uuid}`).textContent()).toContain('BENEFICIARY-ACCOUNT-NOT-MATCHED');
  expect(await hiddenIn(page)).toEqual([0]);
});

test('Money shows each direction whole at 1280', SLOW, async () => {
  await received(world, { symbol: 'XRP', amount: '2' });
  const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount: '1' });
  await world.api.robotWithdraw(uuid);
  await until(async () => (await world.api.transfers()).transfers[0]?.txHash != null);
  const page = await open('/console/money');
  for (const other of ['You paid the robot', 'The robot paid you']) {
    const hidden = await hiddenIn(page);
    expect(hidden).toEqual(hidden.map(() => 0));
    expect(await page.locator('tbody[id^="transfer-"], tbody[id^="deposit-"]').count()).toBeGreaterThan(0);
    await leave(page, page.getByRole('link', { name: other, exact: true }));
  }
});

test.each(['callbacks', 'exchanges'] as const)(
  'at 1280 the list of %s stands whole beside one of its rows',
  SLOW,
  async list => {
    await received(world, { symbol: 'XRP', amount: '3' });
    for (const language of ['English', '한국어']) {
      const page = await open(`/console/${list}`);
      if (language !== 'English') await leave(page, page.getByRole('link', { name: language }).first());
      await leave(page, page.locator('tbody a').first());
      const table = page.locator('.beside .table');
      expect(await table.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
      const heights = await page.evaluate<number[]>(
        '[...document.querySelectorAll(".beside .table tbody tr")].map(each => each.offsetHeight)',
      );
      expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights));
      await looksGood(page, `${list}-beside`);
    }
  },
);

test('the API is read by its list of operations, without locks', SLOW, async () => {
  const page = await open('/docs');
  await page.locator('.opblock').first().waitFor(WAIT);
  expect(await page.locator('.authorization__btn').count()).toBe(0);
  expect(await page.locator('.btn.authorize svg').isVisible()).toBe(false);
  const listed = await page.locator('.reader nav section').evaluateAll(all => all.map(each => each.querySelector('a')));
  expect(listed).not.toContain(null);
  await page.setViewportSize({ width: 1920, height: 1000 });
  const leftOf = (selector: string) => page.locator(selector).first().boundingBox();
  expect((await leftOf('body > header a'))!.x).toBe((await leftOf('.reader nav h2'))!.x);
  await page.getByRole('searchbox', { name: 'Search the operations' }).fill('advance time');
  const links = page.locator('.reader nav a:visible');
  expect(await links.count()).toBe(1);
  await links.first().click();
  await page.locator('.opblock.is-open').waitFor(WAIT);
});

test('the report of a passed run is short, and accessible', SLOW, async () => {
  const { id } = await world.api.startRun({ modules: ['C1', 'S4'], unattended: true });
  await until(async () => (await world.api.run(id)).endedAt !== null, 120_000);
  const page = await open(`/sandbox/v1/runs/${id}/report.html`);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(10_000);
  for (const details of await page.locator('details').all()) await details.evaluate('each => { each.open = true; }');
  await expectNoOverflow(page);
  await expectAccessible(page);
});
