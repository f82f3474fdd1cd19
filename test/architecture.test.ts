import { describe, expect, test } from 'vitest';
import {
  barrelRule,
  clockRule,
  fixedNames,
  lazyChains,
  nameRule,
  type Rule,
  sizeRule,
  sqlRule,
  statusRule,
} from './support/architecture/rules.ts';
import { parseSource, readSources } from './support/architecture/source.ts';
import { tenancyRule } from './support/architecture/tenancy-rule.ts';

const sources = readSources();
const tests = readSources('test');

/** Made-up files: what a rule has to find, and what it has to leave alone. */
interface Check {
  rule: Rule;
  guarantee: string;
  bad: readonly (readonly [path: string, text: string])[];
  good: readonly (readonly [path: string, text: string])[];
}

const CHECKS: readonly Check[] = [
  {
    rule: clockRule,
    guarantee: 'time and chance come from the kernel alone',
    bad: [
      ['robot/a.ts', 'const at = Date.now();'],
      ['enclave/a.ts', 'const at = new Date();'],
      ['timers/timers.ts', 'setTimeout(run, 5);'],
      ['http/a.ts', 'setInterval(run, 5);'],
      ['sandbox/a.ts', 'const jitter = Math.random();'],
      ['app/compose.ts', "import { randomUUID } from 'node:crypto';"],
      ['robot/a.ts', "import { scheduler } from 'node:timers/promises';"],
      ['robot/a.ts', 'const started = performance.now();'],
    ],
    good: [
      ['kernel/clock.ts', 'Date.now()'],
      ['timers/loop.ts', 'setTimeout(run, 5)'],
      ['devnet/a.ts', 'setInterval(run, 5)'],
      ['contract/a.ts', 'const at = new Date(ms); // Date.now() would be wrong here'],
    ],
  },
  {
    rule: lazyChains,
    guarantee: 'ethers and xrpl are loaded only when a chain is first needed',
    bad: [
      ['app/compose.ts', "import { a } from './a.ts';\nimport x from 'pino';"],
      ['app/a.ts', "import { b } from '../chains/b.ts';"],
      ['chains/b.ts', "import { Wallet } from 'ethers/wallet';"],
    ],
    good: [
      ['app/compose.ts', "import type { A } from './a.ts';\nconst b = await import('./b.ts');"],
      ['app/a.ts', "import { Wallet } from 'ethers';"],
      ['app/b.ts', "import { Client } from 'xrpl';"],
    ],
  },
  {
    rule: sqlRule,
    guarantee: 'SQL text stands in db/ alone, and typed columns are read without a cast',
    bad: [
      ['robot/deposit/store.ts', "db.sqlite.prepare('SELECT 1');"],
      ['timers/store.ts', 'const due = sqlite.prepare(text);'],
      ['sandbox/a.ts', 'const status = row.status as Status;'],
      ['robot/a.ts', 'const symbol = row.symbol as AssetSymbol;'],
      ['enclave/a.ts', 'const data = JSON.parse(row.data);'],
    ],
    good: [
      ['db/prepared-statements.ts', 'const statement = sqlite.prepare(text);'],
      ['enclave/a.ts', 'const wire = JSON.stringify(row.ivms101Originator);'],
    ],
  },
  {
    rule: statusRule,
    guarantee: 'only transition() moves a status and begins in the initial state',
    bad: [
      ['robot/a.ts', "tx.orm.update(deposits).set({ status: 'CREDITED' }).run();"],
      ['robot/a.ts', 'tx.orm.update(deposits).set({ note: f(1, [2]), status }).run();'],
      ['enclave/a.ts', "verifications.patch(tx, row.id, { txHash, status: 'ERROR' });"],
      ['enclave/a.ts', "transition(tx, of, row, 'x', { patch: { reason, status: 'ERROR' }, at });"],
      ['enclave/a.ts', "sqlite.prepare('UPDATE enclave_verifications SET reason = ?, status = ?');"],
      ['enclave/a.ts', "verifications.insert(tx, { uuid, status: 'VERIFIED', symbol });"],
      ['robot/a.ts', "tx.orm.insert(deposits).values({ status: 'SEEN' });"],
    ],
    good: [
      ['db/transition.ts', 'const sql = `UPDATE "t" SET "status" = ?`;'],
      ['enclave/a.ts', 'verifications.insert(tx, { uuid, status: verificationMachine.initial });'],
      ['enclave/a.ts', 'tx.orm.update(verifications).set({ txHash }).run(); send({ status: 200 });'],
    ],
  },
  {
    rule: nameRule,
    guarantee: 'no file has a name that says nothing',
    bad: [
      ['robot/utils.ts', ''],
      ['enclave/helpers.ts', ''],
      ['kernel/types.ts', ''],
      ['vasps/index.ts', ''],
      ['robot/inquireTx.ts', ''],
    ],
    good: [['robot/inquire-tx.ts', '']],
  },
  {
    rule: barrelRule,
    guarantee: 'no barrels',
    bad: [
      ['robot/all.ts', "export * from './a.ts';"],
      ['robot/all.ts', "export { a, type B } from './a.ts';"],
      ['robot/all.ts', "export type { B } from './a.ts';"],
      ['robot/all.ts', "export const a = 1;\nexport * from './a.ts';"],
    ],
    good: [
      ['robot/a.ts', 'export const a = 1;\nexport type B = string;'],
      ['robot/a.ts', "export type { B } from './b.ts';\nexport const a = 1;"],
    ],
  },
  {
    rule: tenancyRule,
    guarantee: 'only the gate and work that no VASP asks for decide for whom a read is',
    bad: [
      ['sandbox/a.ts', 'const caller = asCaller(params.vaspId);'],
      ['tenants/keys/a.ts', 'const caller = asCaller(vaspId);'],
      ['sandbox/a.ts', "const mine = scopedRow('uuid')(row);"],
      ['sandbox/timeline/a.ts', 'const lines = unguardedHistoryOf(db, uuid);'],
      ['sandbox/a.ts', 'listTransfers(query, params.vaspId as CallerId);'],
      ['sandbox/a.ts', 'const mine = row.uuid as Scoped<string>;'],
    ],
    good: [
      ['tenants/gate.ts', 'const caller = asCaller(key.vaspId);'],
      ['sandbox/a.ts', 'const lines = historyOf(db, parties.verificationUuid);'],
    ],
  },
  {
    rule: fixedNames,
    guarantee: 'files with a fixed name hold what the name says',
    bad: [
      ['enclave/verification/machine.ts', 'export const states = [];'],
      ['robot/deposit/machine.ts', "export const m = machine('m', 'A', {});\nexport function f() {}"],
      ['robot/routes.ts', 'export const robotEndpoints = [];\nexport const more = 1;'],
      ['vasps/port.ts', "import { parse } from '../contract/parse.ts';"],
      ['enclave/deps.ts', "import { write } from '../db/transaction.ts';"],
      ['robot/deposit/store.ts', 'export const query = 1;'],
    ],
    good: [['robot/routes.ts', 'export const robotEndpoints = [];']],
  },
  {
    rule: sizeRule,
    guarantee: 'no file is longer than 400 lines',
    bad: [['robot/a.ts', 'x\n'.repeat(401)]],
    good: [['robot/a.ts', 'x\n'.repeat(400)]],
  },
];

describe.each(CHECKS)('$guarantee', ({ rule, bad, good }) => {
  test('holds for src/', () => expect(rule(sources)).toEqual([]));

  test('is a check that can fail', () => {
    if (rule === lazyChains) expect(rule(bad.map(([path, text]) => parseSource(path, text)))).toHaveLength(1);
    else for (const [path, text] of bad) expect(rule([parseSource(path, text)]), `${path}: ${text}`).toHaveLength(1);
    const fine = good.map(([path, text]) => parseSource(path, text));
    expect(rule(fine)).toEqual([]);
  });
});

test('no test file is longer than 400 lines', () => {
  expect(tests.length).toBeGreaterThan(300);
  expect(sizeRule(tests)).toEqual([]);
});

test('the rules look at the whole program', () => {
  expect(sources.length).toBeGreaterThan(150);
  const modules = new Set(sources.map(({ path }) => path.split('/')[0]));
  for (const name of ['kernel', 'contract', 'db', 'timers', 'chains', 'vasps', 'http', 'enclave', 'robot', 'sandbox'])
    expect(modules).toContain(name);
  const robot = sources.find(({ path }) => path === 'app/parts/robot.ts')!;
  expect(robot.imports.map(({ to }) => to)).toContain('robot/vasp.ts');
});
