import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { CannotPay, type Ledger } from '../../src/reference-vasp/ledgers/port.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { rpcAt } from '../support/chains/on-chain.ts';
import { all, answers, balanceWrongBy, creditsDelivered, firstOnly } from '../support/plans/break-a-rule.ts';
import { ACCOUNT, answersEdited, asksEdited, hearsEdited, INQUIRY, USER } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** VASPs whose messages look otherwise than those of the reference VASP, and are right. */

const robot = await forFile(planSandbox(PATIENT));

const isFirst = firstOnly();

const withoutMoneyAtFirst = (ledger: Ledger): Ledger => {
  let isPoor = true;
  return {
    ...ledger,
    async sign(...order) {
      if (!isPoor) return ledger.sign(...order);
      isPoor = false;
      throw new CannotPay('insufficient funds');
    },
  };
};

/** The ledger is held while the first payment waits. */
const afterFirstBlock = (ledger: Ledger): Ledger => {
  let isPaid: Promise<unknown> | undefined;
  return {
    ...ledger,
    async sign(...order) {
      isPaid ??= robot.api.faucet('ETH', ledger.accountOf(0), '0.1');
      await isPaid;
      return ledger.sign(...order);
    },
  };
};

/** Somebody else pays the faucet nearly as much as the faucet has paid, before the VASP asks about it. */
function othersPayTheFaucet(): Boundary {
  let amount = '0';
  let isPaid = false;
  return all(
    hearsEdited('/verify-user', ({ assetInfo }) => {
      amount = assetInfo.amount;
    }),
    {
      asking: next => async request => {
        if (new URL(request.url).pathname === INQUIRY && !isPaid) {
          isPaid = true;
          const { txHash } = await robot.api.faucet('ETH', OTHER, '0.01');
          await robot.api.faucet(
            'ETH',
            (await rpc<{ from: string }>('eth_getTransactionByHash', txHash))!.from,
            formatUnits((toUnits(amount, 18) * 95n) / 100n, 18),
          );
        }
        return next(request);
      },
    },
  );
}
const OTHER = `0x${'5'.repeat(40)}`;

const rpc = <T>(method: string, ...params: unknown[]) => rpcAt(`${robot.url}/devnet/ethereum`)<T>(method, ...params);

const RIGHT: Record<string, { modules: string[]; boundary: Boundary }> = {
  'REF-4.6.2: somebody else pays the faucet nearly as much': { modules: ['D8'], boundary: othersPayTheFaucet() },
  'WIRE-3.2: members that were not requested are there, and empty': {
    modules: ['D2.a'],
    boundary: answersEdited('/verify-user', ({ ivms101 }) => {
      const [{ naturalPerson }] = ivms101.beneficiary.beneficiaryPersons;
      naturalPerson.name.localNameIdentifier = [];
      naturalPerson.nationality = null;
      naturalPerson.dateAndPlaceOfBirth = { dateOfBirth: '', placeOfBirth: '' };
    }),
  },
  'README: an answer of nearly 256 KiB, with members that nobody knows': {
    modules: ['D2.a'],
    boundary: answersEdited('/verify-user', body => Object.assign(body, { padding: 'x'.repeat(180_000) })),
  },
  'REF-4.6.11: its money comes after its first withdrawal': {
    modules: ['W4.11'],
    boundary: { paying: withoutMoneyAtFirst },
  },
  'REF-4.6.11: its money comes with the first block': { modules: ['W4.11'], boundary: { paying: afterFirstBlock } },
  'WIRE-1: the time of the price is in basic form': {
    modules: ['W3.a'],
    boundary: asksEdited(USER, ({ assetInfo }) => {
      assetInfo.tradeISODatetime = '20260303T124534.085Z';
    }),
  },
  'REF-2.2: its prices are whole units, and a small amount costs none': {
    modules: ['W3.x', 'W3.y'],
    boundary: asksEdited(USER, ({ assetInfo }) => {
      const price = Math.trunc(Number(assetInfo.amount) * 600);
      Object.assign(assetInfo, {
        tradePrice: String(price),
        tradeCurrency: 'USD',
        isExceedingThreshold: price >= 1000,
      });
    }),
  },
  'REF-3: the VASP looks at its chain seldom, so its first status is old': {
    modules: ['W4.2'],
    boundary: answers('/transaction-status', body =>
      isFirst(body) ? { ...body, transactionStatus: 'PROCESSING' } : body,
    ),
  },
  'REF-4.5: its driver takes long for a balance, and it notices late that its clock was moved': {
    modules: ['W4.2', 'D6'],
    boundary: {
      serving: next => async request => {
        if ((await request.clone().text()).includes('"action":"balance"')) await delay(700);
        return next(request);
      },
    },
  },
  'WIRE-2.3: it asks about the address only': {
    modules: ['W2'],
    boundary: asksEdited(ACCOUNT, ({ payload }) => delete payload.ivms101.beneficiary.beneficiaryPersons),
  },
  'WIRE-3.4: it answers 200 to every callback, and reads it later': {
    modules: ['C1', 'C5', 'S2'],
    boundary: answers('/callback', () => ({ result: true })),
  },
  'WIRE-3: it answers 200 with a result that is not VERIFIED to a wrong body': {
    modules: ['S2'],
    boundary: all(
      answers('/verify-account', () => ({ accountVerificationResult: 'DENIED', reason: 'UNDEFINED-ERROR' })),
      answers('/verify-user', () => ({ result: 'ERROR', reason: 'UNDEFINED-ERROR', message: '' })),
      answers('/transaction-status', () => ({ verificationUuid: '', transactionStatus: 'PENDING' })),
    ),
  },
};

describe.concurrent('it passes', () => {
  test.each(Object.entries(RIGHT))('%s', async (_, { modules, boundary }) => {
    const report = await runPlan(robot, { modules, symbols: ['ETH'] }, { boundary });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  });
});

/** A payment of Ethereum is final to this VASP when as many blocks hold it as exchanges commonly want. */
const waitsForConfirmations = (wanted: number): Boundary => {
  const isFinal = async (hash: string) => {
    const receipt = await rpc<{ blockNumber: string }>('eth_getTransactionReceipt', hash);
    return receipt !== undefined && Number(await rpc('eth_blockNumber')) - Number(receipt.blockNumber) + 1 >= wanted;
  };
  return {
    paying: ledger => ({
      ...ledger,
      statusOf: async signed => {
        const status = await ledger.statusOf(signed);
        return status === 'CONFIRMED' && !(await isFinal(signed.hash)) ? 'WAIT-CONFIRM' : status;
      },
      paymentsOf: async hash => ((await isFinal(hash)) ? ledger.paymentsOf(hash) : undefined),
    }),
  };
};

test('REF-3: a VASP may wait for twelve confirmations, on a chain without blocks of its own', async () => {
  const settings = {
    modules: ['D3', 'D6', 'D16', 'W4.1', 'W4.2', 'W4.6', 'W4.11'],
    wait: '20s',
    inquiryWait: '20s',
    symbols: ['ETH' as const],
  };
  const report = await runPlan(robot, settings, { boundary: waitsForConfirmations(12) });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});

/** It names its company by this LEI. */
const withLei = (nationalIdentifier: string): Boundary =>
  asksEdited(USER, ({ payload }) => {
    const [{ legalPerson }] = payload.ivms101.originator.originatorPersons;
    legalPerson.nationalIdentification = { nationalIdentifier, nationalIdentifierType: 'LEIX' };
  });

test.concurrent.each([
  ['529900T8BM49AURSDO55', 'PASSED', ''],
  ['529900T8BM49AURSDO54', 'WARNING', 'The check digits of the LEI are wrong.'],
  [' 529900T8BM49AURSDO55', 'FAILED', 'Blanks stand around the value.'],
  ['529900T8BM49AURSDO5', 'FAILED', 'The value is no LEI.'],
])('C11, WIRE-4: the LEI `%s` of the company that pays: %s', async (lei, result, got) => {
  const settings = { modules: ['W3.aa'], symbols: ['ETH' as const] };
  const { modules } = await runPlan(robot, settings, { boundary: withLei(lei) });
  const judged = modules[0]!.conditions.find(({ id }) => id === 'W3.aa.ivms101');
  expect(judged).toMatchObject({ result, got: expect.stringContaining(got) });
});

test('D-26: a VASP that does not look into contracts is not judged about them', async () => {
  const plainOnly: Boundary = {
    paying: ledger => ({ ...ledger, paymentsOf: async hash => (await ledger.paymentsOf(hash))?.slice(0, 1) }),
  };
  const settings = { modules: ['D15', 'D3'], symbols: ['ETH' as const] };
  const report = await runPlan(robot, settings, { boundary: plainOnly });
  expect(failedConditions(report)).toEqual([]);
  expect(report.modules.map(({ result, skippedBecause }) => [result, skippedBecause])).toEqual([
    ['PASSED', null],
    ['SKIPPED', expect.stringContaining('The VASP has credited no payment of the contract.')],
  ]);
});

test('XRPL-6: the delivered part of a partial payment is credited, or nothing is', async () => {
  for (const boundary of [creditsDelivered(robot.url), undefined]) {
    const settings = { modules: ['D7.p'], symbols: ['XRP' as const] };
    const report = await runPlan(robot, settings, boundary ? { boundary } : {});
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  }
});

test.each(['ETH', 'XRP'] as const)('the balance of a customer who owes %s may be negative', async symbol => {
  const owes = balanceWrongBy(() => -toUnits('5000', 18));
  const report = await runPlan(robot, { modules: ['D3', 'D7.a'], symbols: [symbol] }, { boundary: owes });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});

/** It shows a withdrawal in the balance only when the next deposit is reported. */
function booksLate(): Boundary {
  let withdrawn = '0';
  return balanceWrongBy(({ action, parameters, callbackType }) => {
    if (action === 'withdraw') withdrawn = parameters.amount;
    if (callbackType === 'TX_REPORT') withdrawn = '0';
    return toUnits(withdrawn, 18);
  });
}

/** It takes a withdrawal from the balance at once. What has failed comes back with the next deposit. */
function givesBackLate(): Boundary {
  let withdrawn = '0';
  let isFailed = false;
  return balanceWrongBy(({ action, parameters, callbackType, data }) => {
    if (action === 'withdraw') withdrawn = parameters.amount;
    if (callbackType === 'VERIFICATION_RESULT' && data.verificationResult === 'ERROR') isFailed = true;
    if (callbackType === 'TX_REPORT' && isFailed) withdrawn = '0';
    return -toUnits(withdrawn, 18);
  });
}

test.each([
  ['books a withdrawal late', ['W4.1', 'D3'], booksLate],
  ['gives a failed withdrawal back late', ['W3.z', 'D19'], givesBackLate],
])(
  'REF-4.6.2: a VASP that %s passes',
  async (_, modules, boundary) => {
    const settings = { modules, wait: '6s', symbols: ['ETH' as const] };
    const report = await runPlan(robot, settings, { boundary: boundary() });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  },
  60_000,
);

/** The first payment that is reported gets into the balance with the second report only. */
function creditsFirstLate(): Boundary {
  const amounts = new Map<string, string>();
  let hidden = '0';
  let reports = 0;
  return balanceWrongBy(body => {
    if (body.assetInfo) amounts.set(body.verificationUuid, body.assetInfo.amount);
    if (body.callbackType === 'TX_REPORT') {
      reports++;
      hidden = reports === 1 ? amounts.get(body.data.verificationUuid)! : '0';
    }
    return -toUnits(hidden, 18);
  });
}

/** The first credit changes when the next verification begins. */
function changesFirst(sign: bigint): Boundary {
  let first: string | undefined;
  let more = 0n;
  return balanceWrongBy(body => {
    if (body.assetInfo && first !== undefined) more = sign * toUnits(first, 18);
    if (body.assetInfo) first ??= body.assetInfo.amount;
    return more;
  });
}

test.each([
  ['comes again', 1n, / once more$/],
  ['is taken back', -1n, /, and later taken back$/],
])('a credit that later %s fails its own module', async (_, sign, got) => {
  const settings = { modules: ['D3', 'D7.a', 'C10'], symbols: ['ETH' as const] };
  const report = await runPlan(robot, settings, { boundary: changesFirst(sign) });
  expect(failedConditions(report)).toEqual(['D3.credited']);
  const [d3] = report.modules;
  expect(d3).toMatchObject({ id: 'D3', result: 'FAILED' });
  expect(d3?.conditions.find(({ id }) => id === 'D3.credited')?.got).toMatch(got);
});

test('a credit that comes late fails its own module, and no later one is blamed for it', async () => {
  const settings = { modules: ['D3', 'D7.a'], wait: '2s', symbols: ['ETH' as const] };
  const report = await runPlan(robot, settings, { boundary: creditsFirstLate() });
  expect(failedConditions(report)).toEqual(['D3.credited']);
});
