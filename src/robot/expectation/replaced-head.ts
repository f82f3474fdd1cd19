import type { BlockRef, Chain } from '../../chains/port.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation, Payment } from './store.ts';
import * as expectations from './store.ts';

/** A payment deeper than this under the newest block at VERIFIED was made before, whatever a reorganisation did. */
const DEEPEST_BLOCKS = 256;

/** A payment that the robot sees for the first time. */
type Paid = Omit<Payment, 'symbol'> & { height: number };

/**
 * D-18 after a reorganisation: when the newest block at VERIFIED was replaced, a payment in a block that took its place
 * is no earlier payment. Looks for such verifications. The returned function lets the payments count for them. Throws
 * `ChainUnreachable`.
 */
export async function findReplacedHeads(
  deps: RobotDeps,
  chain: Chain,
  paid: readonly Paid[],
): Promise<(tx: Tx) => void> {
  const heads = new Map<string, Promise<boolean>>();
  /** One call for each block, whatever number of verifications began with it. */
  const isReplaced = ({ verifiedHeight, verifiedHash }: Expectation): Promise<boolean> => {
    const key = `${verifiedHeight} ${verifiedHash}`;
    const known = heads.get(key) ?? isGone(chain, { height: verifiedHeight!, hash: verifiedHash! });
    heads.set(key, known);
    return known;
  };
  const found: { expectation: Expectation; height: number }[] = [];
  for (const { height, ...to } of paid)
    for (const expectation of expectations.verifiedWithin(
      deps.db,
      { symbol: chain.symbol, ...to },
      height,
      height + DEEPEST_BLOCKS,
    ))
      if (await isReplaced(expectation)) found.push({ expectation, height });
  return tx => {
    for (const { expectation, height } of found) countFrom(deps, tx, expectation, height);
  };
}

const isGone = async (chain: Chain, block: BlockRef): Promise<boolean> => !(await chain.isInChain(block));

function countFrom(deps: RobotDeps, tx: Tx, expectation: Expectation, height: number): void {
  const { verificationUuid, vaspId, status, verifiedHeight } = expectation;
  const current = expectations.find(tx, verificationUuid);
  if (current?.status !== 'OPEN' || (current.verifiedHeight ?? 0) < height) return;
  expectations.patch(tx, verificationUuid, { verifiedHeight: height - 1, verifiedHash: null });
  record(tx, {
    machine: 'expectation',
    rowKey: verificationUuid,
    verificationUuid,
    from: status,
    event: 'head-replaced',
    to: status,
    at: deps.clock.now(vaspId),
    cause: `a reorganisation replaced block ${verifiedHeight}, the newest block at VERIFIED: payments from block ${height} on count`,
  });
}
