import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { named, traced, tracing } from '../support/process/sql-trace.ts';
import { received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/** How many statements the program runs for what it does most, by SQLite's own trace. */

const BUDGETS = { verification: 20, withdrawal: 100, deposit: 80 };
const MAX_ROUNDS = 20;

const file = join(scratchDatabase()('trace'), '..', 'statements');
const world = await forFile(createProgramWorld({ ...tracing(file), XRPL_CLOSE_INTERVAL: '10m' }));

interface Act<T> {
  budget: number;
  prepare: () => Promise<T>;
  act: (prepared: T) => Promise<unknown>;
  end: RegExp;
}

/**
 * From the act to the commit that ends it, in the round with the fewest. In another one the program may have looked at
 * its ledgers, or once more for a block that a busy node had not made yet.
 */
async function statementsOf<T>({ budget, prepare, act, end }: Act<T>): Promise<string[]> {
  let fewest: string[] | undefined;
  for (let n = 0; n < MAX_ROUNDS && !(fewest && fewest.length <= budget); n++) {
    const prepared = await prepare();
    await world.idle();
    const before = traced(file).length;
    await act(prepared);
    const round = () => upTo(end, traced(file).slice(before));
    await until(() => round() !== undefined);
    const statements = round()!;
    if (!fewest || statements.length < fewest.length) fewest = statements;
  }
  return fewest!.map(named);
}

/** Undefined: nothing has ended yet. */
function upTo(end: RegExp, statements: readonly string[]): string[] | undefined {
  const ended = statements.findIndex(text => end.test(text));
  const commit = ended < 0 ? -1 : statements.indexOf('COMMIT', ended);
  return commit < 0 ? undefined : statements.slice(0, commit + 1);
}

/** The statements, where they are too many. */
const above = (statements: string[], budget: number): string[] => (statements.length <= budget ? [] : statements);

test(`a verification with its callback takes at most ${BUDGETS.verification} statements`, async () => {
  const statements = await statementsOf({
    budget: BUDGETS.verification,
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
    budget: BUDGETS.withdrawal,
    prepare: () => verifiedForRobot(world, { amount: '0.5' }),
    act: ({ uuid }) => world.api.robotWithdraw(uuid),
    end: /^update "robot_transfers".*'CONFIRMED'/i,
  });
  expect(statements.filter(text => /^insert into "robot_transfers"/i.test(text))).toHaveLength(1);
  expect(above(statements, BUDGETS.withdrawal)).toEqual([]);
});

test(`a deposit, from its report to the credit, takes at most ${BUDGETS.deposit} statements`, async () => {
  const wallet = await world.wallet('ETH');
  const statements = await statementsOf({
    budget: BUDGETS.deposit,
    prepare: () => verified(world),
    act: async ({ uuid, to, amount }) => world.api.reportTransaction(uuid, await wallet.pay(to, amount)),
    end: /^(insert into|update) "robot_deposits".*'CREDITED'/i,
  });
  expect(statements.filter(text => text.includes('robot_balances'))).not.toEqual([]);
  expect(above(statements, BUDGETS.deposit)).toEqual([]);
});
