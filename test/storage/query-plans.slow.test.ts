import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { client } from '../../src/client/client.ts';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { serve } from '../../src/main.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

/** No statement of the program scans or sorts a table that grows. The plan depends on the indexes alone, not on the rows. */

const at = scratchDatabase();
const GROWING =
  /^SCAN (enclave_(verifications|callbacks|callback_attempts|assessments|search_texts|search_entries)|runtime_(history|exchanges|timers)|robot_(expectations|deposits|transfers|transfer_attempts|movements)|tenants_audit)\b/;
const SORTS = /^USE TEMP B-TREE FOR (ORDER BY|GROUP BY|DISTINCT)/;

/** Statement -> why it may read more than it shows. */
const ALLOWED: readonly [statement: RegExp, why: string][] = [
  [/^select distinct "owner" from "runtime_timers"/, 'once, at the start'],
  [/from "enclave_callbacks" left join "runtime_timers"/, 'the pending callbacks, once, at the start'],
  [/from "robot_expectations".*order by "robot_expectations"\."created_at"/, 'the few candidates of one payment'],
  [/from "robot_transfers".*order by "robot_transfers"\."created_at"/, 'the open transfers of one wallet'],
  [/^select distinct "note" from "robot_transfers"/, 'the transfers without a signed transaction'],
  [/from "robot_deposits".*order by "robot_deposits"\."index"/, 'the deposits of one transaction'],
  [/from "enclave_callbacks".*order by \+/, 'the callbacks of one verification'],
  [/\+"enclave_verifications"/, 'the verifications of one hash or of a rare address'],
  [/from "robot_transfer_attempts"/, 'the attempts of one transfer'],
  [/ where false /, 'reads nothing'],
  [/limit \?\) "newest" .*group by/, 'the 5000 newest verifications or exchanges of a VASP'],
  [
    /^select ("symbol", )?"(kind|status)", count\(\*\) from/,
    'the counts of /metrics, by an index that has all columns',
  ],
  [/from "robot_users"/, 'at most 1000 users of one VASP'],
];

const PATHS = [
  '/v1/verifications',
  '/v1/verifications?actionType=SEND&result=VERIFIED&symbol=ETH',
  '/v1/verifications?result=DENIED',
  '/v1/verifications?network=Ethereum&oppositeVaspId=9',
  '/v1/verifications?network=none',
  '/v1/verifications?txHash=0x00',
  '/v1/verifications?originatorAccountNumber=0xab',
  '/v1/verifications?beneficiaryAccountNumber=rAb',
  '/v1/verifications?fromDate=2026-01-01&toDate=2026-12-31&page=3',
  '/sandbox/v1/verifications',
  '/sandbox/v1/verifications?role=beneficiary&status=OPEN&before=9',
  '/sandbox/v1/verifications?search=taylor',
  '/sandbox/v1/verifications?search=nobody%20denied%202026-11-22%201.5',
  '/sandbox/v1/verifications?search=8557f2b2',
  '/sandbox/v1/verifications?search=0xababab',
  '/sandbox/v1/verifications?status=OPEN&reason=NOT-ALLOWED',
  `/sandbox/v1/verifications?search=0x${'ab'.repeat(20)}`,
  `/sandbox/v1/verifications?search=0x${'ab'.repeat(32)}`,
  '/sandbox/v1/callbacks',
  '/sandbox/v1/callbacks?type=TX_REPORT',
  '/sandbox/v1/callbacks?verificationUuid=8557f2b2-985e-431f-8d52-75c2e5a01e46',
  '/sandbox/v1/mailbox?type=TX_REPORT',
  '/sandbox/v1/vasps',
  '/sandbox/v1/runs',
  '/sandbox/v1/callbacks?order=newest&status=GIVEN-UP',
  '/sandbox/v1/exchanges',
  '/sandbox/v1/exchanges?status=4xx&direction=IN&operation=verify-user&slow=10&before=9',
  '/sandbox/v1/timers',
  '/sandbox/v1/transfers',
  '/sandbox/v1/received-payments',
  '/sandbox/v1/assessments',
  '/sandbox/v1/balances',
  '/sandbox/v1/health',
  '/sandbox/v1/statistics',
  '/metrics',
  '/readyz',
];

test('every statement finds its rows by an index', async () => {
  const path = at('plans.sqlite');
  const db = openDb(path);
  const statements = new Set<string>();
  const prepare = db.sqlite.prepare.bind(db.sqlite);
  Object.assign(db.sqlite, {
    prepare(text: string) {
      statements.add(text);
      return prepare(text);
    },
  });
  const queries = recordedQueries(db);
  const config = loadConfig({
    PORT: '0',
    DATABASE_PATH: join(path, '..', 'lock-of-its-own', 'unused.sqlite'),
    LOG_LEVEL: 'silent',
    ETH_RPC_URL: 'http://127.0.0.1:1',
    ETH_CHAIN_ID: '31337',
    ROBOT_MNEMONIC: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    XRPL_URL: 'ws://127.0.0.1:1',
    XRPL_NETWORK_ID: '21117',
    XRPL_SEED: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
  });
  const { url, stop } = await serve(config, { db, log: silentLog });
  onTestFinished(stop);
  const api = client(url);
  const info = await api.info();
  const user = info.users.find(({ id }) => id === 'taylor-robbins')!;
  await api.verifyUser(
    userRequest({
      robotVaspId: info.robot.vaspId,
      user,
      symbol: 'ETH',
      amount: '1.5',
      from: `0x${'ab'.repeat(20)}`,
    }) as never,
  );
  await api.advance('2h');
  const [newest] = (await api.verifications()).verifications;
  await api.neighbours(newest!.verificationUuid);
  for (const each of PATHS)
    expect([each, (await fetch(url + each)).status < 500 || each === '/readyz']).toEqual([each, true]);

  // A query is prepared at its first use, and not all of them are used here.
  for (const query of queries) statements.add(query.toSQL().sql);
  const problems = [...statements]
    .filter(text => /^\s*(select|update|delete|with)\b/i.test(text))
    .filter(text => !ALLOWED.some(([allowed]) => allowed.test(text)))
    .flatMap(text => {
      const steps = prepare(`EXPLAIN QUERY PLAN ${text}`).all(...unbound(text)) as { detail: string }[];
      return steps
        .map(({ detail }) => detail)
        .filter(detail => GROWING.test(detail) || SORTS.test(detail) || isOfVasp(text, detail))
        .map(detail => `${detail}: ${text}`);
    });
  expect(statements.size).toBeGreaterThan(50);
  expect(problems).toEqual([]);
});

/** Of one verification, and it reads all of a VASP. */
const isOfVasp = (text: string, detail: string): boolean =>
  /"verification_uuid" = \?/.test(text) && /^SEARCH \S+ USING .*\((receiver_|owner_)?vasp_id=\?\)$/.test(detail);

interface Query {
  toSQL(): { sql: string };
}

/** All queries that stores build from now on. */
function recordedQueries({ orm }: Db): Query[] {
  const queries: Query[] = [];
  const recorded =
    <A extends unknown[], Q>(build: (...args: A) => Q) =>
    (...args: A): Q => {
      const query = build.apply(orm, args);
      queries.push(query as Query);
      return query;
    };
  const first =
    (start: (...args: never[]) => object, next: string) =>
    (...args: never[]) => {
      const builder = start.apply(orm, args) as Record<string, (...args: unknown[]) => unknown>;
      return Object.assign(builder, { [next]: recorded(builder[next]!.bind(builder)) });
    };
  Object.assign(orm, {
    select: first(orm.select, 'from'),
    selectDistinct: first(orm.selectDistinct, 'from'),
    update: first(orm.update, 'set'),
    delete: recorded(orm.delete as (...args: unknown[]) => unknown),
  });
  return queries;
}

/** A value for each placeholder. */
const unbound = (text: string): null[] => Array.from(text.matchAll(/\?/g), () => null);
