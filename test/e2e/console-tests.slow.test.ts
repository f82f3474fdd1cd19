import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectNoOverflow, looksGood, useBrowser } from '../support/browser/browser.ts';
import { field, follow, leave, press } from '../support/browser/forms.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A developer uses the mouse alone. The test calls no API: it starts the world, clicks and looks. */

const { visit } = useBrowser();
const SLOW = { timeout: 180_000 };
const WAIT = { timeout: 60_000 };
/** Through every link of the navigation, twice. */
const MAX_TABS = 200;

const notice = (page: Page) => page.locator('#notice');

describe('both directions with the mouse alone', async () => {
  const world = await forFile(createWorld({ clock: movingClock }));

  test.each(['ETH', 'XRP'])(
    'in %s: a payment up to the credit, then one of the robot up to CONFIRMED',
    SLOW,
    async symbol => {
      const page = await visit(`${world.url}/console/send?action=verify-user&symbol=${symbol}`);
      await press(page, 'Send');
      await leave(page, notice(page).getByRole('link', { name: 'Go on: pay and report' }));
      await press(page, 'Pay from the faucet');
      await notice(page).getByText('The faucet has paid').waitFor(WAIT);
      await page.getByText('Report the transaction', { exact: true }).click();
      await press(page, 'Report as your VASP');
      await page.locator('#live .badge', { hasText: 'CREDITED' }).first().waitFor(WAIT);
      if (symbol === 'XRP') await looksGood(page, 'withdrawal');

      await page.goto(`${world.url}/console/send?action=robot-verify-user&symbol=${symbol}&amount=0.01`);
      await press(page, 'Send');
      await leave(page, notice(page).getByRole('link', { name: 'Go on: let the robot pay' }));
      await press(page, 'Let the robot pay');
      // The report arrives by itself: the page is not loaded again.
      await page.getByText('TX_REPORT').first().waitFor(WAIT);
      const uuid = new URL(page.url()).pathname.split('/')[3]!;
      await until(() => world.vasp.callbacks(uuid).some(({ callbackType }) => callbackType === 'TX_REPORT'));
      const isConfirmed = async () => {
        await press(page, 'Ask for the transaction status');
        return (await notice(page).textContent())?.includes('CONFIRMED') ?? false;
      };
      await until(isConfirmed);
      if (symbol === 'XRP') await looksGood(page, 'deposit');
    },
  );
});

describe('send', async () => {
  const world = await forFile(createWorld());

  const play = async (page: Page, group: string, entry: string) => {
    await page.goto(`${world.url}/console/send`);
    await page.getByText(group, { exact: true }).click();
    await leave(page, page.getByRole('link', { name: entry, exact: true }));
    await page.getByRole('heading', { name: entry }).waitFor(WAIT);
  };
  const expected = (page: Page) => notice(page).getByText('AS EXPECTED').waitFor(WAIT);

  test.each([
    ['Every result of a user verification', 'OK'],
    ['Every result of a user verification', 'UNKNOWN-ADDRESS'],
    ['Every result of a user verification', 'LACK-OF-INFORMATION'],
    ['Every result of an account verification', 'MISMATCHED-NAME'],
  ])('catalogue: %s, %s, by click, ends as it promises', SLOW, async (group, entry) => {
    const page = await visit(`${world.url}/console`);
    await play(page, group, entry);
    await press(page, 'Send');
    await expected(page);
  });

  test('an outcome that needs time: not yet, then after advancing', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Every result of a user verification', 'REQUEST-TIMEOUT');
    await press(page, 'Send');
    await notice(page).getByText('NOT YET').waitFor(WAIT);
    await looksGood(page, 'send-not-yet');
    await press(page, 'Advance the time');
    await expected(page);
  });

  test('an assessment asks for a verification first, and is played with one', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Sanction screening', 'SANCTION');
    await leave(page, page.getByRole('link', { name: 'Verify first' }));
    await press(page, 'Send');
    await notice(page).getByText('VERIFIED').waitFor(WAIT);
    await play(page, 'Sanction screening', 'SANCTION');
    await press(page, 'Send');
    await expected(page);
    await play(page, 'Person screening', 'no match');
    await press(page, 'Send');
    await notice(page).getByText('NOT YET').waitFor(WAIT);
    await press(page, 'Advance the time');
    await expected(page);
  });

  test('catalogue: a fault is ordered as it stands there, and is in force', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Injected faults', 'callback drop');
    await press(page, 'Send');
    await leave(page, notice(page).getByRole('link', { name: 'Active faults' }));
    await page.locator('#live').getByText('drop').first().waitFor(WAIT);
    expect((await world.api.faults()).faults).toMatchObject([{ target: 'callback', mode: 'drop', left: 1 }]);
    await world.api.removeFaults();
  });

  test('a choice fills the body in anew; the command to copy is the same request', SLOW, async () => {
    const page = await visit(`${world.url}/console/send`);
    await page.locator('select[name=symbol]').selectOption('XRP');
    await page.waitForURL(/symbol=XRP/, WAIT);
    const body = JSON.parse(await field(page, 'body').inputValue());
    expect(body.assetInfo.symbol).toBe('XRP');
    await page.getByRole('radio', { name: 'curl' }).check();
    await page.locator('.curl button').click();
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await until(async () => (await copied()).startsWith('curl'));
    const command = await copied();
    expect(command).toContain(`curl -s '${world.url}/v1/verifications'`);
    expect(command).toContain(JSON.stringify(body, null, 2));
    await looksGood(page, 'send');
  });

  test('what was edited is sent as it stands, and stands there afterwards', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-user`);
    await field(page, 'body').fill('{"keyType": "Nobody"}');
    await press(page, 'Send');
    await notice(page).getByText('answered 400').waitFor(WAIT);
    expect(await field(page, 'body').inputValue()).toBe('{"keyType": "Nobody"}');
    expect(await notice(page).textContent()).toContain('INVALID-KEY-TYPE');
  });

  test('without JavaScript: choices by their button, sending as well', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-account`, { javaScriptEnabled: false });
    await page.locator('select[name=symbol]').selectOption('XRP');
    await press(page, 'Update the request');
    expect(JSON.parse(await field(page, 'body').inputValue()).symbol).toBe('XRP');
    await press(page, 'Send');
    expect(await notice(page).textContent()).toContain('VERIFIED');
  });

  test('every action has a form that is filled in, and says so where something is missing', SLOW, async () => {
    const page = await visit(`${world.url}/console/send`);
    const links = page.locator('.send-menu > ul a');
    const count = await links.count();
    expect(count).toBe(16);
    for (let position = 0; position < count; position++) {
      await leave(page, links.nth(position));
      expect(await links.nth(position).getAttribute('aria-current')).not.toBeNull();
      await expectNoOverflow(page);
    }
  });
});

describe('both tests with the keyboard alone, without a VASP of one’s own', async () => {
  const world = await forFile(createWorld({ endpoints: [], clock: movingClock }));

  /** `position`: which of those with this name. */
  async function enter(page: Page, name: string, position = 1): Promise<void> {
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    let found = 0;
    for (let tabs = 1; tabs <= MAX_TABS && found < position; tabs++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) found++;
    }
    expect(await focused()).toBe(name);
    await follow(page, () => page.keyboard.press('Enter'));
  }

  test('from the switch to the verdicts', SLOW, async () => {
    const page = await visit(`${world.url}/console/tests`);
    await enter(page, 'Use our VASP');
    await notice(page).getByText('The reference VASP runs').waitFor(WAIT);
    for (const [module, title] of [
      ['W4.1 ETH', 'Transfer and report'],
      ['D3 XRP', 'The robot pays and reports'],
    ] as const) {
      await page.goto(`${world.url}/console/tests`);
      await enter(page, module.endsWith('ETH') ? 'In ETH' : 'In XRP', module.startsWith('W') ? 1 : 2);
      await page.getByRole('heading', { level: 1, name: `${module}: ${title}` }).waitFor(WAIT);
      await page.locator('.verdict .badge', { hasText: 'PASSED' }).first().waitFor(WAIT);
      expect(await page.locator('.exchange').count()).toBeGreaterThan(1);
    }
    await page.goto(`${world.url}/console/tests`);
    await page.getByText('Next: your own VASP.').waitFor(WAIT);
    await enter(page, 'Fill the sandbox');
    await page.locator('.verdict .badge', { hasText: 'PASSED' }).first().waitFor(WAIT);
    const { verifications } = await world.api.verifications();
    expect(new Set(verifications.map(({ result }) => result))).toEqual(new Set(['VERIFIED', 'DENIED', 'ERROR']));
  });
});
