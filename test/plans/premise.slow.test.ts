import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Callback } from '../../src/contract/callbacks.ts';
import { toUnits } from '../../src/kernel/decimal.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { CannotPay } from '../../src/reference-vasp/ledgers/port.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { rpcAt } from '../support/chains/on-chain.ts';
import { all, balanceWrongBy, hears, paysBefore } from '../support/plans/break-a-rule.ts';
import { INQUIRY, REPORT, USER } from '../support/plans/mutant.ts';
import { PATIENT, planSandbox, registerVasp, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { freePort } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));
const joined = await forFile(registerVasp(robot, apiKey => joinSandbox({ url: robot.url, apiKey })));

test('a ledger that others move on while it is held blames no sound VASP', async () => {
  const mined = setInterval(() => void mine().catch(() => {}), 100);
  try {
    const { modules } = await runAgainst(joined.api, { modules: ['W4.6'], symbols: ['ETH'], wait: '20s' });
    const conditions = modules.flatMap(module => module.conditions);
    expect(conditions.filter(({ result }) => result === 'FAILED').map(({ id, got }) => [id, got])).toEqual([]);
    // PASSED only where a busy machine has sent nothing yet when the status is asked.
    expect(['REVIEW', 'PASSED']).toContain(conditions.find(({ id }) => id === 'W4.6.not-confirmed')?.result);
  } finally {
    clearInterval(mined);
  }
});

/** Before the payment is sent. */
function reportsItself(): Boundary {
  let report = async (_: string) => {};
  return {
    asking: next => async request => {
      const answer = await next(request);
      if (!request.url.endsWith(USER)) return answer;
      const { verificationUuid } = (await answer.clone().json()) as { verificationUuid: string };
      report = async txHash => {
        const body = JSON.stringify({ verificationUuid, txHash });
        await next(
          new Request(request.url + REPORT.slice(USER.length), { method: 'POST', headers: request.headers, body }),
        );
      };
      return answer;
    },
    paying: ledger => ({
      ...ledger,
      async send(signed) {
        await report(signed.hash);
        await ledger.send(signed);
      },
    }),
  };
}

const cancels = hears('/driver', body => (body.action === 'verify-user' ? { ...body, action: 'report-error' } : body));

test.each([
  ['W4.2', 'report-transaction', reportsItself()],
  ['W4.4', 'report-error', cancels],
])('%s is not judged where the VASP calls %s without an order', async (module, operation, boundary) => {
  const { modules } = await runPlan(robot, { modules: [module], symbols: ['ETH'] }, { boundary });
  const { note, skippedBecause, conditions } = modules[0]!;
  expect(skippedBecause ?? note).toContain(`The VASP called ${operation}, which the order left out`);
  expect(conditions.filter(({ result }) => result === 'FAILED')).toEqual([]);
});

test('a VASP that starts again while the ledger is held is asked again for the status', async () => {
  const { vasps } = await joined.api.registeredVasps();
  const { vaspId, endpoints, name } = vasps.find(each => each.endpoints.transactionStatus)!;
  const real = endpoints.transactionStatus!;
  const starting = createServer((request, response) => {
    const { method, headers } = request;
    const passed = httpRequest(real, { method, headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  const port = await freePort();
  const at = (url: string) =>
    joined.api.call('PATCH', `/sandbox/v1/vasps/${vaspId}`, { name, endpoints: { transactionStatus: url } });
  const seen = (isSeen: (exchange: { operation: string; error: string | null }) => boolean) =>
    until(async () => (await joined.api.exchanges({ limit: 20 })).exchanges.some(isSeen));
  const listen = () => once(starting.listen(port, '127.0.0.1'), 'listening');
  await at(`http://127.0.0.1:${port}/transaction-status`);
  await listen();
  try {
    const played = runAgainst(joined.api, { modules: ['W4.6'], symbols: ['XRP'], wait: '20s' });
    await seen(({ operation }) => operation === 'report-transaction');
    starting.closeAllConnections();
    await once(starting.close(), 'close');
    await seen(({ error }) => error?.includes('ECONNREFUSED') ?? false);
    await listen();
    const { modules } = await played;
    expect(modules.map(({ result, note }) => [result, note])).toEqual([['PASSED', null]]);
  } finally {
    await at(real);
    starting.closeAllConnections();
    starting.close();
  }
});

const lateCallbacks = (times: number) =>
  joined.api.addFault({ target: 'callback.VERIFICATION_RESULT', mode: 'delay', delay: '2500ms', times });

test.each(['W3.k', 'C7'])('%s starts again when the callback did not come first', async module => {
  await lateCallbacks(1);
  const { modules } = await runAgainst(joined.api, { modules: [module], symbols: ['ETH'], wait: '20s' });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED']);
  // Three times where a busy machine is late once more.
  expect(modules[0]!.starts).toBeGreaterThan(1);
});

/** The sandbox stands still for longer than the VASP waits for its node. */
function givesUpOnce(stallMs: number): Boundary {
  let isGivenUp = false;
  return {
    paying: ledger => ({
      ...ledger,
      async sign(...order) {
        if (isGivenUp) return ledger.sign(...order);
        isGivenUp = true;
        for (const end = performance.now() + stallMs; performance.now() < end; );
        throw new CannotPay('The node did not answer.');
      },
    }),
  };
}

test.each([
  ['W3.j', 1_200],
  ['W4.7', 2_000],
  ['W4.13', 4_000],
] as const)('REF-4.6.2: %s starts again when the sandbox stood still for %i ms', async (module, stallMs) => {
  const settings = { modules: [module], symbols: ['ETH'], wait: '5s' };
  await using impatient = await planSandbox();
  const { modules } = await runPlan(impatient, settings, { boundary: givesUpOnce(stallMs) });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED']);
  expect(modules[0]!.starts).toBeGreaterThan(1);
});

/** While it gets the first report, the sandbox stands still. It never looks at this payment. */
function losesAReport(): Boundary {
  let lost: string | undefined;
  return {
    serving: next => async request => {
      if (!isCallback(request) || lost !== undefined) return next(request);
      const { callbackType, data } = (await request.clone().json()) as Callback;
      if (callbackType !== 'TX_REPORT') return next(request);
      lost = data.verificationUuid;
      for (const end = performance.now() + 1_200; performance.now() < end; );
      return new Response('{}');
    },
    asking: next => async request => {
      const isOfLost =
        new URL(request.url).pathname === INQUIRY && (await request.clone().text()).includes(lost ?? '-');
      if (isOfLost) throw new Error('It was lost.');
      return next(request);
    },
  };
}

test('D7.b starts again when the sandbox stood still before the first credit', async () => {
  await using impatient = await planSandbox();
  const settings = { modules: ['D7.b'], symbols: ['ETH'], wait: '3s' };
  const { modules } = await runPlan(impatient, settings, { boundary: losesAReport() });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED']);
  expect(modules[0]!.starts).toBeGreaterThan(1);
});

/** While it gets the first report, the sandbox stands still. The customer sees this payment with the next one. */
function creditsWithTheNext(): Boundary {
  const amounts = new Map<string, string>();
  let first: string | undefined;
  let units = 0n;
  return all(
    balanceWrongBy(({ assetInfo, verificationUuid }) => {
      if (assetInfo) amounts.set(verificationUuid, assetInfo.amount);
      return -units;
    }),
    hears('/callback', body => {
      const { callbackType, data } = body as unknown as Callback;
      if (callbackType !== 'TX_REPORT') return body;
      if (first !== undefined && data.verificationUuid !== first) units = 0n;
      if (first !== undefined) return body;
      first = data.verificationUuid;
      units = toUnits(amounts.get(first)!, 18);
      for (const end = performance.now() + 1_200; performance.now() < end; );
      return body;
    }),
  );
}

test('D3 starts again when the sandbox stood still, and the credit of the first start comes during the second', async () => {
  await using impatient = await planSandbox();
  const settings = { modules: ['D3'], symbols: ['ETH'], wait: '3s' };
  const { modules } = await runPlan(impatient, settings, { boundary: creditsWithTheNext() });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED']);
  expect(modules[0]!.starts).toBeGreaterThan(1);
}, 60_000);

const isCallback = (request: Request) => new URL(request.url).pathname === '/callback';

/** One after another. It repeats each until it is accepted. */
function reportsInTurn(): Boundary {
  let turn = Promise.resolve<unknown>(undefined);
  return {
    asking: next => async request => {
      if (new URL(request.url).pathname !== REPORT) return next(request);
      const accepted = turn.then(async () => {
        await delay(1_000);
        for (;;) {
          const answer = await Promise.resolve(next(request.clone())).catch(() => undefined);
          if (answer?.ok) return answer;
          await delay(20);
        }
      });
      turn = accepted;
      return accepted;
    },
  };
}

test('W4.5 starts again when the reports that fail are those of an earlier withdrawal', async () => {
  const settings = { modules: ['W3.j', 'W4.5'], symbols: ['ETH'], wait: '20s' };
  const { modules } = await runPlan(robot, settings, { boundary: reportsInTurn() });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED', 'PASSED']);
  expect(modules[1]!.starts).toBeGreaterThan(1);
}, 60_000);

/** The first payment is reported before the second user verification. */
function reportsWithTheNext(): Boundary {
  let begins = () => {};
  let reported: Promise<unknown> | undefined;
  return {
    asking: next => async request => {
      const { pathname } = new URL(request.url);
      if (pathname === REPORT && reported === undefined)
        reported = new Promise<void>(resolve => {
          begins = resolve;
        }).then(() => next(request));
      if (pathname === REPORT) return ((await reported) as Response).clone();
      if (pathname !== USER || reported === undefined) return next(request);
      begins();
      await reported;
      return next(request);
    },
  };
}

test('W4.4 is judged although the VASP reports the payment of an earlier module meanwhile', async () => {
  const settings = { modules: ['W3.j', 'W4.4'], symbols: ['ETH'], wait: '20s' };
  const { modules } = await runPlan(robot, settings, { boundary: reportsWithTheNext() });
  expect(modules.map(({ result, skippedBecause }) => [result, skippedBecause])).toEqual([
    ['PASSED', null],
    ['PASSED', null],
  ]);
}, 60_000);

test.each(['W3.k', 'C7'])('%s starts again when the VASP gets the callback after the answer', async module => {
  const slowly: Boundary = {
    serving: next => async request => {
      if (isCallback(request)) await delay(200);
      return next(request);
    },
  };
  const settings = { modules: [module], symbols: ['ETH'], wait: '20s' };
  const { modules } = await runPlan(robot, settings, { boundary: slowly });
  expect(modules.map(({ result }) => result)).toEqual(['PASSED']);
  expect(modules[0]!.starts).toBeGreaterThan(1);
});

test('W3.k is judged of a VASP that answers a callback only when it has the answer of its call', async () => {
  let asked: unknown;
  const boundary: Boundary = {
    asking: next => request => {
      const answer = next(request);
      if (new URL(request.url).pathname === USER) asked = answer;
      return answer;
    },
    serving: next => async request => {
      if (isCallback(request)) await asked;
      return next(request);
    },
  };
  const settings = { modules: ['W3.k'], symbols: ['ETH'], wait: '20s' };
  const { modules } = await runPlan(robot, settings, { boundary });
  expect(modules.map(({ result, note }) => [result, note])).toEqual([['PASSED', null]]);
});

test('a callback that never comes first is trouble of the sandbox, and the VASP is not judged', async () => {
  await lateCallbacks(9);
  const report = await runAgainst(joined.api, { modules: ['W3.k'], symbols: ['ETH'], wait: '20s' });
  expect(report.modules.map(({ result, starts, note }) => [result, starts, note])).toEqual([
    ['ERROR', 5, expect.stringMatching(/^The callback did not come before .* started 5 times/)],
  ]);
  expect([report.result, report.counts.failed]).toEqual(['ERROR', 0]);
}, 60_000);

/** Its sandbox is on after the first user verification, and the result is there. */
function movesTimeOnce(): Boundary {
  let isMoved = false;
  return {
    asking: next => async request => {
      const { headers } = request;
      const answer = await next(request);
      if (new URL(request.url).pathname !== USER || isMoved) return answer;
      isMoved = true;
      const body = JSON.stringify({ duration: '5s' });
      await fetch(new URL('/sandbox/v1/clock/advance', request.url), { method: 'POST', headers, body });
      return answer;
    },
  };
}

/** Too late for the verdict about the report. */
const reportsLate: Boundary = {
  asking: next => async request => {
    if (request.url.endsWith(REPORT)) await delay(8_000);
    return next(request);
  },
};

test('W3.i starts again when the result came before the look for a payment', async () => {
  const boundary = all(paysBefore(USER), movesTimeOnce(), reportsLate);
  const { modules } = await runPlan(robot, { modules: ['W3.i'], symbols: ['ETH'] }, { boundary });
  const { starts, conditions } = modules[0]!;
  expect(starts).toBeGreaterThan(1);
  expect(conditions.find(({ id }) => id === 'W3.i.waits')?.result).toBe('FAILED');
});

const mine = () => rpcAt(`${robot.url}/devnet/ethereum`)('evm_mine');

test.each(['W4.15', 'W4.16'])(
  '%s is skipped while an older fault of the tester hits the calls to the ledger',
  async module => {
    const { id } = await joined.api.addFault({ target: 'devnet.XRP', mode: 'delay', delay: '1ms' });
    try {
      const { modules } = await runAgainst(joined.api, { modules: [module], symbols: ['XRP'], wait: '20s' });
      expect(modules[0]!.skippedBecause).toBe(
        `Your fault ${id} at devnet.XRP hits the calls to the ledger: remove it.`,
      );
    } finally {
      await joined.api.removeFault(id);
    }
  },
);
