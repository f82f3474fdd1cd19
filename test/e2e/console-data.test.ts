import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectAccessible,
  expectNoOverflow,
  SIZES,
  screenshots,
  useBrowser,
} from '../support/browser/browser.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** A tester uses the pages of users, money, timers, faults, chains, assessments and exchanges. */

const browser = useBrowser();
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());

const open = (path: string, options = {}) => browser.visit(`${world.url}/console${path}`, options);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const noticeText = async (page: Page): Promise<string> => (await page.locator('#notice').textContent()) ?? '';
const field = (within: Page | Locator, name: string) =>
  within.locator(`[name="${name}"]:not([type="hidden"])`);
const MORE_THAN_A_PAGE = 30;
const row = (page: Page, id: string) => page.locator(`tbody[id="${id}"]`);

async function resultOf(user: string) {
  const { users } = await world.api.users();
  const request = verificationOf({ ...world, user: id => users.find(each => each.id === id)! }, { user });
  const { verificationUuid } = await world.api.verifyUser(request);
  const callback = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  return { verificationUuid, result: callback.verificationResult, reason: callback.reason };
}

describe('timers', () => {
  test('time is advanced by a button: what fired is told, and has happened', async () => {
    const request = verificationOf(world, { user: 'never-answers' });
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    const page = await open('/timers');
    await press(page, '10 s');
    const fired = page.locator('#notice li', { hasText: 'The verification times out' });
    expect(await fired.getByRole('link').getAttribute('href')).toBe(`/console/verifications/${uuid}`);
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
  });

  test('the next timer is one press away, and an own duration is read', async () => {
    const { uuid } = await verified(world);
    const page = await open('/timers');
    const pending = row(page, `timer-robot_deposit_inquire-${uuid}`);
    expect(await pending.textContent()).toContain('status query, unless a transaction report comes first');
    await page.getByRole('button', { name: /^To the next timer/ }).click();
    expect(await noticeText(page)).toContain('The robot asks for the status of a transaction');
    await field(page, 'own').fill('2d');
    await press(page, 'Advance');
    expect(await noticeText(page)).toContain('fired');
    const { timers } = await world.api.timers();
    expect(timers.filter(({ key }) => key === uuid)).toEqual([]);
  });

  test('what is no duration is refused with code and message', async () => {
    const page = await open('/timers');
    await field(page, 'own').fill('tomorrow');
    await press(page, 'Advance');
    expect(await noticeText(page)).toMatch(/duration.*400 BAD-REQUEST/);
    expect(await field(page, 'own').inputValue()).toBe('tomorrow');
  });

  test('typed input outlives a live update', async () => {
    const page = await open('/timers');
    await field(page, 'own').fill('36h');
    const { uuid } = await verified(world);
    await row(page, `timer-robot_deposit_inquire-${uuid}`).waitFor();
    expect(await field(page, 'own').inputValue()).toBe('36h');
  });
});

describe('users', () => {
  test('a user is added with a behaviour, behaves like it, is changed, removed and restored', async () => {
    const page = await open('/users');
    await field(page, 'userId').fill('mira-denied');
    await field(page.locator('#add-user'), 'behaviour').selectOption('NOT-ALLOWED');
    await field(page, 'firstName').fill('Mira');
    await field(page, 'lastName').fill('Lang');
    await press(page, 'Add');
    expect(await noticeText(page)).toContain('Mira Lang is now a user of the robot.');
    expect(await row(page, 'user-mira-denied').textContent()).toContain('DENIED / NOT-ALLOWED');
    expect(await resultOf('mira-denied')).toMatchObject({ result: 'DENIED', reason: 'NOT-ALLOWED' });

    await page.getByRole('link', { name: 'Change mira-denied' }).click();
    await field(page, 'behaviour').selectOption('ORDINARY');
    await press(page, 'Change');
    expect(await noticeText(page)).toContain('Mira Lang was changed');
    expect(await resultOf('mira-denied')).toMatchObject({ result: 'VERIFIED' });

    await page.getByText('Remove mira-denied…').click();
    await press(page, 'Yes, remove mira-denied');
    expect(await noticeText(page)).toContain('mira-denied was removed');
    expect(await row(page, 'user-mira-denied').count()).toBe(0);

    await page.getByRole('link', { name: 'Change taylor-robbins' }).click();
    await page.getByText('Remove taylor-robbins…').click();
    await press(page, 'Yes, remove taylor-robbins');
    expect(await row(page, 'user-taylor-robbins').count()).toBe(0);
    await page.getByText('Restore all users…').click();
    await press(page, 'Yes, restore all users');
    expect(await row(page, 'user-taylor-robbins').count()).toBe(1);
  });

  test('a company has its own fields, and what is refused stands in the form again', async () => {
    const page = await open('/users');
    await field(page, 'userId').fill('Not Kebab');
    await field(page, 'kind').selectOption('legal');
    await field(page, 'legalName').fill('Lantern GmbH');
    await field(page, 'representatives').fill('Moser, Ida\nKeller, Jon');
    expect(await field(page, 'firstName').isVisible()).toBe(false);
    await press(page, 'Add');
    expect(await noticeText(page)).toMatch(/kebab-case.*400 BAD-REQUEST/);
    expect(await field(page, 'legalName').inputValue()).toBe('Lantern GmbH');
    await field(page, 'userId').fill('lantern');
    await press(page, 'Add');
    const { users } = await world.api.users();
    expect(users.find(({ id }) => id === 'lantern')).toMatchObject({
      kind: 'legal',
      names: {
        legalName: 'Lantern GmbH',
        representatives: [
          { lastName: 'Moser', firstName: 'Ida' },
          { lastName: 'Keller', firstName: 'Jon' },
        ],
      },
    });
    await world.api.restoreUsers();
  });

  test('the list is narrowed by behaviour, and an address is copied', async () => {
    const page = await open('/users');
    await field(page.locator('form.filter'), 'behaviour').selectOption('TRANSFER-PENDING');
    await press(page, 'Filter');
    expect(await page.locator('tbody').count()).toBe(1);
    const { ETH } = world.user('transfer-pending').accounts;
    await page.getByRole('button', { name: `Copy ${ETH}` }).click();
    await until(async () => (await page.evaluate<string>('navigator.clipboard.readText()')) === ETH);
  });
});

describe('faults', () => {
  test('a fault is added by mouse, listed, hits and is gone', async () => {
    const page = await open('/faults');
    await field(page, 'target').selectOption('callback.VERIFICATION_RESULT');
    await press(page, 'Show its modes');
    await press(page, 'Add duplicate');
    expect(await noticeText(page)).toContain('Added: duplicate of callback.VERIFICATION_RESULT');
    const [fault] = (await world.api.faults()).faults;
    expect(await row(page, `fault-${fault!.id}`).textContent()).toContain('once');

    const { verificationUuid } = await resultOf('ethan-cook');
    await world.vasp.arrived('callback', verificationUuid, 2);
    await row(page, `fault-${fault!.id}`).waitFor({ state: 'detached' });
    expect(await page.getByText('No fault is active').count()).toBe(1);
  });

  test('without JavaScript: first the target, then a mode that it knows, for one verification', async () => {
    const { uuid } = await verified(world);
    const page = await open(`/faults?verificationUuid=${uuid}`, { javaScriptEnabled: false });
    await field(page, 'target').selectOption('robot.transactionStatus');
    await press(page, 'Show its modes');
    const modes = await page.locator('#modes h3').allTextContents();
    expect(modes.slice(1)).toEqual(['delay', 'drop', 'status', 'malformed', 'never-answer']);
    const status = page.locator('article', {
      has: page.getByRole('heading', { name: 'status', exact: true }),
    });
    await field(status, 'status').fill('500');
    await field(status, 'times').fill('');
    await press(page, 'Add status');
    const { faults } = await world.api.faults();
    expect(faults).toMatchObject([
      { target: 'robot.transactionStatus', mode: 'status', verificationUuid: uuid, times: null },
    ]);
    await press(page, 'Remove status of robot.transactionStatus');
    expect((await world.api.faults()).faults).toEqual([]);
  });

  test('what is refused is said with code and message, and all are removed at once', async () => {
    const page = await open('/faults');
    const status = page.locator('#add-callback-status');
    await field(status, 'status').fill('200');
    await press(page, 'Add status');
    expect(await noticeText(page)).toMatch(/status.*400 BAD-REQUEST/);
    expect(await field(status, 'status').inputValue()).toBe('200');
    await press(page, 'Add drop');
    await press(page, 'Add malformed');
    await press(page, 'Remove all 2');
    expect(await noticeText(page)).toContain('2 faults were removed.');
  });
});

describe('chains', () => {
  test.each(['ETH', 'XRP'] as const)(
    '%s: the faucet funds an address, and its transaction is shown',
    async symbol => {
      const address = freshAddress(symbol);
      const page = await open('/chains');
      const section = page.locator(`#chain-${symbol}`);
      await field(section, 'address').fill(address);
      await field(section, 'amount').fill('37.5');
      await section.getByRole('button', { name: 'Fund' }).click();
      expect(await noticeText(page)).toContain(`The faucet paid 37.5 ${symbol} to ${address}.`);
      await page.locator('#notice a').click();
      const shown = (await page.locator('.definition-list').textContent()) ?? '';
      for (const part of ['SUCCEEDED', address, `37.5 ${symbol}`]) expect(shown).toContain(part);
    },
  );

  test('a knob is turned, and what the chain refuses is said', async () => {
    const page = await open('/chains');
    const head = async () => (await world.api.info()).chains.find(({ symbol }) => symbol === 'ETH')!.head!;
    const before = await head();
    const mine = page.locator('#knob-ETH-mine');
    await field(mine, 'blocks').fill('3');
    await mine.getByRole('button').click();
    expect(await noticeText(page)).toContain(`ETH: Mine is done. The newest block is ${before + 3}.`);
    await field(page.locator('#knob-ETH-drop'), 'txHash').fill('0x12');
    await page.locator('#knob-ETH-drop').getByRole('button').click();
    expect(await noticeText(page)).toMatch(/txHash.*400 BAD-REQUEST/);
    expect(await field(page.locator('#knob-ETH-drop'), 'txHash').inputValue()).toBe('0x12');
  });

  test('while blocks are held a transaction waits, and the page of the transaction says so', async () => {
    const wallet = await world.wallet('ETH');
    const { hash, send } = await wallet.prepare(freshAddress('ETH'), '0.01');
    const page = await open('/chains');
    await press(page, 'ETH: Hold');
    const sent = send();
    const outcome = async () => {
      await page.goto(`${world.url}/console/chain/ETH/${hash}`);
      return page
        .locator('.definition-list .badge')
        .first()
        .textContent({ timeout: 1_000 })
        .catch(() => 'unknown');
    };
    await until(async () => (await outcome()) === 'WAITING');
    await page.goto(`${world.url}/console/chains`);
    await press(page, 'ETH: Release');
    await sent;
    expect(await outcome()).toBe('SUCCEEDED');
  });

  test('a hash that the chain does not know, and a chain that is not here', async () => {
    const page = await open(`/chain/ETH/0x${'ab'.repeat(32)}`);
    expect(await page.locator('.empty').textContent()).toContain('has no transaction with this hash');
    await page.goto(`${world.url}/console/chain/BTC/00`);
    expect(await page.locator('.empty').textContent()).toContain('There is no chain for BTC');
  });
});

describe('money', () => {
  let moving: World;
  beforeAll(async () => {
    moving = await createWorld({ clock: movingClock });
  });
  afterAll(() => moving?.close());

  test('a deposit and a transfer appear with balances, and their links lead to the chain', async () => {
    const page = await browser.visit(`${moving.url}/console/money`);
    const amount = await received(moving, { symbol: 'ETH', amount: '2.25' });
    const paying = await verifiedForRobot(moving, { symbol: 'ETH', amount: '0.75' });
    await moving.api.letRobotWithdraw(paying.uuid);
    await reaches(moving, paying.uuid, 'CONFIRMED');

    const transfer = row(page, `transfer-${paying.uuid}`);
    await transfer.getByText('CONFIRMED', { exact: true }).waitFor();
    const { ETH: from } = moving.user('taylor-robbins').accounts;
    const balance = await row(page, `balance-ETH-${from}`).locator('td').allTextContents();
    expect(balance.slice(3)).toEqual([amount, '0', '0.75', '1.5']);
    expect(await page.getByText('CREDITED').count()).toBeGreaterThan(0);

    await transfer.locator('a[href^="/console/chain/ETH/"]').first().click();
    const shown = (await page.locator('.definition-list').textContent()) ?? '';
    for (const part of ['SUCCEEDED', '0.75 ETH', paying.to])
      expect(shown.toLowerCase()).toContain(part.toLowerCase());
  });
});

describe('assessments and exchanges', () => {
  test('an assessment is listed with its verdict and all details', async () => {
    const { uuid } = await verified(world, { user: 'sanctioned-address' });
    await world.api.assessSanction(uuid);
    const { requestId } = await world.api.assessKyt(uuid);
    await world.advance('3s');
    const page = await open(`/assessments?verificationUuid=${uuid}`);
    expect(await page.locator('tbody').count()).toBe(2);
    expect(await row(page, `assessment-${requestId}`).textContent()).toContain('SEVERE');
    await page.locator(`#details-${requestId} summary`).click();
    expect(await page.locator(`#details-${requestId} pre`).textContent()).toContain('"alertLevel": "SEVERE"');
  });

  test('exchanges of one verification, both ways, with bodies; the list goes on page by page', async () => {
    const { uuid } = await verified(world);
    const page = await open(`/exchanges?verificationUuid=${uuid}`);
    const rows = (await page.locator('tbody').allTextContents()).join();
    for (const part of ['from your VASP', 'to your VASP', 'verify-user', 'callback'])
      expect(rows).toContain(part);
    await page.locator('summary').first().click();
    expect(await page.locator('details[open] pre').first().textContent()).toContain('"VERIFICATION_RESULT"');

    const isCalled = () => world.api.verification(uuid);
    await Promise.all(Array.from({ length: MORE_THAN_A_PAGE }, isCalled));
    await page.goto(`${world.url}/console/exchanges`);
    const first = await page.locator('tbody').first().getAttribute('id');
    await page.getByRole('link', { name: 'Older →' }).click();
    expect(await page.locator(`tbody[id="${first}"]`).count()).toBe(0);
    await page.getByRole('link', { name: '← Newer' }).click();
    await page.locator(`tbody[id="${first}"]`).waitFor();
  });
});

const PAGES = [
  'users',
  'users/garrit-studio',
  'money',
  'timers',
  'faults',
  'chains',
  'assessments',
  'exchanges',
];

describe('every page', () => {
  test.each(PAGES)('%s: accessible in light and dark, nothing sticks out, on a phone too', async path => {
    await world.api.addFault({ target: 'answer.get-self', mode: 'drop' });
    const page = await open(`/${path}`);
    for (const summary of (await page.locator('#live summary').all()).slice(0, 3)) await summary.click();
    await expectAccessible(page);
    for (const size of ['wide', 'phone'] as const) {
      await page.setViewportSize(SIZES[size]);
      await expectNoOverflow(page);
      await screenshots(page, `${path.replace('/', '-')}-${size}`);
    }
    await world.api.removeFaults();
  });

  test('when empty they say what fills them', async () => {
    await world.api.reset();
    const page = await open('');
    for (const path of ['money', 'timers', 'faults', 'assessments', 'exchanges']) {
      await page.goto(`${world.url}/console/${path}`);
      expect(await page.locator('.empty').count(), path).toBeGreaterThan(0);
    }
  });
});
