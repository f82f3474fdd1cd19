import { describe, expect, test } from 'vitest';
import {
  cycleRule,
  directions,
  folderRule,
  MAY_IMPORT,
  type Rule,
} from './support/architecture/directions.ts';
import {
  barrelRule,
  clockRule,
  fixedNames,
  lazyChains,
  nameRule,
  packageRule,
  sizeRule,
  sqlRule,
  statusRule,
  tableRule,
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
    rule: directions,
    guarantee: 'modules import only in the direction of the table',
    bad: [
      ['kernel/a.ts', "import { x } from '../contract/x.ts';"],
      ['contract/a.ts', "import type { Db } from '../db/open.ts';"],
      ['enclave/a.ts', "import { judge } from '../robot/judge/judge.ts';"],
      ['enclave/verification/a.ts', "import type { Chain } from '../../chains/port.ts';"],
      ['robot/a.ts', "import { verify } from '../enclave/verification/verify-user.ts';"],
      ['robot/a.ts', "import {\n  one,\n  type Two,\n} from '../vasps/http-vasp.ts';"],
      ['robot/a.ts', "const x = await import('../sandbox/info/read.ts');"],
      ['devnet/xrpl/a.ts', "export { y } from '../../contract/assets.ts';"],
      ['http/a.ts', "import '../db/open.ts';"],
      ['db/a.ts', "import { loadConfig } from '../app/config.ts';"],
      ['helpers/a.ts', ''],
      ['sandbox/timeline/a.ts', "import type { Verification } from '../../enclave/verification/store.ts';"],
      ['sandbox/users/a.ts', "import { BEHAVIOURS } from '../../robot/users/behaviours.ts';"],
      ['sandbox/checks/a.ts', "import type { HttpVasp } from '../../vasps/http-vasp.ts';"],
      ['client/a.ts', "import type { SandboxDeps } from '../sandbox/deps.ts';"],
      ['cli/a.ts', "import { readClock } from '../sandbox/clock/read.ts';"],
    ],
    good: [
      ['sandbox/timeline/a.ts', "import type { Parties } from '../../enclave/control.ts';"],
      ['client/a.ts', "import type { ClockResponse } from '../sandbox/clock/schema.ts';"],
      ['robot/a.ts', "import type { Enclave } from '../enclave/port.ts';"],
      ['robot/judge/a.ts', "import { b } from '../users/b.ts';"],
      ['robot/a.ts', "// import { x } from '../sandbox/info/read.ts';"],
      ['app/compose.ts', "import { robotVasp } from '../robot/vasp.ts';"],
    ],
  },
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
    rule: packageRule,
    guarantee: 'a package is imported only where its job is done',
    bad: [
      ['robot/actions/a.ts', "import { Hono } from 'hono';"],
      ['enclave/verification/a.ts', "import type { Context } from 'hono';"],
      ['robot/vasp.ts', "import { verifyMessage } from 'ethers/hash';"],
      ['chains/ethereum.ts', "import { Client } from 'xrpl';"],
      ['chains/xrpl.ts', "import { Wallet } from 'ethers';"],
      ['robot/a.ts', "import { request } from 'undici';"],
      ['enclave/verification/a.ts', "import { eq } from 'drizzle-orm';"],
      ['robot/a.ts', "import Sqlite from 'better-sqlite3';"],
    ],
    good: [
      ['http/a.ts', "import { Hono } from 'hono';"],
      ['chains/xrpl/a.ts', "import { Client } from 'xrpl';"],
      ['enclave/verification/store.ts', "import { eq } from 'drizzle-orm';"],
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
    rule: tableRule,
    guarantee: 'the robot reads no table of the enclave, and the reverse',
    bad: [
      ['robot/a.ts', "import { verifications } from '../db/schema/enclave.ts';"],
      ['robot/a.ts', "db.prepare('SELECT * FROM enclave_callbacks');"],
      ['enclave/a.ts', "db.prepare('SELECT * FROM robot_deposits');"],
      ['enclave/a/store.ts', "import { deposits } from '../../db/schema/robot.ts';"],
    ],
    good: [['robot/deposit/store.ts', "import { deposits } from '../../db/schema/robot.ts';"]],
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
      ['enclave/a.ts', "deps.verifications.patch(tx, row.id, { txHash, status: 'ERROR' });"],
      ['enclave/a.ts', "transition(tx, of, row, 'x', { patch: { reason, status: 'ERROR' }, at });"],
      ['enclave/a.ts', "sqlite.prepare('UPDATE enclave_verifications SET reason = ?, status = ?');"],
      ['enclave/a.ts', "deps.verifications.insert(tx, { uuid, status: 'VERIFIED', symbol });"],
      ['robot/a.ts', "tx.orm.insert(deposits).values({ status: 'SEEN' });"],
    ],
    good: [
      ['db/transition.ts', 'const sql = `UPDATE "t" SET "status" = ?`;'],
      ['enclave/a.ts', 'deps.verifications.insert(tx, { uuid, status: verificationMachine.initial });'],
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
    rule: cycleRule,
    guarantee: 'no file imports itself through others',
    bad: [
      ['a.ts', "import { b } from './b.ts';"],
      ['b.ts', "import type { C } from './c.ts';"],
      ['c.ts', "import { a } from './a.ts';"],
    ],
    good: [
      ['a.ts', "import { b } from './b.ts';\nimport { c } from './c.ts';"],
      ['b.ts', "import { c } from './c.ts';"],
      ['c.ts', ''],
    ],
  },
  {
    rule: folderRule,
    guarantee: 'no top folder imports itself through others',
    bad: [
      ['robot/a.ts', "import { b } from '../sandbox/b.ts';"],
      ['sandbox/c.ts', "import type { D } from '../client/d.ts';"],
      ['client/e.ts', "import { f } from '../robot/f.ts';"],
    ],
    good: [
      ['robot/a.ts', "import { b } from './b.ts';\nimport { c } from '../kernel/c.ts';"],
      ['sandbox/c.ts', "import type { A } from '../robot/a.ts';"],
    ],
  },
  {
    rule: tenancyRule,
    guarantee: 'only the gate and work that no VASP asks for decide for whom a read is',
    bad: [
      ['sandbox/a.ts', 'const caller = actAs(params.vaspId);'],
      ['tenants/keys/a.ts', 'const caller = actAs(vaspId);'],
      ['sandbox/a.ts', "const mine = ownRow('uuid')(row);"],
      ['sandbox/timeline/a.ts', 'const lines = unguardedHistoryOf(db, uuid);'],
      ['sandbox/a.ts', 'listTransfers(query, params.vaspId as CallerId);'],
    ],
    good: [
      ['tenants/gate.ts', 'const caller = actAs(key.vaspId);'],
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
      ['enclave/control.ts', "import { get } from './verification/get.ts';"],
      ['enclave/deps.ts', "import { write } from '../db/transaction.ts';"],
      ['robot/deposit/store.ts', 'export const query = 1;'],
      ['robot/actions/inquire-tx.ts', 'export function inquireTransaction() {}'],
      ['robot/actions/withdraw.ts', 'export function withdraw() {}\nexport const other = 1;'],
    ],
    good: [
      ['robot/actions/inquire-tx.ts', 'export async function inquireTx() {}\nfunction own() {}'],
      ['robot/routes.ts', 'export const robotEndpoints = [];'],
    ],
  },
  {
    rule: sizeRule,
    guarantee: 'no file is longer than 300 lines',
    bad: [['robot/a.ts', 'x\n'.repeat(301)]],
    good: [['robot/a.ts', 'x\n'.repeat(300)]],
  },
];

describe.each(CHECKS)('$guarantee', ({ rule, bad, good }) => {
  test('holds for src/', () => expect(rule(sources)).toEqual([]));

  test('is a check that can fail', () => {
    if (rule === lazyChains || rule === cycleRule || rule === folderRule)
      expect(rule(bad.map(([path, text]) => parseSource(path, text)))).toHaveLength(1);
    else
      for (const [path, text] of bad)
        expect(rule([parseSource(path, text)]), `${path}: ${text}`).toHaveLength(1);
    const fine = good.map(([path, text]) => parseSource(path, text));
    expect(rule(fine)).toEqual([]);
  });
});

test('no test file is longer than 300 lines', () => {
  expect(tests.length).toBeGreaterThan(300);
  expect(sizeRule(tests)).toEqual([]);
});

test('the rules look at the whole program', () => {
  expect(sources.length).toBeGreaterThan(150);
  const modules = new Set(sources.map(({ path }) => path.split('/')[0]));
  for (const name of [
    'kernel',
    'contract',
    'db',
    'timers',
    'chains',
    'vasps',
    'http',
    'enclave',
    'robot',
    'sandbox',
  ])
    expect(modules).toContain(name);
  const robot = sources.find(({ path }) => path === 'app/parts/robot.ts')!;
  expect(robot.imports.map(({ to }) => to)).toContain('robot/vasp.ts');
  expect(Object.values(MAY_IMPORT).flat()).not.toContain('app/compose.ts');
});
