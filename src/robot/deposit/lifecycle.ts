import type { IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, addressText, toCoins } from '../../contract/assets.ts';
import { isClosing } from '../../db/closing.ts';
import { attributeHistory, newestHistory } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordBegin, transition } from '../../db/transition.ts';
import type { EventOf } from '../../kernel/machine.ts';
import * as balances from '../balance/store.ts';
import type { RobotDeps } from '../deps.ts';
import * as submissions from '../submission-store.ts';
import { depositMachine, depositStatus } from './machine.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** Every change of a deposit's status, with its entry in the history. */

/** `owner`: the VASP that added the user who is paid. Only that VASP sees the deposit, or the one that has submitted it. */
export function beginDeposit(
  tx: Tx,
  symbol: AssetSymbol,
  { txHash, index, via, from, to, amount, height, blockHash, at }: IncomingTransfer,
  owner: string | undefined,
): Deposit {
  const vaspId = owner ?? submissions.vaspOf(tx, symbol, txHash) ?? null;
  const deposit = deposits.insert(tx, {
    status: depositMachine.initial,
    symbol,
    txHash,
    index,
    via: via ?? null,
    // The accounts of the users of a forgotten VASP stay the robot's.
    from: vaspId !== null && isClosing(tx, vaspId) ? '' : from,
    account: to.account,
    tag: to.tag ?? null,
    amount: toCoins(symbol, amount),
    height,
    firstHeight: height,
    blockHash,
    note: 'not final yet',
    vaspId,
    at,
    afterHistory: newestHistory(tx),
  });
  const cause = `${deposit.amount} ${symbol} in ${txHash}`;
  recordBegin(tx, depositStatus, deposit, at, cause, chainDetail(deposit));
  return deposit;
}

/** `at`: default the time of the machine. */
const move = (
  deps: RobotDeps,
  tx: Tx,
  deposit: Deposit,
  event: EventOf<typeof depositMachine>,
  { at = deps.clock.machineNow(), ...change }: { cause: string; at?: number; patch?: Partial<Deposit> },
): Deposit => transition(tx, depositStatus, deposit, event, { at, ...change, detail: chainDetail(deposit) });

/** A reorganisation took it away, and it stands in a block again. */
export const markSeenAgain = (deps: RobotDeps, tx: Tx, deposit: Deposit): Deposit =>
  move(deps, tx, deposit, 'seen', { cause: `in block ${deposit.blockHash}` });

export const markFinal = (deps: RobotDeps, tx: Tx, deposit: Deposit): Deposit =>
  move(deps, tx, deposit, 'final', { cause: `final in block ${deposit.blockHash}` });

/** With a credit, the credit is taken back: the deposit belongs to no verification until it stands in a block again. */
export function markReorganised(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const removed = `block ${deposit.blockHash} was removed by a reorganisation`;
  const note =
    deposit.status === 'CREDITED'
      ? `taken back: ${removed}. It was credited to ${deposit.verificationUuid === null ? 'nobody' : `verification ${deposit.verificationUuid}`}`
      : removed;
  const patch = { note, verificationUuid: null };
  balances.moveDeposit(tx, deposit, move(deps, tx, deposit, 'reorganised', { patch, cause: note }));
}

/** D-18: it pays this verification, for good. Without one the sandbox has paid it for the VASP. */
export function markCredited(
  deps: RobotDeps,
  tx: Tx,
  deposit: Deposit,
  { verificationUuid, vaspId }: { verificationUuid: string | null; vaspId: string },
  cause: string,
): void {
  const patch = { verificationUuid, vaspId, note: `credited: ${cause}` };
  const moved = move(deps, tx, deposit, 'credited', { patch, at: deps.clock.now(vaspId), cause });
  balances.moveDeposit(tx, deposit, moved);
  if (verificationUuid === null) return;
  const row = { machine: 'deposit', rowKey: String(deposit.id) } as const;
  attributeHistory(tx, row, verificationUuid, deposit.afterHistory);
}

export function markUnattributed(deps: RobotDeps, tx: Tx, deposit: Deposit, why: string): void {
  const note = `unattributed: ${why}`;
  if (deposit.status === 'UNATTRIBUTED') return deposits.patch(tx, deposit.id, { note });
  const at = deposit.vaspId === null ? deps.clock.machineNow() : deps.clock.now(deposit.vaspId);
  move(deps, tx, deposit, 'nobody-expects-it', { patch: { note }, at, cause: note });
}

/** Something else than a payment delivered it: it is credited only when the originating VASP names its hash. */
export function markUnexplained(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const note = `unexplained: ${deposit.via} delivered it, which is no payment`;
  move(deps, tx, deposit, 'unexplained', { patch: { note }, cause: note });
}

/** Final, and at least one open verification fits it. */
export function markExpected(deps: RobotDeps, tx: Tx, deposit: Deposit, note: string): void {
  if (deposit.status !== 'UNATTRIBUTED') return deposits.patch(tx, deposit.id, { note });
  transition(tx, depositStatus, deposit, 'is-expected', { patch: { note }, at: deps.clock.machineNow(), cause: note });
}

/** The transfer on the chain. */
const chainDetail = ({ symbol, txHash, from, account, tag, amount, height, blockHash }: Deposit) => ({
  symbol,
  txHash,
  from: addressText(from),
  to: addressText(account, tag),
  amount,
  height,
  blockHash,
});
