import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { named, traced, tracing } from '../support/process/sql-trace.ts';
import { received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { createProgramWorld, type ProgramWorld } from '../support/world/program-world.ts';

/** How many statements the program runs for what it does most, by SQLite's own trace. */

const BUDGETS = { verification: 20, withdrawal: 110, deposit: 80 };
const ROUNDS = 5;

const file = join(scratchDatabase()('trace'), '..', 'statements');
let world: ProgramWorld;
beforeAll(async () => {
  world = await createProgramWorld({ ...tracing(file), XRPL_CLOSE_INTERVAL: '10m' });
});
afterAll(() => world.close());

const hasEnded = (statements: readonly string[], end: RegExp): boolean =>
  statements.slice(statements.findIndex(text => end.test(text))).includes('COMMIT') &&
  statements.some(text => end.test(text));

interface Act<T> {
  prepare: () => Promise<T>;
  act: (prepared: T) => Promise<unknown>;
  end: RegExp;
}

/** Of the round with the fewest: in another one the program may have looked at its ledgers. */
async function statementsOf<T>({ prepare, act, end }: Act<T>): Promise<string[]> {
  const rounds: string[][] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const prepared = await prepare();
    await world.idle();
    const before = traced(file).length;
    await act(prepared);
    const since = () => traced(file).slice(before);
    await until(() => hasEnded(since(), end));
    // What the commit has woken runs in the next turns.
    await fetch(`${world.url}/healthcheck`);
    rounds.push(since());
  }
  const [fewest] = rounds.sort((one, other) => one.length - other.length);
  return fewest!.map(named);
}

/** The statements, where they are too many. */
const above = (statements: string[], budget: number): string[] =>
  statements.length <= budget ? [] : statements;

test(`a verification with its callback takes at most ${BUDGETS.verification} statements`, async () => {
  const statements = await statementsOf({
    prepare: async () => {},
    act: () => verified(world),
    end: /^update "enclave_callbacks".*'DELIVERED'/i,
  });
  expect(statements.filter(text => /^insert into "enclave_verifications"/i.test(text))).toHaveLength(1);
  expect(above(statements, BUDGETS.verification)).toEqual([]);
});

test(`a withdrawal, from the call to the final block, takes at most ${BUDGETS.withdrawal} statements`, async () => {
  await received(world, { amount: '9' });
  const statements = await statementsOf({
    prepare: () => verifiedForRobot(world, { amount: '0.5' }),
    act: ({ uuid }) => world.api.letRobotWithdraw(uuid),
    end: /^update "robot_transfers".*'CONFIRMED'/i,
  });
  expect(statements.filter(text => /^insert into "robot_transfers"/i.test(text))).toHaveLength(1);
  expect(above(statements, BUDGETS.withdrawal)).toEqual([]);
});

test(`a deposit, from its report to the credit, takes at most ${BUDGETS.deposit} statements`, async () => {
  const wallet = await world.wallet('ETH');
  const statements = await statementsOf({
    prepare: () => verified(world),
    act: async ({ uuid, to, amount }) => world.api.reportTransaction(uuid, await wallet.pay(to, amount)),
    end: /^(insert into|update) "robot_deposits".*'CREDITED'/i,
  });
  expect(statements.filter(text => text.includes('robot_balances'))).not.toEqual([]);
  expect(above(statements, BUDGETS.deposit)).toEqual([]);
});
