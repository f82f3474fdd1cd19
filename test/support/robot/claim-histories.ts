import fc from 'fast-check';
import { expect } from 'vitest';
import { write } from '../../../src/db/transaction.ts';
import * as cursors from '../../../src/robot/deposit/cursor-store.ts';
import { recordTransfer } from '../../../src/robot/deposit/lifecycle.ts';
import * as deposits from '../../../src/robot/deposit/store.ts';
import { recheckReplaced } from '../../../src/robot/deposit/watch.ts';
import * as expectations from '../../../src/robot/expectation/store.ts';
import { receiveErrorReport, receiveTransactionReport } from '../../../src/robot/vasp.ts';
import { expectingRobot, INQUIRY, ROBOT_ACCOUNT } from './expecting-robot.ts';

const VASPS = ['a', 'b'];
/** Each has one transfer of this amount. */
const AMOUNTS: Record<string, string> = {
  [`0x${'1'.repeat(64)}`]: '1',
  [`0x${'2'.repeat(64)}`]: '1',
  [`0x${'3'.repeat(64)}`]: '2',
};
const HASHES = Object.keys(AMOUNTS);
const amountOf = (hash: string) => AMOUNTS[hash]!;
const STEPS_OF_A_HISTORY = 40;
const MAX_OPEN = 5;
const WHOLE_WINDOW_MS = INQUIRY.waitMs + INQUIRY.windowMs + 1;

type Act =
  | { act: 'verify'; vasp: string; amount: string }
  | { act: 'report'; which: number; hash: string }
  | { act: 'mine' | 'revert'; hash: string }
  | { act: 'fail'; which: number }
  | { act: 'wait' };

const hash = fc.constantFrom(...HASHES);
const which = fc.nat(99);
const vasp = fc.constantFrom('a', 'a', 'a', 'b');
const amount = fc.constantFrom('1', '1', '1', '2');
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('verify' as const), vasp, amount }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('report' as const), which, hash }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constantFrom('mine' as const, 'revert' as const), hash }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fail' as const), which }) },
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'wait' }) },
);

interface Verification {
  uuid: string;
  vasp: string;
  amount: string;
  state: 'OPEN' | 'CREDITED' | 'STOPPED';
  named: string | undefined;
  /** In the order of all events. */
  namedAt: number;
  openedAt: number;
  /** The newest block then: only later ones count. */
  verifiedHeight: number;
  lostAt: number | undefined;
}

/** The model: who gets a transaction in a block that nobody has. */
function payee(
  all: readonly Verification[],
  { txHash, height }: { txHash: string; height: number },
  vasp: string | undefined,
  asks: (each: Verification) => boolean,
) {
  const fits = all.filter(
    each =>
      each.state === 'OPEN' &&
      each.amount === amountOf(txHash) &&
      (vasp ?? each.vasp) === each.vasp &&
      height > each.verifiedHeight,
  );
  const claims = fits.filter(({ named }) => named === txHash).sort((one, other) => one.namedAt - other.namedAt);
  const claim = claims.filter(each => each.vasp === claims[0]!.vasp).at(-1);
  const { lostAt } = claim ?? {};
  const isLater = (each: Verification) =>
    each.named === undefined && each.vasp === claim!.vasp && each.openedAt > lostAt! && asks(each);
  return lostAt !== undefined && fits.some(isLater) ? undefined : claim;
}

/**
 * Random histories of claims: verifications of two VASPs with the same payments, reports before and after the block, the
 * wrong hash, blocks that are reverted and come again, error reports, the end of the hour.
 */
export async function playClaims(steps: number, seed?: number): Promise<void> {
  /** The height of each transaction that is in a block. */
  const inChain = new Map<string, number>();
  let head = 0;
  const robot = expectingRobot({
    status: async () => 'PENDING',
    lookup: async txHash => ({ state: stateOf(txHash), transfers: [] }),
  });
  const stateOf = (txHash: string) =>
    inChain.has(txHash)
      ? ({
          status: 'final',
          height: inChain.get(txHash)!,
          blockHash: `b${inChain.get(txHash)}`,
          succeeded: true,
        } as const)
      : ({ status: 'unknown' } as const);
  const { db, deps, chain, machine, timers } = robot;
  const settle = async () => {
    for (const vasp of VASPS) await timers.runDue(vasp);
  };
  let histories = 0;

  const history = async (acts: readonly Act[]) => {
    robot.clear();
    inChain.clear();
    histories += 1;
    const all: Verification[] = [];
    const credited = new Map<string, Verification>();
    const paidBy = new Map<string, string>();
    for (const [now, each] of acts.entries()) {
      machine.at += 1_000;
      const one = 'which' in each ? all[each.which % all.length] : undefined;
      if (each.act === 'verify' && all.filter(({ state }) => state === 'OPEN').length < MAX_OPEN) {
        const { vasp, amount } = each;
        const uuid = `${histories}-${all.length}`;
        robot.open(uuid, vasp, amount);
        write(db, tx => expectations.patch(tx, uuid, { verifiedHeight: head }));
        const fresh = { state: 'OPEN', named: undefined, namedAt: 0, openedAt: now, lostAt: undefined } as const;
        all.push({ uuid, vasp, amount, verifiedHeight: head, ...fresh });
      } else if (each.act === 'report' && one) {
        receiveTransactionReport(deps, { verificationUuid: one.uuid, txHash: each.hash });
        if (one.state === 'OPEN' && one.named !== each.hash)
          Object.assign(one, { named: each.hash, namedAt: now, lostAt: undefined });
      } else if (each.act === 'fail' && one) {
        receiveErrorReport(
          deps,
          { verificationUuid: one.uuid, result: 'ERROR', reason: 'X', message: '' } as never,
          undefined,
        );
        if (one.state === 'OPEN') one.state = 'STOPPED';
      } else if (each.act === 'mine' && !inChain.has(each.hash)) {
        inChain.set(each.hash, ++head);
        const to = { account: ROBOT_ACCOUNT };
        const payment = { index: 0, from: '0x', to, amount: BigInt(amountOf(each.hash)) * 10n ** 18n };
        const block = { height: head, blockHash: `b${head}`, at: machine.at, final: true };
        write(db, tx => recordTransfer(deps, tx, 'ETH', { txHash: each.hash, ...payment, ...block }, undefined));
      } else if (each.act === 'revert') {
        inChain.delete(each.hash);
        const loser = credited.get(each.hash);
        if (loser) Object.assign(loser, { state: 'OPEN', lostAt: now });
        credited.delete(each.hash);
        write(db, tx => {
          cursors.save(tx, 'ETH', { height: head, hash: `b${head}`, genesis: 'g' });
          cursors.saveRecheckFrom(tx, 'ETH', 0);
        });
        await recheckReplaced(deps, chain, 0);
      } else if (each.act === 'wait') machine.at += WHOLE_WINDOW_MS;
      await settle();
      const asks = ({ uuid, vasp }: Verification) => deps.clock.now(vasp) < (robot.find(uuid).inquireUntil ?? 0);
      for (const [txHash, height] of inChain) {
        const winner = credited.has(txHash) ? undefined : payee(all, { txHash, height }, paidBy.get(txHash), asks);
        if (!winner) continue;
        credited.set(txHash, winner);
        paidBy.set(txHash, winner.vasp);
        Object.assign(winner, { state: 'CREDITED', lostAt: undefined });
      }
      for (const txHash of HASHES)
        expect([txHash, deposits.ofTx(db, { symbol: 'ETH', txHash })[0]?.verificationUuid ?? undefined]).toEqual([
          txHash,
          credited.get(txHash)?.uuid,
        ]);
      for (const { uuid, state } of all) expect([uuid, robot.find(uuid).status]).toEqual([uuid, state]);
    }
  };
  const acts = fc.array(act, { minLength: STEPS_OF_A_HISTORY, maxLength: STEPS_OF_A_HISTORY });
  const numRuns = Math.ceil(steps / STEPS_OF_A_HISTORY);
  try {
    await fc.assert(fc.asyncProperty(acts, history), { numRuns, ...(seed === undefined ? {} : { seed }) });
  } finally {
    await robot.close();
  }
}
