import {
  type BlockRef,
  type Chain,
  ChainUnreachable,
  type InnerTransaction,
  type Sender,
  type TransactionLookup,
  type TransactionState,
} from '../../chains/port.ts';
import { type AssetSymbol, nodeHash, toCoins } from '../../contract/assets.ts';
import { NOT_FOUND_AFTER_MS } from '../../contract/plan-list.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import * as cursors from '../deposit/cursor-store.ts';
import { creditNamed, markNotCredited } from '../deposit/lifecycle.ts';
import * as readBlocks from '../deposit/read-block-store.ts';
import { recordTransfer } from '../deposit/record-transfer.ts';
import type { Deposit } from '../deposit/store.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import { findReplacedHeads } from '../expectation/replaced-head.ts';
import { lookUpAgain, nextLookUp, orderLookUp } from '../expectation/schedule.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import * as submissions from '../submission-store.ts';
import { judgeReport, type NamedTransfer } from './judge-report.ts';
import { mayChange, setVerdict } from './verdict.ts';

/** The deposits of the robot come from the reader. What went elsewhere, or nowhere, is looked up here. */

/** Timer `robot.report.look-up`: D-24, until the verdict cannot change any more. */
export async function lookUpReport(
  deps: RobotDeps,
  { verificationUuid }: { verificationUuid: string },
): Promise<Outcome> {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN' || expectation.txHash === null) return {};
  const { txHash } = expectation;
  const chain = await deps.chain(expectation.symbol);
  const before = cursors.find(deps.db, chain.symbol);
  const found = await lookUp(deps, expectation, txHash);
  const record = found && (await recorder(deps, expectation.symbol, txHash, found));
  const ask = <T>(work: () => Promise<T>) => whenReached(chain.onBehalfOf(expectation.vaspId, work));
  const noteReplacedHead = found && (await ask(() => replacedHead(deps, chain, expectation, txHash, found.state)));
  const replacing = found && (await ask(() => replacementOf(chain, expectation, found)));
  const again = nextLookUp(deps, expectation);
  if (!found || !noteReplacedHead) return { againAt: again.dueAt, why: again.why };
  return {
    apply(tx) {
      const cursor = cursors.find(tx, chain.symbol);
      // D-33: what a chain has said before it started over is not so on the new one.
      if (before && cursor?.genesis !== before.genesis) return;
      noteReplacedHead(tx);
      record?.(tx);
      const current = expectations.find(tx, verificationUuid);
      if (current?.status !== 'OPEN' || current.txHash !== txHash) return;
      const judged = applyLookUp(deps, tx, current, found, replacing);
      if (!judged || !mayChange(judged)) return;
      // A block that was read meanwhile may hold it.
      const isOld = found.state.status === 'pending' && cursor?.hash !== before?.hash;
      if (isOld) orderLookUp(deps, tx, judged);
      else lookUpAgain(deps, tx, judged);
    },
  };
}

/** Undefined: the chain cannot be reached now. */
export async function lookUp(
  deps: RobotDeps,
  { symbol, account, vaspId }: Pick<Expectation, 'symbol' | 'account' | 'vaspId'>,
  txHash: string,
): Promise<TransactionLookup | undefined> {
  const chain = await deps.chain(symbol);
  return whenReached(chain.onBehalfOf(vaspId, () => chain.lookup(txHash, account)));
}

const whenReached = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch(error => {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  });

/** The named transaction may stand in a block that was not read yet. Throws `ChainUnreachable`. */
function replacedHead(
  deps: RobotDeps,
  chain: Chain,
  { symbol, account, tag, amount }: Expectation,
  txHash: string,
  state: TransactionLookup['state'],
): Promise<(tx: Tx) => void> {
  const isNew = !deposits.ofTx(deps.db, symbol, txHash).some(deposit => deposit.account === account);
  const paid = isNew && state.status === 'final' ? [{ account, tag, amount, height: state.height }] : [];
  return findReplacedHeads(deps, chain, paid);
}

/** D-26: the reader does not see every payment out of a contract. The look-up has found it. */
async function recorder(
  deps: RobotDeps,
  symbol: AssetSymbol,
  txHash: string,
  { state, at, transfers }: TransactionLookup,
): Promise<(tx: Tx) => void> {
  const { accounts, ownerOf } = await deps.users.watched(symbol);
  const own = transfers.filter(({ to }) => accounts.has(to.account));
  return tx => {
    if (!('height' in state) || cursors.isStopped(tx, symbol)) return;
    const { height, blockHash, status } = state;
    if (isReplaced(tx, symbol, { height, hash: blockHash })) return;
    const block = {
      txHash: nodeHash(symbol, txHash),
      height,
      blockHash,
      at: at ?? deps.clock.machineNow(),
      final: status === 'final',
    };
    for (const transfer of own) recordTransfer(deps, tx, symbol, { ...transfer, ...block }, ownerOf(transfer.to));
  };
}

/** The reader has read another block in the place of this one meanwhile, and would not look at it again. */
const isReplaced = (tx: Tx, symbol: AssetSymbol, block: BlockRef): boolean =>
  block.height <= (cursors.find(tx, symbol)?.height ?? -1) && !readBlocks.isRead(tx, symbol, block);

/** Credits, or keeps the verdict. Returns the judged expectation; undefined: it is credited. */
function applyLookUp(
  deps: RobotDeps,
  tx: Tx,
  expectation: Expectation,
  { state, transfers, inner = [], escrowed, sender, missing }: TransactionLookup,
  replacing: Replacing | undefined,
): Expectation | undefined {
  if (creditNamed(deps, tx, expectation)) return undefined;
  const { txHash, namedAt, vaspId } = expectation;
  if (sender)
    expectations.patch(tx, expectation.verificationUuid, {
      senderAccount: sender.account,
      senderSequence: sender.sequence,
    });
  const height = 'height' in state ? state.height : 0;
  const finding = judgeReport(expectation, {
    txHash: txHash!,
    isOfAnother: isOfAnother(tx, expectation),
    state,
    waitsFor: sender && missing !== undefined ? { number: sender.sequence, missing } : undefined,
    transfers: namedTransfers(deps, expectation, { txHash: txHash!, transfers }, height),
    inner: inner.map(each => ({ txHash: each.txHash, transfers: namedTransfers(deps, expectation, each, height) })),
    escrowed: escrowed && {
      account: escrowed.to.account,
      tag: escrowed.to.tag ?? null,
      amount: toCoins(expectation.symbol, escrowed.amount),
    },
    replacement: replacing && {
      ...replacing,
      transfers: namedTransfers(deps, expectation, replacing, replacing.state.height),
    },
    isOverdue: deps.clock.now(vaspId) >= (namedAt ?? 0) + NOT_FOUND_AFTER_MS,
  });
  const judged = setVerdict(deps, tx, expectation, finding);
  if (!mayChange(judged)) markNotCredited(deps, tx, judged);
  return judged;
}

/** The deposit knows whose it is longer than the submission is kept. */
function isOfAnother(tx: Tx, { symbol, txHash, vaspId }: Expectation): boolean {
  const submitter = submissions.vaspOf(tx, symbol, txHash!);
  if (submitter !== undefined) return submitter !== vaspId;
  return deposits.ofTx(tx, symbol, txHash!).some(row => row.verificationUuid === null && !deposits.isFor(row, vaspId));
}

/** A deposit knows more than the chain: its first block, and the verification that has used it. */
function namedTransfers(
  deps: RobotDeps,
  { symbol, vaspId }: Expectation,
  { txHash, transfers }: InnerTransaction,
  height: number,
): NamedTransfer[] {
  const byKey = new Map<string, NamedTransfer>();
  const add = (transfer: NamedTransfer) => byKey.set(`${transfer.account} ${transfer.index}`, transfer);
  for (const { index, to, amount } of transfers) {
    const tag = to.tag ?? null;
    add({ index, account: to.account, tag, amount: toCoins(symbol, amount), height, waits: false, usedBy: null });
  }
  for (const deposit of deposits.ofTx(deps.db, symbol, txHash)) {
    const { index, account, tag, amount } = deposit;
    const height = deposits.countedHeight(deposit);
    const waits = deposit.status === 'CONFIRMED';
    add({ index, account, tag, amount, height, waits, usedBy: usedBy(deposit, vaspId) });
  }
  return [...byKey.values()].sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
}

function usedBy(deposit: Deposit, vaspId: string): string | null {
  if (deposit.verificationUuid === null) return null;
  return deposit.vaspId === vaspId ? `verification ${deposit.verificationUuid}` : 'a verification of another VASP';
}

interface Replacing extends InnerTransaction {
  state: Extract<TransactionState, { blockHash: string }>;
}

/**
 * D-36: a node forgets a transaction whose number another one has used, so its sender is remembered from the time when a
 * node knew it. Undefined: the number is free, or nothing is known of the sender. Throws `ChainUnreachable`.
 */
async function replacementOf(
  chain: Chain,
  expectation: Expectation,
  { state, sender = senderOf(expectation) }: TransactionLookup,
): Promise<Replacing | undefined> {
  if (!sender || 'blockHash' in state) return undefined;
  const txHash = await chain.findTransactionByNonce(sender);
  if (txHash === undefined || txHash.toLowerCase() === expectation.txHash?.toLowerCase()) return undefined;
  const other = await chain.lookup(txHash, expectation.account);
  return 'blockHash' in other.state ? { txHash, state: other.state, transfers: other.transfers } : undefined;
}

const senderOf = ({ senderAccount, senderSequence }: Expectation): Sender | undefined =>
  senderAccount === null || senderSequence === null ? undefined : { account: senderAccount, sequence: senderSequence };
