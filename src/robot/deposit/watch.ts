import { type Chain, ChainReset, ChainUnreachable, type IncomingTransfer } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { begin, transition } from '../../db/transition.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';
import { attribute } from './attribute.ts';
import { depositMachine, depositStatus } from './machine.ts';
import { onChain } from './on-chain.ts';
import type { Deposit } from './store.ts';

/**
 * Reads one chain from the stored cursor; rows and cursor commit together. Being woken is a hint, reading is the truth.
 */
export interface Watcher {
  readonly symbol: AssetSymbol;
  /** Reads up to the present head. Resolves also when the chain cannot be reached: `state` says so. */
  sync(): Promise<void>;
  state(): WatcherState;
  stop(): Promise<void>;
}
export type WatcherState = { ok: true } | { ok: false; why: string };

export async function watchDeposits(deps: RobotDeps, symbol: AssetSymbol): Promise<Watcher> {
  const chain = await deps.chain(symbol);
  const log = deps.log.child({ chain: symbol });
  let state: WatcherState = { ok: false, why: 'not read yet' };
  let reading: Promise<void> | undefined;
  let isStopped = false;

  const loop = createLoop(() => void sync());
  const stopWaking = chain.onHead(() => loop.soon());

  async function read(): Promise<void> {
    try {
      while (!isStopped && !(await readPage(deps, chain))) {}
      if (!isStopped) await recheck(deps, chain);
      state = { ok: true };
    } catch (error) {
      noteFailure(error as Error);
    }
    if (!isStopped) loop.within(deps.rereadMs);
  }

  function noteFailure(error: Error): void {
    if (error instanceof ChainReset) write(deps.db, tx => deps.deposits.stopAt(tx, symbol, error.message));
    if (state.ok || state.why !== error.message) {
      const text =
        error instanceof ChainUnreachable ? 'the chain cannot be reached' : 'reading the chain failed';
      log.warn({ err: error.message }, text);
    }
    state = { ok: false, why: error.message };
  }

  /** One reader at a time; who comes while one reads is served by a reading that starts after. */
  async function sync(): Promise<void> {
    if (isStopped) return;
    const running = reading;
    if (running) await running;
    if (reading && reading !== running) return reading;
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    symbol,
    sync,
    state: () => state,
    async stop() {
      isStopped = true;
      stopWaking();
      loop.stop();
      await reading;
    },
  };
}

/** One bounded step. True when the head was reached. */
async function readPage(deps: RobotDeps, chain: Chain): Promise<boolean> {
  const watched = await deps.users.watched(chain.symbol);
  const cursor = deps.deposits.cursor(chain.symbol);
  const page = await chain.incoming(cursor, watched.accounts);
  write(deps.db, tx => {
    for (const transfer of page.transfers)
      recordTransfer(deps, tx, chain.symbol, transfer, watched.ownerOf(transfer.to));
    if (cursor?.hash !== page.cursor.hash || cursor.stopReason !== null)
      deps.deposits.saveCursor(tx, chain.symbol, page.cursor);
  });
  return page.caughtUp;
}

/**
 * A transfer may be read twice: its key is (chain, transaction, index). `owner`: the VASP that has added the user who
 * is paid; nobody else sees the deposit.
 */
function recordTransfer(
  deps: RobotDeps,
  tx: Tx,
  symbol: AssetSymbol,
  transfer: IncomingTransfer,
  owner: string | undefined,
): void {
  const { txHash, index, height, blockHash, at } = transfer;
  const known = deps.deposits.find(symbol, txHash, index);
  if (known) return seenAgain(deps, tx, known, transfer);
  const row = deps.deposits.insert(tx, {
    status: depositMachine.initial,
    symbol,
    txHash,
    index,
    from: transfer.from,
    account: transfer.to.account,
    tag: transfer.to.tag ?? null,
    amount: formatUnits(transfer.amount, ASSETS[symbol].decimals),
    height,
    blockHash,
    note: 'not final yet',
    vaspId: owner ?? null,
    at,
  });
  begin(tx, depositStatus, row, at, `${row.amount} ${symbol} in ${txHash}`, onChain(row));
  if (transfer.final) markFinal(deps, tx, row);
}

type Block = Pick<IncomingTransfer, 'height' | 'blockHash' | 'final'>;

function seenAgain(deps: RobotDeps, tx: Tx, known: Deposit, { height, blockHash, final }: Block): void {
  let row = known;
  if (row.status === 'REORGANISED')
    row = transition(tx, depositStatus, row, 'seen', {
      at: deps.clock.machineNow(),
      cause: `in block ${blockHash}`,
      detail: onChain({ ...row, height, blockHash }),
    });
  if (row.blockHash !== blockHash) deps.deposits.patch(tx, row.id, { height, blockHash });
  if (row.status === 'SEEN' && final) markFinal(deps, tx, { ...row, height, blockHash });
}

function markFinal(deps: RobotDeps, tx: Tx, row: Deposit): void {
  const confirmed = transition(tx, depositStatus, row, 'final', {
    at: deps.clock.machineNow(),
    cause: `final in block ${row.blockHash}`,
    detail: onChain(row),
  });
  attribute(deps, tx, confirmed);
}

/** What was not final when it was read: final by now, in another block, or gone. */
async function recheck(deps: RobotDeps, chain: Chain): Promise<void> {
  for (const deposit of deps.deposits.notFinal(chain.symbol)) {
    const now = await chain.stateOf(deposit.txHash);
    write(deps.db, tx => {
      const row = deps.deposits.byId(deposit.id);
      if (!row || row.status !== deposit.status) return;
      if (!('blockHash' in now)) markReorganised(deps, tx, row);
      else if (now.succeeded) seenAgain(deps, tx, row, { ...now, final: now.status === 'final' });
    });
  }
}

function markReorganised(deps: RobotDeps, tx: Tx, row: Deposit): void {
  if (row.status !== 'SEEN') return;
  const note = `block ${row.blockHash} was reorganised away`;
  transition(tx, depositStatus, row, 'reorganised', {
    patch: { note },
    at: deps.clock.machineNow(),
    cause: note,
    detail: onChain(row),
  });
}
