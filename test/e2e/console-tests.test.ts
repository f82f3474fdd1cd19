import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_UUID } from '../../src/sandbox/checks/samples.ts';
import { expectAccessible, expectNoOverflow, screenshots, useBrowser } from '../support/browser/browser.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** A developer uses the mouse alone. The test calls no API: it starts the world, clicks and looks. */

const { visit } = useBrowser();
const SLOW = { timeout: 120_000 };
const WAIT = { timeout: 20_000 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const notice = (page: Page) => page.locator('#notice');
const step = (page: Page, position: number, state: 'now' | 'done') =>
  page.locator(`#step-${position}.${state}`).waitFor(WAIT);

async function looksGood(page: Page, name: string): Promise<void> {
  for (const [size, width] of Object.entries({ wide: 1280, phone: 390 })) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
    await screenshots(page, `${name}-${size}`);
  }
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe('both tests with the mouse alone', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ clock: movingClock });
  }, 60_000);
  afterAll(() => world.close());

  test.each(['ETH', 'XRP'])(
    'in %s: withdrawal up to the balance, then the deposit up to CONFIRMED',
    SLOW,
    async symbol => {
      const page = await visit(`${world.url}/console/send`);
      await button(page, `Withdrawal test in ${symbol}`).click();
      await step(page, 1, 'now');
      await button(page, 'Ask the robot').click();
      await step(page, 2, 'now');
      await button(page, 'Pay from the faucet').click();
      await step(page, 3, 'now');
      await button(page, 'Report it').click();
      await step(page, 4, 'now');
      await button(page, 'Ask for the balance').click();
      await step(page, 4, 'done');
      expect(await page.locator('#balance').textContent()).toBe(`0.024 ${symbol}`);
      if (symbol === 'XRP') await looksGood(page, 'withdrawal');

      await page.getByRole('link', { name: 'the deposit test' }).click();
      await step(page, 1, 'now');
      if (symbol === 'XRP') await looksGood(page, 'deposit-begin');
      await button(page, 'Let the robot verify').click();
      await step(page, 2, 'now');
      await button(page, 'Let the robot pay').click();
      // The report arrives by itself: the page is not loaded again.
      await step(page, 4, 'now');
      await page.waitForURL(/verificationUuid=/);
      const uuid = new URL(page.url()).searchParams.get('verificationUuid')!;
      const [report] = world.vasp.callbacks(uuid).filter(({ callbackType }) => callbackType === 'TX_REPORT');
      expect(report).toBeDefined();
      while ((await page.locator('#step-4.done').count()) === 0) {
        await button(page, 'Ask for the status').click();
        await page.locator('#step-4 .badge').first().waitFor(WAIT);
      }
      expect(await page.locator('#step-4').textContent()).toContain('CONFIRMED');
      if (symbol === 'XRP') await looksGood(page, 'deposit');
    },
  );

  test('a user that is DENIED does not lead on; the reason stands there', SLOW, async () => {
    const page = await visit(`${world.url}/console/tests/withdrawal?symbol=ETH`);
    await page.getByLabel('To this user of the robot').selectOption('ethan-cook');
    await button(page, 'Ask the robot').click();
    await page.getByText('UNVERIFIED-KYC').waitFor(WAIT);
    await step(page, 1, 'now');
    expect(await page.locator('#step-2.later').count()).toBe(1);
  });

  test('more than the robot has received is refused with both figures', SLOW, async () => {
    const page = await visit(`${world.url}/console/tests/deposit?symbol=ETH`);
    await page.getByLabel('Amount in ETH').fill('1000');
    await button(page, 'Let the robot verify').click();
    await step(page, 2, 'now');
    await button(page, 'Let the robot pay').click();
    await notice(page).getByText('1000 ETH is needed').waitFor(WAIT);
    await step(page, 2, 'now');
  });
});

describe('send', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  }, 60_000);
  afterAll(() => world.close());

  const play = async (page: Page, group: string, entry: string) => {
    await page.goto(`${world.url}/console/send`);
    await page.getByText(group, { exact: true }).click();
    await page.getByRole('link', { name: entry, exact: true }).click();
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
    await button(page, 'Send').click();
    await expected(page);
  });

  test('an outcome that needs time: not yet, then after advancing', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Every result of a user verification', 'REQUEST-TIMEOUT');
    await button(page, 'Send').click();
    await notice(page).getByText('NOT YET').waitFor(WAIT);
    await looksGood(page, 'send-not-yet');
    await button(page, 'Advance the time').click();
    await expected(page);
  });

  test('an assessment asks for a verification first, and is played with one', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Sanction screening', 'SANCTION');
    await page.getByRole('link', { name: 'Verify first' }).click();
    await button(page, 'Send').click();
    await notice(page).getByText('VERIFIED').waitFor(WAIT);
    await play(page, 'Sanction screening', 'SANCTION');
    await button(page, 'Send').click();
    await expected(page);
    await play(page, 'Person screening', 'no match');
    await button(page, 'Send').click();
    await notice(page).getByText('NOT YET').waitFor(WAIT);
    await button(page, 'Advance the time').click();
    await expected(page);
  });

  test('catalogue: a fault is ordered as it stands there, and is in force', SLOW, async () => {
    const page = await visit(`${world.url}/console`);
    await play(page, 'Injected faults', 'callback drop');
    await button(page, 'Send').click();
    await notice(page).getByRole('link', { name: 'Active faults' }).click();
    await page.locator('#live').getByText('drop').first().waitFor(WAIT);
    expect((await world.api.faults()).faults).toMatchObject([{ target: 'callback', mode: 'drop', left: 1 }]);
    await world.api.removeFaults();
  });

  test('a choice fills the body in anew; the command to copy is the same request', SLOW, async () => {
    const page = await visit(`${world.url}/console/send`);
    await page.locator('select[name=symbol]').selectOption('XRP');
    await page.waitForURL(/symbol=XRP/, WAIT);
    const body = JSON.parse(await page.getByLabel('Body', { exact: true }).inputValue());
    expect(body.assetInfo.symbol).toBe('XRP');
    await page.locator('.curl button').click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl -s '${world.url}/v1/verifications'`);
    expect(command).toContain(JSON.stringify(body, null, 2));
    await looksGood(page, 'send');
  });

  test('what was edited is sent as it stands, and stands there afterwards', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-user`);
    await page.getByLabel('Body', { exact: true }).fill('{"keyType": "Nobody"}');
    await button(page, 'Send').click();
    await notice(page).getByText('answered 400').waitFor(WAIT);
    expect(await page.getByLabel('Body', { exact: true }).inputValue()).toBe('{"keyType": "Nobody"}');
    expect(await notice(page).textContent()).toContain('INVALID-KEY-TYPE');
  });

  test('without JavaScript: choices by their button, sending as well', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-account`, { javaScriptEnabled: false });
    await page.locator('select[name=symbol]').selectOption('XRP');
    await button(page, 'Update the request').click();
    expect(JSON.parse(await page.getByLabel('Body', { exact: true }).inputValue()).symbol).toBe('XRP');
    await button(page, 'Send').click();
    expect(await notice(page).textContent()).toContain('VERIFIED');
  });

  test(
    'every action has a form that is filled in, and says so where something is missing',
    SLOW,
    async () => {
      const page = await visit(`${world.url}/console/send`);
      const links = page.locator('.send-menu > ul a');
      const count = await links.count();
      expect(count).toBe(16);
      for (let position = 0; position < count; position++) {
        await links.nth(position).click();
        await page.locator('.send-menu a[aria-current]').waitFor(WAIT);
        await expectNoOverflow(page);
      }
    },
  );
});

describe('both tests with the keyboard alone, without a VASP of one’s own', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ endpoints: [] });
  }, 60_000);
  afterAll(() => world.close());

  async function press(page: Page, name: string): Promise<void> {
    await until(async () => {
      await page.keyboard.press('Tab');
      return (await page.locator(':focus').textContent())?.trim() === name;
    });
    await page.keyboard.press('Enter');
  }

  test('from the switch to the way on', SLOW, async () => {
    const page = await visit(`${world.url}/console/tests`);
    await press(page, 'Use our VASP');
    await notice(page).getByText('The reference VASP runs').waitFor(WAIT);
    await press(page, 'Withdrawal test');
    await step(page, 1, 'now');
    await press(page, 'Let the reference VASP withdraw');
    await step(page, 4, 'now');
    expect(await page.locator('#step-1 .exchange').textContent()).toContain('"keyType": "PerVasp"');
    await press(page, 'Ask for the balance');
    await step(page, 4, 'done');
    await page.getByText('Next: your own VASP.').waitFor(WAIT);
    await press(page, 'the deposit test');
    await step(page, 1, 'now');
    await press(page, 'Let the robot verify');
    await step(page, 2, 'now');
    await press(page, 'Let the robot pay');
    await step(page, 4, 'now');
    await press(page, 'Ask for the status');
    await page.locator('#step-4 .badge').first().waitFor(WAIT);
    expect(await page.locator('#step-3 .exchange').textContent()).toContain('TX_REPORT');
  });
});

describe('settings', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ endpoints: [] });
    const pendingAnswer = { verificationUuid: SAMPLE_UUID, transactionStatus: 'PENDING' };
    world.vasp.script('transactionStatus', undefined, { body: pendingAnswer });
  }, 60_000);
  afterAll(() => world.close());

  test('endpoints are entered, checked, a wrong one is explained and put right', SLOW, async () => {
    const page = await visit(`${world.url}/console/settings`);
    await looksGood(page, 'settings');
    const { verifyUser, verifyAccount, transactionStatus, callback } = world.vasp.endpoints;
    await page.getByLabel('Verify user').fill(verifyUser);
    await page.getByLabel('Verify account').fill(`${verifyAccount}-elsewhere`);
    await page.getByLabel('Transaction status').fill(transactionStatus);
    await page.getByLabel('Token', { exact: true }).fill('a-secret-token');
    await button(page, 'Save and call my endpoints now').click();
    const finding = page.locator('#check-verifyAccount');
    await finding.getByText('Answered with status 404').waitFor(WAIT);
    expect(await finding.textContent()).toContain('Compare the path');
    expect(await page.locator('#check-callback').textContent()).toContain('No address is configured');
    await looksGood(page, 'settings-wrong');

    await page.getByLabel('Verify account').fill(verifyAccount);
    await page.getByLabel('Callback').fill(callback);
    await button(page, 'Save').click();
    await notice(page).getByText('Saved.').waitFor(WAIT);
    await button(page, 'Call my endpoints now').click();
    await page.getByText('All endpoints answered correctly.').waitFor(WAIT);
    // The token was typed once: saving without it has left it as it was.
    expect(world.vasp.received('verifyUser').at(-1)!.headers.get('authorization')).toBe(
      'Bearer a-secret-token',
    );
    expect(await page.content()).not.toContain('a-secret-token');
    expect(await page.locator('.curl').textContent()).toContain(`VEGA_VERIFICATION_API_PATH=${verifyUser}`);
  });

  test('a second VASP is registered, signs in with its key, and sees its own data alone', SLOW, async () => {
    const page = await visit(`${world.url}/console/keys`);
    const who = () => page.locator('header .identity').textContent();
    await page.getByLabel('vaspId').fill('9200');
    await page.getByLabel('Name').last().fill('Second VASP');
    await button(page, 'Register').click();
    const apiKey = await notice(page).locator('.copyable code').textContent();
    expect(apiKey).toMatch(/^rv_/);
    await button(page, 'Sign in as Second VASP').click();
    await page.getByText('you signed in with its API key').waitFor(WAIT);
    expect(await who()).toBe('Second VASP');

    await page.getByLabel('API key of another VASP').fill('rv_nobody');
    await button(page, 'Sign in').click();
    await notice(page).getByText('This API key is unknown').waitFor(WAIT);
    expect(await who()).toBe('Second VASP');

    await page.goto(`${world.url}/console/send`);
    expect(await page.locator('.curl').textContent()).toContain('Authorization: Bearer $API_KEY');
    await page.goto(`${world.url}/console/keys`);
    await button(page, 'Sign out').click();
    await page.getByText('local mode').waitFor(WAIT);
    expect(await who()).toBe('Tested VASP');
    await page.getByLabel('API key of another VASP').fill(apiKey!);
    await button(page, 'Sign in').click();
    await page.getByText('you signed in with its API key').waitFor(WAIT);
  });

  test('all data of the VASP is removed only after a second yes', SLOW, async () => {
    const page = await visit(`${world.url}/console/send?action=verify-user`);
    await button(page, 'Send').click();
    await notice(page).getByText('VERIFIED').waitFor(WAIT);
    await page.goto(`${world.url}/console/settings`);
    await page.getByText('Remove all data of your VASP…').click();
    await page.getByText('This removes all verifications').waitFor();
    expect(await notice(page).textContent()).toBe('');
    await button(page, 'Yes, remove all data of your VASP').click();
    await notice(page).getByText('Your data was removed').waitFor(WAIT);
    await page.goto(`${world.url}/console/send?action=report-transaction`);
    await page.getByText('No verification fits yet').waitFor(WAIT);
  });
});
