import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Customers } from '../../src/contract/customers.ts';
import { type Played, playAll, startIndependent } from '../support/plans/independent/pool.ts';
import { VARIANTS, type VariantName } from '../support/plans/independent/variants.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** Sound VASPs that differ in what the reference leaves open. Each passes. */

const MESSAGES = ['W2.a', 'W2.b', 'W3.a', 'W4.2', 'W4.3', 'D1.a', 'D2.a', 'D2.b', 'D3'];
const ANSWERS = ['D1.a', 'D1.d', 'D2.a', 'D2.d', 'W4.2', 'C1'];
const NAMES = ['W2.a', 'W2.b', 'W3.a', 'W3.b', 'D2.a', 'D2.b', 'D2.k', 'D2.l', 'D2.n'];
const CALLBACKS = ['C1', 'C2', 'C3', 'C9', 'W3.n', 'D3'];

/** The modules that each can influence. */
const MODULES: Readonly<Record<VariantName, readonly string[]>> = {
  'answers slowly, and in time': ['D1.a', 'D2.a', 'W4.2', 'C7', 'D3', 'R8'],
  'orders members the other way round': MESSAGES,
  'adds members': MESSAGES,
  'keeps no connection': [...ANSWERS, 'W4.1', 'S2'],
  'answers in chunks': ANSWERS,
  'compresses answers': ANSWERS,
  'indents its JSON and names the character set': ANSWERS,
  'escapes what is not ASCII': ['D2.a', 'D2.k', 'D2.n'],
  'answers callbacks with an empty body': CALLBACKS,
  'answers callbacks with plain text': CALLBACKS,
  'writes hashes in the other case': ['W4.1', 'W4.2', 'W4.5', 'R8'],
  'writes verification ids in upper case': ['W4.1', 'W4.2', 'W4.3', 'W4.5', 'D4', 'D8', 'R1', 'R8'],
  'writes zeros at the end of amounts': ['W3.a', 'W3.x', 'W4.1', 'W4.7', 'D3', 'D7.a', 'D9', 'R8'],
  'writes times with an offset': ['W3.x', 'D1.a'],
  'puts local names first': NAMES,
  'has several names of a person': NAMES,
  'writes a whole name into primaryIdentifier': NAMES,
  'leaves the network out': ['W2.a', 'W3.a', 'W4.1'],
  'leaves out optional members of answers': ['D1.a', 'D1.d', 'D2.a', 'D2.d'],
  'answers empty members': ['D1.a'],
  'verifies the account before every user verification': ['W3.a', 'W3.e', 'W3.m', 'W4.1'],
  'reports again after a lost answer': ['W4.1', 'W4.5', 'W4.7'],
  'asks again after a lost answer': ['W3.ab', 'R8', 'R14', 'R15'],
  'pays after a pause': ['W3.ab', 'W4.3', 'W3.i', 'W3.j', 'W3.k', 'W4.1', 'W4.2', 'W4.5', 'W4.7', 'D9', 'R8'],
  'reports once a block holds the payment': ['W3.j', 'W4.1', 'W4.2', 'W4.5', 'W4.7'],
  'raises the fee of a payment that waits': ['W4.6', 'W4.1'],
  'sends a payment again that has failed': ['W4.11', 'W4.1'],
  'ends a denied withdrawal with an error report': ['W3.c', 'W3.n', 'W3.o', 'W3.l', 'W3.m'],
  'asks back about every report': ['C1', 'C2', 'C10', 'D3', 'D7.d', 'D7.i', 'D7.j', 'S6', 'D8'],
  'asks about reported payments, too': [
    'D3',
    'D5',
    'D9',
    'D6',
    'D7.a',
    'D7.d',
    'D8',
    'D17',
    'D18',
    'D19',
    'D20',
    'C2',
    'C3',
  ],
  'works on one withdrawal at a time': [
    'W3.ab',
    'W4.3',
    'R11',
    'W3.z',
    'W3.a',
    'W3.j',
    'W4.1',
    'W4.9',
    'W4.13',
    'W4.14',
    'W4.15',
    'W4.16',
    'W4.6',
    'W3.c',
    'W3.n',
    'R7',
    'R9',
    'D9',
  ],
  'gives up after a time-out of its own': ['W3.ab', 'W4.3', 'R14', 'R11', 'W3.i', 'W3.z', 'W3.v', 'W4.1', 'S7'],
  'credits in batches': ['D3', 'D4', 'D6', 'D7.a', 'D7.b', 'D9', 'D10', 'D17', 'D18', 'D19', 'D20', 'C2', 'C10', 'S6'],
  // Some of these have ended by the time it answers.
  'answers its driver slowly': ['W3.a', 'W4.1', 'W4.14', 'W4.15', 'W4.16', 'R7', 'R8', 'R12', 'R14', 'D3'],
  'knows the XRP Ledger as XRPL': ['D1.a', 'D2.a', 'D3', 'D1.i'],
  'refuses reports while its node fails': ['D20', 'D3'],
  'pays when its node estimates again': ['W4.14', 'W4.16', 'W4.1'],
  'sends again when the answer of its node is lost': ['W4.15', 'W4.16', 'W4.1'],
  'sends a payment without a tag back': ['D7.t', 'D7.c', 'D8', 'D3'],
  'has a gateway that answers errors with a page': ['S1', 'S2', 'S5', 'S8'],
  'takes its time from the sandbox': ['W3.z', 'R11', 'D14', 'D19', 'D8', 'W4.2', 'W4.4', 'W4.6'],
  'cancels in two steps': ['W4.3', 'R7'],
  'needs a network': ['D1', 'D2', 'D3'],
  'compares ETH addresses with their case': ['D1', 'D2', 'D3'],
  'refuses stale and senseless prices': ['D2', 'D3', 'D4', 'D6', 'D7'],
  'takes no deposit of more than 100 coins': ['D2.g', 'D9'],
  'compares only the legal name': ['D1', 'D2', 'D3'],
  'ends every connection as HTTP/1.0 does': ANSWERS,
};

/** What the reference wants otherwise and no VASP depends on. */
const WARNINGS: Partial<Record<VariantName, string>> = {
  'answers callbacks with an empty body': 'C1.body',
  'answers callbacks with plain text': 'C1.body',
  'writes hashes in the other case': 'W4.1.hash-form',
  'reports again after a lost answer': 'W4.1.once',
};

const AT_ONCE = 4;
/** A test also waits for those before it. What hangs is ended by `runAgainst`. */
const QUEUE_MS = 3_600_000;
const robot = await forFile(planSandbox(PATIENT));
const onIpv6 = await forFile(startIndependent(robot, '::1'));
let free: Played[] = [];
beforeAll(async () => {
  free = await Promise.all(Array.from({ length: AT_ONCE }, () => startIndependent(robot)));
}, 60_000);
afterAll(async () => {
  await Promise.all(free.map(each => each.close()));
});

async function notPassed({ vasp, api }: Played, name: VariantName | undefined, modules: readonly string[]) {
  await vasp.become(undefined, name && VARIANTS[name]);
  const report = await runAgainst(api, { modules, wait: '20s', inquiryWait: '20s' }).finally(() =>
    vasp.become(undefined),
  );
  return report.modules.flatMap(({ note, conditions }) => [
    ...conditions
      .filter(({ result }) => result !== 'PASSED' && result !== 'SKIPPED')
      .map(({ id, result, expected, got }) => `${id} ${result}: ${expected} / ${got}`),
    ...(note === null ? [] : [note]),
  ]);
}

const NAMES_OF_VARIANTS = Object.keys(VARIANTS) as VariantName[];

describe('one that', () => {
  let results: Map<VariantName, Promise<string[]>> | undefined;
  test.for(NAMES_OF_VARIANTS)('%s passes', { timeout: QUEUE_MS }, async (name, { task }) => {
    // Only those that a filter leaves.
    results ??= playAll(
      free,
      NAMES_OF_VARIANTS.filter((_, index) => task.suite?.tasks[index]?.mode !== 'skip'),
      (by, each) => notPassed(by, each, MODULES[each]),
      error => [String(error)],
    );
    const warning = `${WARNINGS[name]} WARNING`;
    const found = (await results.get(name)) ?? ['not played'];
    expect(found.filter(each => !each.startsWith(warning))).toEqual([]);
    expect(found.some(each => each.startsWith(warning))).toBe(WARNINGS[name] !== undefined);
  });
});

test('one that listens on IPv6 passes', async () => {
  expect(await notPassed(onIpv6, undefined, [...ANSWERS, ...CALLBACKS, 'W4.1', 'S2'])).toEqual([]);
}, 60_000);

test('WIRE-6.3: one that is not ready for the first question, and has a name of its own for a network, passes', async () => {
  const { vasp, api } = onIpv6;
  let isReady = false;
  await vasp.become(undefined, {
    ...VARIANTS['knows the XRP Ledger as XRPL'],
    write(response, { status, text, path }) {
      const json = { 'content-type': 'application/json' };
      if (isReady || path !== '/account') return void response.writeHead(status, json).end(text);
      isReady = true;
      response.writeHead(503, json).end('{}');
    },
  });
  const report = await runAgainst(api, { modules: ['D1.a', 'D2.a'], symbols: ['XRP'], wait: '20s' });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
}, 60_000);

test('WIRE-4: one whose customer has one name passes', async () => {
  const { vasp, api } = onIpv6;
  await vasp.become(undefined);
  const headers = { authorization: `Bearer ${vasp.token}` };
  const described = await fetch(vasp.endpoints.driver!, { headers });
  const { customers } = (await described.json()) as { customers: Customers };
  const settings = {
    modules: ['D1.a', 'D1.c', 'D1.g', 'D2.a', 'D2.h', 'D2.k', 'D2.n', 'W3.a'],
    customers: { customers: customers.customers.filter(({ id }) => id === 'one-name') },
    symbols: ['ETH'],
    wait: '20s',
  };
  const report = await runAgainst(api, settings);
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
}, 60_000);

test('REF-3: one that pays after an alert because a person decides so is never early, however quick the provider', async () => {
  await using quick = await planSandbox({ ...PATIENT, PROVIDER_ANSWER_TIME: '100ms' });
  const { vasp, api } = await startIndependent(quick);
  await vasp.become(undefined, { paysAfterHigh: true, pauseMs: 500 });
  const report = await runAgainst(api, { modules: ['R9'], symbols: ['ETH'], wait: '60s' });
  await vasp.stop();
  const results = report.modules.flatMap(({ conditions }) => conditions.map(({ id, result }) => [id, result]));
  expect(results).toEqual([
    ['R9.waits', 'PASSED'],
    ['R9.no-payment', 'REVIEW'],
  ]);
  expect(report.result).toBe('REVIEW');
}, 120_000);
