import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { button, field, leave, noticeText, press, row } from '../support/browser/forms.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A tester looks at chains, money, assessments and exchanges. */

const browser = useBrowser();
const world = await forFile(createWorld());

const open = (path: string, options = {}) => browser.visit(`${world.url}/console${path}`, options);
const MORE_THAN_A_PAGE = 30;

describe('chains', () => {
  test.each(['ETH', 'XRP'] as const)('%s: the faucet funds an address, and its transaction is shown', async symbol => {
    const address = freshAddress(symbol);
    const page = await open('/chains');
    const section = page.locator(`#chain-${symbol}`);
    await field(section, 'address').fill(address);
    await field(section, 'amount').fill('37.5');
    await leave(page, button(section, 'Fund'));
    expect(await noticeText(page)).toContain(`The faucet paid 37.5 ${symbol} to ${address}.`);
    await leave(page, page.locator('#notice a'));
    const shown = (await page.locator('.definition-list').textContent()) ?? '';
    for (const part of ['SUCCEEDED', address, `37.5 ${symbol}`]) expect(shown).toContain(part);
  });

  test('a chain control is turned, and what the chain refuses is said', async () => {
    const page = await open('/chains');
    const head = async () => (await world.api.info()).chains.find(({ symbol }) => symbol === 'ETH')!.head!;
    const before = await head();
    const mine = page.locator('#control-ETH-mine');
    await field(mine, 'blocks').fill('3');
    await leave(page, mine.getByRole('button'));
    expect(await noticeText(page)).toContain(`ETH: Mine is done. The newest block is ${before + 3}.`);
    await field(page.locator('#control-ETH-drop'), 'txHash').fill('0x12');
    await leave(page, page.locator('#control-ETH-drop').getByRole('button'));
    expect(await noticeText(page)).toMatch(/txHash.*400 BAD-REQUEST/);
    expect(await field(page.locator('#control-ETH-drop'), 'txHash').inputValue()).toBe('0x12');
  });

  test('while blocks are held a transaction waits, and the page of the transaction says so', async () => {
    const wallet = await world.wallet('ETH');
    const { hash, send } = await wallet.prepare(freshAddress('ETH'), '0.01');
    const page = await open('/chains');
    await press(page, 'ETH: Hold');
    const sent = send();
    const outcome = async () => {
      await page.goto(`${world.url}/console/chain/ETH/${hash}`);
      return (await page.locator('.definition-list .badge').allTextContents())[0] ?? 'unknown';
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

describe('money', async () => {
  const moving = await forFile(createWorld({ clock: movingClock }));

  test('a deposit and a transfer appear with balances, and their links lead to the chain', async () => {
    const page = await browser.visit(`${moving.url}/console/money`);
    const amount = await received(moving, { symbol: 'ETH', amount: '2.25' });
    const paying = await verifiedForRobot(moving, { symbol: 'ETH', amount: '0.75' });
    await moving.api.robotWithdraw(paying.uuid);
    await reaches(moving, paying.uuid, 'CONFIRMED');

    const transfer = row(page, `transfer-${paying.uuid}`);
    await transfer.getByText('CONFIRMED', { exact: true }).waitFor();
    const { ETH: from } = moving.user('taylor-robbins').accounts;
    const balance = await row(page, `balance-ETH-${from}`).locator('td').allTextContents();
    expect(balance.slice(3)).toEqual([amount, '0', '0.75', '1.5']);
    expect(await page.getByText('CREDITED').count()).toBeGreaterThan(0);

    await leave(page, transfer.locator('a[href^="/console/chain/ETH/"]').first());
    const shown = (await page.locator('.definition-list').textContent()) ?? '';
    for (const part of ['SUCCEEDED', '0.75 ETH', paying.to]) expect(shown.toLowerCase()).toContain(part.toLowerCase());
  });

  test('a denied verification says why before anything else, and a bar opens its exchange', async () => {
    const request = verificationOf(moving, { user: 'ethan-cook' });
    const { verificationUuid } = await moving.api.verifyUser(request);
    await moving.api.advance('0s');
    const page = await browser.visit(`${moving.url}/console/verifications/${verificationUuid}`);
    const why = page.locator('.why');
    await why.getByRole('link', { name: 'UNVERIFIED-KYC' }).waitFor();
    expect(await why.textContent()).toContain('What to do:');
    const size = (of: string) =>
      page.evaluate<number>(`parseFloat(getComputedStyle(document.querySelector('${of}')).fontSize)`);
    expect(await size('.why')).toBeGreaterThan(await size('.definition-list'));
    const bar = page.locator('.waterfall').getByRole('link', { name: 'verify-user' });
    const opened = page.locator((await bar.getAttribute('href'))!);
    expect(await opened.getAttribute('open')).toBeNull();
    await bar.click();
    expect(await opened.getAttribute('open')).not.toBeNull();
    await opened.getByText('/v1/verifications').first().waitFor();
  });

  test('a callback that waits for its next attempt is sent at once by a button', async () => {
    await moving.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 4 });
    const { verificationUuid } = await moving.api.verifyUser(verificationOf(moving));
    await moving.api.advance('1m');
    const page = await browser.visit(`${moving.url}/console/verifications/${verificationUuid}`);
    await leave(page, page.getByRole('button', { name: 'Retry now: VERIFICATION_RESULT' }));
    await moving.api.advance('0s');
    await page.locator('tbody').getByText('DELIVERED').first().waitFor();
    expect(await page.locator('.waterfall').textContent()).toContain('pause before the next attempt');
    await moving.api.removeFaults();
  });

  test('a verification that is paid does not offer to pay', async () => {
    await received(moving, { symbol: 'XRP', amount: '2' });
    const { uuid } = await verifiedForRobot(moving, { symbol: 'XRP', amount: '1' });
    const page = await browser.visit(`${moving.url}/console/verifications/${uuid}`);
    const pay = page.getByRole('button', { name: 'Let the robot pay', exact: true });
    await leave(page, pay);
    await page.getByRole('button', { name: 'Ask for the transaction status' }).waitFor();
    expect(await pay.count()).toBe(0);
  });
});

describe('assessments and exchanges', () => {
  test('an assessment is listed with its verdict and all details', async () => {
    const { uuid } = await verified(world, { user: 'sanctioned-address' });
    await world.api.assessSanction({ verificationUuid: uuid });
    const { requestId } = await world.api.assessKyt({ verificationUuid: uuid });
    await world.advance('3s');
    const page = await open(`/assessments?verificationUuid=${uuid}`);
    expect(await page.locator('tbody').count()).toBe(2);
    expect(await row(page, `assessment-${requestId}`).textContent()).toContain('SEVERE');
    await page.locator(`#details-${requestId} summary`).click();
    expect(await page.locator(`#details-${requestId} pre`).textContent()).toContain('"alertLevel": "SEVERE"');
  });

  test('exchanges of one verification, both ways, with bodies; the list goes on page by page', async () => {
    const { uuid } = await verified(world);
    await world.idle();
    const page = await open(`/exchanges?verificationUuid=${uuid}`);
    const rows = (await page.locator('tbody').allTextContents()).join();
    for (const part of ['from your VASP', 'to your VASP', 'verify-user', 'callback']) expect(rows).toContain(part);
    await leave(page, page.locator('tbody td.line a').first());
    expect(await page.locator('.shown pre').first().textContent()).toContain('"VERIFICATION_RESULT"');

    const isCalled = () => world.api.verification(uuid);
    await Promise.all(Array.from({ length: MORE_THAN_A_PAGE }, isCalled));
    await page.goto(`${world.url}/console/exchanges`);
    const first = await page.locator('tbody').first().getAttribute('id');
    await leave(page, page.getByRole('link', { name: 'Older →' }));
    expect(await page.locator(`tbody[id="${first}"]`).count()).toBe(0);
    await page.getByRole('link', { name: '← Newest' }).click();
    await page.locator(`tbody[id="${first}"]`).waitFor();
  });
});

test('an empty page says what fills it', async () => {
  await world.api.reset();
  for (const path of ['money', 'timers', 'faults', 'assessments', 'exchanges']) {
    const text = await (await fetch(`${world.url}/console/${path}`)).text();
    expect(text, path).toContain('class="empty"');
  }
});
