import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ModuleReport, RunReport } from '../../src/contract/plans.ts';
import { html } from '../../src/plans/report/html.ts';
import { markdown } from '../../src/plans/report/markdown.ts';
import { causesOf } from '../../src/plans/report-of.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { listening } from '../support/http/listening.ts';
import { ACCOUNT, asksEdited, type edit, USER } from '../support/plans/mutant.ts';
import { PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));

async function callbacksAnswered(status: number): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end('{"result":true}'));
  const { url, close } = await listening(server);
  onTestFinished(close);
  return `${url}/callback`;
}

test.each(['verify-account', 'verify-user'])(
  '%s: a wrong token is one cause, whoever was asked about',
  async path => {
    const operation = path === 'verify-user' ? 'verifyUser' : 'verifyAccount';
    const boundary: Boundary = {
      serving: next => async request =>
        new URL(request.url).pathname === `/${path}`
          ? Response.json({ code: 'UNAUTHORIZED' }, { status: 401 })
          : next(request),
    };
    const modules = path === 'verify-user' ? ['D2.a', 'D2.k', 'D2.l', 'D2.m'] : ['D1.a', 'D1.g', 'D1.h', 'D1.i'];
    const { causes } = await runPlan(robot, { modules, symbols: ['ETH'] }, { boundary });
    expect(causes.map(({ title }) => title)).toEqual([`Calls of ${operation} are answered 401 instead of 200`]);
  },
  60_000,
);

test('callbacks answered 201 are one cause, shown before the modules, with one exchange', async () => {
  const callbackUrl = await callbacksAnswered(201);
  const modules = ['C1', 'C3', 'C5', 'C6', 'D3', 'R6'];
  const report = await runPlan(robot, { modules, symbols: ['ETH'] }, { callbackUrl });
  expect(report.causes).toEqual([
    {
      id: 'callback-status-201',
      title: 'Callbacks are answered 201 instead of 200',
      conditions: expect.arrayContaining(['C1.status', 'C3.status ETH', 'D3.status ETH', 'R6.status']),
      exchange: expect.any(String),
    },
  ]);
  expect(report.causes[0]?.conditions).toHaveLength(modules.length);
  const held = report.modules.find(({ id }) => id === 'R6')!.conditions.find(({ id }) => id === 'R6.status');
  expect(held?.got).toMatch(/the callback before it \(TX_REPORT\) was answered 201/);
  const page = html(report);
  const place = (text: string) => page.indexOf(text);
  expect(place('<h2>Causes</h2>')).toBeGreaterThan(0);
  expect(place('<h2>Modules</h2>')).toBeGreaterThan(place('Callbacks are answered 201'));
  for (const { exchanges } of report.modules)
    for (const { id } of exchanges) expect(page.split(`id="exchange-${id}"`).length).toBeLessThanOrEqual(2);
  for (const { clauses } of report.modules)
    for (const clause of clauses) {
      expect(page).toContain(`<a href="#${clause}">${clause}</a>`);
      expect(page).toContain(`<dt id="${clause}">`);
    }
  const summary = markdown(report);
  expect(summary.indexOf('## Causes')).toBeGreaterThan(0);
  expect(summary.indexOf('## Modules')).toBeGreaterThan(summary.indexOf('Callbacks are answered 201'));
}, 60_000);

type Edit = Parameters<typeof edit>[0];

/** The account verification and the user verification of the VASP have this change. */
const asksBoth = (account: Edit, user: Edit): Boundary => {
  const [one, other] = [asksEdited(ACCOUNT, account), asksEdited(USER, user)];
  return { asking: next => one.asking!(other.asking!(next)) };
};

const named =
  (primaryIdentifier: string): Edit =>
  body => {
    const [person] = body.payload.ivms101.beneficiary.beneficiaryPersons;
    for (const name of person?.naturalPerson?.name.nameIdentifier ?? []) name.primaryIdentifier = primaryIdentifier;
  };
/** Of Ethan Cook. */
const OTHER_ACCOUNT = 'rD2ucwCoBbbdmroNWsJfzkJzH8LvRTzcTF:345678912';
const atAccount =
  (account: string): Edit =>
  body => {
    body.payload.ivms101.beneficiary.accountNumber = [account];
  };
const without =
  (member: string): Edit =>
  body => {
    delete body[member];
  };

const WRONG: readonly [string, Boundary, string][] = [
  [
    'names another network',
    asksBoth(
      body => {
        body.network = 'XRP';
      },
      body => {
        body.assetInfo.network = 'XRP';
      },
    ),
    'The robot answers DENIED / UNKNOWN-NETWORK: `network` is XRP instead of Ripple or XRP Ledger',
  ],
  [
    'asks about another person',
    asksBoth(named('Din'), named('Din')),
    'The robot answers DENIED / MISMATCHED-NAME: `beneficiaryPersons` is Din, Taylor instead of Robbins, Taylor',
  ],
  [
    'asks about another account',
    asksBoth(atAccount(OTHER_ACCOUNT), atAccount(OTHER_ACCOUNT)),
    `The robot answers DENIED / MISMATCHED-NAME: \`accountNumber\` is ${OTHER_ACCOUNT} instead of rD2ucwCoBbbdmroNWsJfzkJzH8LvRTzcTF:123456789`,
  ],
  [
    'sends no `keyType`',
    asksBoth(without('keyType'), without('keyType')),
    'The sandbox refuses verify-account, answered with 400: `keyType` is required.',
  ],
];

test.each(WRONG)(
  'a VASP that %s learns it from the first cause, and a module waits only for what did not end a withdrawal before',
  async (_, boundary, title) => {
    const modules = ['W2.a', 'W3.n', 'W3.x', 'W4.1', 'W4.3', 'W4.5'];
    const report = await runPlan(robot, { modules, symbols: ['XRP'] }, { boundary });
    expect(report.causes[0]?.title).toBe(title);
    expect(report.causes[0]?.conditions).toEqual(expect.arrayContaining(['W3.n.result XRP', 'W4.1.reported XRP']));
    expect(report.causes.map(cause => cause.title).filter(each => each.includes('does not call'))).toEqual([]);
    const told = report.modules.flatMap(({ conditions }) => conditions.flatMap(({ got }) => got ?? []));
    const waited = told.flatMap(got => /^no such call within 3 s after (.+)/.exec(got)?.[1] ?? []);
    expect(new Set(waited).size).toBe(waited.length);
    expect(told.filter(got => /^no such call after .+, as before in this run$/.test(got)).length).toBeGreaterThan(1);
  },
  60_000,
);

test('passed modules are folded, and have no exchanges in the page', async () => {
  const report = await runPlan(robot, { modules: ['C1', 'D3'], symbols: ['ETH'] });
  const page = html(report);
  expect(page).toContain('<h2>Causes</h2>\n<p>No condition failed.</p>');
  expect(page.match(/<details id="D3-ETH">/g)).toHaveLength(1);
  expect(page).not.toContain('id="exchange-');
});

const failed = (id: string, more: object = {}) => ({
  id,
  clause: 'WIRE-3.4',
  text: 'Every callback is answered with exactly 200.',
  result: 'FAILED',
  exchanges: ['1'],
  ...more,
});
const module = (id: string, conditions: object[], operation = 'callback', symbol?: string) =>
  ({ id, plan: 'callbacks', symbol, conditions, exchanges: [{ id: '1', operation }] }) as unknown as ModuleReport;

test('the same condition of two symbols and of two modules is one cause; another address is another one', () => {
  const modules = [
    module('C2', [failed('C2.status')], 'callback', 'ETH'),
    module('C2', [failed('C2.status')], 'callback', 'XRP'),
    module('C3', [failed('C3.status')]),
    module('D2.a', [failed('D2.a.status')], 'verifyUser', 'ETH'),
    module('D3', [failed('D3.once', { text: 'Once.' }), failed('D3.x', { result: 'PASSED' })]),
  ];
  expect(causesOf(modules).map(({ id, conditions }: RunReport['causes'][number]) => [id, conditions])).toEqual([
    ['callback-status', ['C2.status ETH', 'C2.status XRP', 'C3.status']],
    ['verifyuser-status', ['D2.a.status ETH']],
    ['callback-once', ['D3.once']],
  ]);
});
