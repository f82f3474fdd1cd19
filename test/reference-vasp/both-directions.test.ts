import { afterAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import type { DriverAction } from '../../src/contract/customers.ts';
import { robotAccountRequest, robotUserRequest } from '../../src/contract/sample-requests.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Ledger } from '../../src/reference-vasp/ledgers/port.ts';
import { createRobot } from '../../src/testing.ts';
import { until } from '../support/until.ts';

const robot = await createRobot();
const vasp = await joinSandbox({
  url: robot.url,
  waits: { inquiryMs: 300, inquiryIntervalMs: 300 },
  boundary: { paying: ledger => slow(ledger) },
});
afterAll(async () => {
  await vasp?.stop();
  await robot?.close();
});

/** The node tells its newest block when this has resolved, and nothing of a payment before. */
let nodeAnswers: Promise<unknown> = Promise.resolve();
/** The node takes no payments. */
let isDeaf = false;
let broadcasts = 0;
function slow(ledger: Ledger): Ledger {
  let headRead: Promise<unknown> = Promise.resolve();
  return {
    ...ledger,
    head() {
      const head = nodeAnswers.then(() => ledger.head());
      headRead = head;
      return head;
    },
    async paymentsOf(hash) {
      await headRead;
      return ledger.paymentsOf(hash);
    },
    async send(signed) {
      broadcasts += 1;
      if (isDeaf) throw new Error('the node takes nothing');
      await ledger.send(signed);
    },
  };
}

const drive = async (action: DriverAction, parameters: object): Promise<Response> =>
  fetch(vasp.endpoints.driver, {
    method: 'POST',
    headers: { authorization: `Bearer ${vasp.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      runId: 'run',
      module: 'W4.1',
      action,
      parameters,
      answerBy: new Date(Date.now() + 10_000).toISOString(),
    }),
  });

let tail = 0;
const uniqueAmount = () => `0.1${String(++tail).padStart(3, '0')}`;
const main = () => vasp.customers.customers[0]!;

const beneficiaryOf = (symbol: AssetSymbol, id = 'taylor-robbins') => {
  const { kind, names, accounts } = robot.user(id);
  return { vaspId: robot.robotVaspId, user: { kind, names }, account: accounts[symbol] };
};

const byAmount = async (amount: string) => {
  const { verifications } = await robot.api.list({ rpp: 100 });
  return verifications.find(each => each.assetInfo.amount === amount);
};

const order = (symbol: AssetSymbol, amount: string, user?: string) => ({
  symbol,
  amount,
  customer: main(),
  beneficiary: beneficiaryOf(symbol, user),
});
const balanceAtRobot = async (symbol: AssetSymbol) =>
  Number((await robot.api.balance(vasp.vaspId, symbol, beneficiaryOf(symbol).account)).value);
const balanceOf = async (symbol: AssetSymbol): Promise<number> => {
  const answer = await drive('balance', { symbol, customer: main() });
  expect(answer.status).toBe(200);
  return Number(((await answer.json()) as { value: string }).value);
};
const near = (actual: number, expected: number) => Math.abs(actual - expected) < 1e-9;

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('a withdrawal: verified, paid, reported, credited', async () => {
    const [before, own] = [await balanceAtRobot(symbol), await balanceOf(symbol)];
    const amount = uniqueAmount();
    expect((await drive('withdraw', order(symbol, amount))).status).toBe(202);
    await until(async () => near(await balanceAtRobot(symbol), before + Number(amount)));
    expect(await balanceOf(symbol)).toBeCloseTo(own - Number(amount), 9);
    const verification = await byAmount(amount);
    const { transactionStatus, txHash } = await robot.api.robotInquire(verification!.verificationUuid);
    expect([transactionStatus, txHash]).toEqual(['CONFIRMED', verification!.txHash]);
  });

  test('a withdrawal by the own interface of the VASP', async () => {
    const before = await balanceAtRobot(symbol);
    const amount = uniqueAmount();
    const headers = { authorization: `Bearer ${vasp.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ customerId: 'main', symbol, amount, beneficiary: beneficiaryOf(symbol) });
    const answer = await fetch(`${vasp.url}/withdrawals`, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    const read = async () =>
      (await (await fetch(`${vasp.url}/withdrawals/${id}`, { headers })).json()) as Record<string, unknown>;
    await until(async () => near(await balanceAtRobot(symbol), before + Number(amount)));
    await until(async () => (await read()).state === 'DONE');
    const { verificationUuid, txHash } = (await byAmount(amount))!;
    expect(await read()).toMatchObject({ id, verificationUuid, txHash });
  });

  test('a withdrawal without a report: the robot asks, and credits by the status answer', async () => {
    const before = await balanceAtRobot(symbol);
    const amount = uniqueAmount();
    await drive('send-without-report', order(symbol, amount));
    await until(async () => (await byAmount(amount))?.result === 'VERIFIED');
    const { verificationUuid } = (await byAmount(amount))!;
    await until(async () => (await robot.api.robotInquire(verificationUuid)).transactionStatus === 'CONFIRMED');
    await robot.clock.idle();
    expect(await balanceAtRobot(symbol)).toBeCloseTo(before + Number(amount), 9);
  });

  test('two withdrawals while the node takes nothing: each has its number, and both are paid', async () => {
    const before = await balanceAtRobot(symbol);
    const amounts = [uniqueAmount(), uniqueAmount()];
    isDeaf = true;
    for (const amount of amounts) {
      await drive('withdraw', order(symbol, amount));
      await until(async () => (await byAmount(amount))?.result === 'VERIFIED');
      const heard = broadcasts;
      await until(() => broadcasts >= heard + 4);
    }
    isDeaf = false;
    await until(async () => near(await balanceAtRobot(symbol), before + Number(amounts[0]) + Number(amounts[1])));
  });

  test('an error report: ERROR, and nothing is paid', async () => {
    const own = await balanceOf(symbol);
    const amount = uniqueAmount();
    await drive('report-error', order(symbol, amount));
    await until(async () => (await byAmount(amount))?.result === 'ERROR');
    const { reason, txHash, verificationUuid } = (await byAmount(amount))!;
    expect([reason, txHash]).toEqual(['USER-CANCELED', null]);
    expect((await robot.api.robotInquire(verificationUuid)).transactionStatus).toBe('CANCELED');
    expect(await balanceOf(symbol)).toBe(own);
  });

  test('a denied withdrawal is not paid', async () => {
    const own = await balanceOf(symbol);
    const amount = uniqueAmount();
    await drive('verify-user', order(symbol, amount, 'ethan-cook'));
    await until(async () => (await byAmount(amount))?.result === 'DENIED');
    const { verificationUuid, reason } = (await byAmount(amount))!;
    expect(reason).toBe('UNVERIFIED-KYC');
    await until(async () => (await robot.api.callbacks({ verificationUuid })).callbacks[0]?.status === 'DELIVERED');
    const { callbacks } = await robot.api.callbacks({ verificationUuid });
    expect(callbacks.map(({ callbackType }) => callbackType)).toEqual(['VERIFICATION_RESULT']);
    expect(await balanceOf(symbol)).toBe(own);
  });

  describe('deposits', () => {
    const robotPays = async (omitReport: boolean, amount: string): Promise<string> => {
      const user = robot.user('taylor-robbins');
      const to = main().accounts[symbol]!;
      const request = robotUserRequest({ vaspId: vasp.vaspId, user, symbol, amount, to });
      request.payload.ivms101.beneficiary.beneficiaryPersons = [
        {
          naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier: 'Barnes', secondaryIdentifier: 'Robert' }] } },
        },
      ];
      const { verificationUuid } = await robot.api.robotVerifyUser(request);
      await until(async () => (await robot.api.verification(verificationUuid)).result === 'VERIFIED');
      await robot.api.robotWithdraw(verificationUuid, omitReport);
      return verificationUuid;
    };

    test('an account verification: ours, nobody', async () => {
      const ask = async (to: string) => {
        const request = robotAccountRequest({ vaspId: vasp.vaspId, symbol, to });
        delete request.payload.ivms101.beneficiary.beneficiaryPersons;
        const { accountVerificationResult, reason } = await robot.api.robotVerifyAccount(request);
        return [accountVerificationResult, reason];
      };
      expect(await ask(main().accounts[symbol]!)).toEqual(['VERIFIED', undefined]);
      expect(await ask(vasp.customers.nobody![symbol]!)).toEqual(['DENIED', 'UNKNOWN-ADDRESS']);
    });

    test('the robot pays and reports: credited once', async () => {
      const before = await balanceOf(symbol);
      const uuid = await robotPays(false, '0.05');
      await until(async () => near(await balanceOf(symbol), before + 0.05));
      // Its own question may have told the VASP the hash before the report.
      const reports = async () =>
        (await robot.api.callbacks({ verificationUuid: uuid, type: 'TX_REPORT', status: 'DELIVERED' })).callbacks;
      await until(async () => (await reports()).length > 0);
      await robot.api.replay((await reports())[0]!.id);
      expect(await balanceOf(symbol)).toBeCloseTo(before + 0.05, 9);
    });

    test('D-18: the node tells the newest block only after the robot has paid: credited all the same', async () => {
      const before = await balanceOf(symbol);
      let answer = () => {};
      nodeAnswers = new Promise<void>(resolve => {
        answer = resolve;
      });
      const verificationUuid = await robotPays(false, '0.07');
      const named = { verificationUuid, type: 'TX_REPORT', status: 'DELIVERED' } as const;
      await until(async () => (await robot.api.callbacks(named)).callbacks.length > 0);
      answer();
      await until(async () => near(await balanceOf(symbol), before + 0.07));
    });

    test('the robot pays and does not report: the VASP asks, and credits', async () => {
      const before = await balanceOf(symbol);
      await robotPays(true, '0.06');
      await until(async () => near(await balanceOf(symbol), before + 0.06));
    });
  });
});
