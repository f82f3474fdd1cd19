import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { serve } from '../../src/main.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { runAgainst } from '../support/plans/run-plan.ts';
import { nodesOf } from '../support/process/program.ts';
import { withResolvers } from '../support/with-resolvers.ts';
import { HOSTED, type HostedTenant, hostedMembers } from '../support/world/hosted-world.ts';

/** A hosted VASP has a daily quota of the faucet, and shares the ledgers with others. */

const databasePath = scratchDatabase()('robot.sqlite');
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const env = { ...HOSTED, PORT: '0', DATABASE_PATH: databasePath, LOG_LEVEL: 'silent', QUOTA_FAUCET_XRP: '7000' };
  served = await serve(loadConfig(env), { log: silentLog });
  await served.app.ready();
}, 60_000);
afterAll(() => served?.stop());

const registered = () => hostedMembers(served.url).register();

async function joined(boundary: Boundary = {}, member?: HostedTenant) {
  const { api } = member ?? (await registered());
  // The limit of requests is that of a key.
  const { body } = await api.call<{ apiKey: string }>('POST', '/sandbox/v1/keys', { name: 'VASP' });
  const vasp = await joinSandbox({ url: served.url, apiKey: body.apiKey, boundary });
  return { api, stop: () => vasp.stop() };
}

test('the large amounts are left out where the faucet has no more for them, and nobody is blamed', async () => {
  const { api, stop } = await joined();
  const settings = { modules: ['D9'], symbols: ['XRP'], wait: '20s' };
  const found = [];
  for (let run = 0; run < 2; run++) {
    const { result, modules } = await runAgainst(api, settings);
    const { result: withdrawn } = modules[0]!.conditions.find(({ id }) => id === 'D9.withdrawn')!;
    found.push([result, withdrawn]);
  }
  await stop();
  expect(found).toEqual([
    ['PASSED', 'PASSED'],
    ['PASSED', 'SKIPPED'],
  ]);
}, 120_000);

/** The limit of requests is used up when this VASP makes its first call of this operation. */
function comesTooFast(vaspId: string, operation: string): { boundary: Boundary; statuses: number[] } {
  const statuses: number[] = [];
  const setLimit = (perSecond: number | null) =>
    hostedMembers(served.url).operator.call('PATCH', `/sandbox/v1/tenants/${vaspId}`, {
      quotas: { requestsPerSecond: perSecond, burst: perSecond },
    });
  const asking: Boundary['asking'] = next => async request => {
    if (!request.url.endsWith(operation)) return next(request);
    const isFirst = statuses.length === 0;
    if (isFirst) await setLimit(0);
    const answer = await next(request);
    if (isFirst) await setLimit(null);
    statuses.push(answer.status);
    return answer;
  };
  return { boundary: { asking }, statuses };
}

test('a call that comes too fast for the limit is made again, and nobody is blamed', async () => {
  const member = await registered();
  const { boundary, statuses } = comesTooFast(member.vaspId, '/v1/verifications/account');
  const { api, stop } = await joined(boundary, member);
  const { result } = await runAgainst(api, { modules: ['W2.h'], symbols: ['XRP'], wait: '20s' });
  await stop();
  expect(statuses.slice(0, 2)).toEqual([429, 200]);
  expect(result).toBe('PASSED');
}, 120_000);

test('while another VASP is checked, no reorganisation moves its payments', async () => {
  const [one, other] = await Promise.all([joined(), joined()]);
  const settings = { modules: ['D3', 'D16'], symbols: ['ETH'], wait: '20s' };
  const alone = await runAgainst(one.api, settings);
  const together = await Promise.all([one, other].map(({ api }) => runAgainst(api, settings)));
  await Promise.all([one.stop(), other.stop()]);
  const ofD16 = ({ result, modules }: typeof alone) => [result, modules.find(({ id }) => id === 'D16')?.result];
  expect(ofD16(alone)).toEqual(['PASSED', 'PASSED']);
  expect(together.map(ofD16)).toContainEqual(['PASSED', 'SKIPPED']);
  expect(together.map(({ result }) => result)).toEqual(['PASSED', 'PASSED']);
}, 120_000);

/** The Ethereum node stands still from the nth request on whose body or address has this text. That one waits for `ready`. */
function getsStuck(ms: number, text: string, nth: number, ready?: Promise<void>): Boundary {
  let requests = 0;
  return {
    serving: next => async request => {
      const isOne = request.url.includes(text) || (await request.clone().text()).includes(text);
      if (isOne && ++requests === nth) {
        await ready;
        const nodes = nodesOf(dirname(databasePath));
        for (const pid of nodes) process.kill(pid, 'SIGSTOP');
        setTimeout(() => {
          for (const pid of nodes) process.kill(pid, 'SIGCONT');
        }, ms);
      }
      return next(request);
    },
  };
}

/** Before it has paid, the VASP knows its status without the ledger. */
function getsStuckOncePaid(ms: number): Boundary {
  const { promise: paid, resolve } = withResolvers<void>();
  return {
    ...getsStuck(ms, '/transaction-status', 1, paid),
    paying: ledger => ({ ...ledger, send: signed => ledger.send(signed).finally(() => resolve()) }),
  };
}

test.each([
  ['D10', 'twice the wait of the run', '3s', getsStuck(6_000, '"callbackType":"TX_REPORT"', 2)],
  ['W4.2', 'longer than the VASP may take', '20s', getsStuckOncePaid(1_500)],
  ['W4.6', 'longer than the sandbox waits', '20s', getsStuckOncePaid(4_000)],
])(
  '%s: a ledger that does not answer for %s blames nobody',
  async (module, _, wait, boundary) => {
    const { api, stop } = await joined(boundary);
    const { modules } = await runAgainst(api, { modules: [module], symbols: ['ETH'], wait });
    await stop();
    expect(modules.map(({ result, note }) => [result, note])).toEqual([['PASSED', null]]);
    const queries = modules.flatMap(({ exchanges }) =>
      exchanges.filter(({ operation }) => operation === 'transactionStatus'),
    );
    // The time for which the sandbox itself was late does not count: no second start is needed.
    expect(modules[0]!.starts ?? 1).toBe(1);
    if (module === 'D10') expect(modules[0]!.durationMs).toBeGreaterThan(6_000);
    else expect(queries[0]!.stallMs ?? 0, JSON.stringify(queries)).toBeGreaterThan(module === 'W4.2' ? 1_000 : 3_000);
  },
  120_000,
);
