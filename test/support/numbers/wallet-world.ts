import type { BlockRef } from '../../../src/chains/port.ts';
import { type AssetSymbol, toCoins } from '../../../src/contract/assets.ts';
import type { CallerId } from '../../../src/contract/tenancy.ts';
import type { Db } from '../../../src/db/open.ts';
import { write } from '../../../src/db/transaction.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { resumeChain } from '../../../src/robot/control.ts';
import * as cursors from '../../../src/robot/deposit/cursor-store.ts';
import * as readBlocks from '../../../src/robot/deposit/read-block-store.ts';
import { reopenReplaced } from '../../../src/robot/deposit/watch.ts';
import type { RobotDeps } from '../../../src/robot/deps.ts';
import { acceptPayments, listHeld } from '../../../src/robot/numbers/numbers.ts';
import * as numbers from '../../../src/robot/numbers/store.ts';
import { beginTransfer } from '../../../src/robot/transfer/lifecycle.ts';
import { runWallet } from '../../../src/robot/transfer/run-wallet.ts';
import * as transfers from '../../../src/robot/transfer/store.ts';
import { sandboxClock } from '../../../src/timers/sandbox-clock.ts';
import { createTimers } from '../../../src/timers/timers.ts';
import { ACCOUNT, Killed, modelLedger } from './model-ledger.ts';

/** The tables that a copy of the database brings back. */
const TABLES = [
  ...['robot_transfers', 'robot_transfer_attempts', 'robot_wallets', 'robot_unexplained_payments'],
  ...['robot_balances', 'robot_cursors', 'robot_read_blocks', 'runtime_history', 'runtime_timers'],
];
const VASP = 'vasp';
const RECIPIENTS = ['0xa', '0xb'];
const AMOUNTS = [1n, 2n];
const RUNS_TO_THE_END = 160;
/** The last order of all: with it every number is filled. */
const LAST_INDEX = 8;
const LAST = `verification ${LAST_INDEX}`;
const BLOCK_MS = 12_000;

/** One wallet of the robot, its real code and database, on a model of the ledger. */
export function walletWorld(db: Db, symbol: AssetSymbol) {
  for (const table of TABLES) db.sqlite.exec(`DELETE FROM ${table}`);
  const machine = { at: 1_700_000_000_000 };
  const clock = sandboxClock(db, { now: () => machine.at });
  const timers = createTimers({ db, clock, log: silentLog, silentAfterMs: 100 });
  const ledger = modelLedger(symbol);
  const wallet = { symbol, account: ACCOUNT };
  /** The times at which verifications were asked for. */
  const asked = new Map<string, number>();
  const enclave = {
    get: (uuid: string) => ({ createdAt: new Date(asked.get(uuid)!).toISOString() }),
    reportTransaction() {},
    reportError() {},
  };
  const deps = {
    ...{ db, clock, timers, log: silentLog, random: systemRandom, vaspId: 'robot' as CallerId },
    enclave: enclave as never,
    chain: async () => ledger.chain,
    walletSettings: () => ({ trackEveryMs: 1_000, retryMs: 1_000, lowFundsRetryMs: 1_000, stuckAfterMs: 30_000 }),
  } as unknown as RobotDeps;
  const receive = () =>
    db.sqlite.exec(
      `INSERT INTO robot_balances (vasp_id, symbol, account, tag, credited) VALUES ('${VASP}', '${symbol}', '${ACCOUNT}', -1, '1000000')`,
    );
  receive();
  type Row = Record<string, unknown>;
  type Copy = Map<string, Row[]>;
  const copies: Copy[] = [];
  /** Payments after this block are still to be looked up. */
  let recheckFrom = Number.POSITIVE_INFINITY;
  /** A restore, or another program: a reorganisation deeper than the confirmations is played without them. */
  let hasStrange = false;
  let hasDeep = false;

  /** The same order again changes nothing, unless the database has forgotten it. */
  function order(index: number): void {
    const verificationUuid = `verification ${index}`;
    if (!asked.has(verificationUuid)) asked.set(verificationUuid, machine.at);
    if (transfers.find(db, verificationUuid)) return;
    const to = RECIPIENTS[index % 2]!;
    const amount = toCoins(symbol, AMOUNTS[Math.floor(index / 2) % 2]!);
    const intent = {
      ...{ verificationUuid, vaspId: VASP, userId: 'user', symbol, account: ACCOUNT, walletIndex: 0, tag: null },
      ...{ toAccount: to, toTag: null, amount, omitTxReport: false, isHeld: false, createdAt: machine.at },
    };
    write(db, tx => beginTransfer(tx, intent, 'ordered'));
  }

  /** Returns why the wallet does nothing, if it says so. Throws where it stops without a sentence. */
  async function run(killAfter?: number): Promise<void> {
    ledger.killAfter(killAfter);
    try {
      const { againAt, why } = await runWallet(deps, wallet);
      if (why !== undefined && numbers.find(db, wallet).note !== why) throw new Error('it waits without a note');
      if (againAt === undefined && transfers.openOn(db, symbol).length > 0)
        throw new Error('it has stopped with an open transfer');
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    } finally {
      ledger.killAfter(undefined);
    }
  }

  const copy = () =>
    void copies.push(new Map(TABLES.map(table => [table, db.sqlite.prepare(`SELECT * FROM ${table}`).all() as Row[]])));
  /** A node shows nobody what waits behind a gap. The program starts, and looks. */
  async function restore(index: number): Promise<void> {
    const chosen = copies[index % Math.max(copies.length, 1)];
    if (!chosen || hasDeep) return;
    // Later copies are of a life that did not happen for this one.
    copies.length = copies.indexOf(chosen) + 1;
    ledger.dropQueued();
    hasStrange = true;
    for (const [table, rows] of chosen) {
      db.sqlite.exec(`DELETE FROM ${table}`);
      for (const row of rows) {
        const names = Object.keys(row);
        const values = names.map(() => '?').join();
        db.sqlite.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values})`).run(...Object.values(row));
      }
    }
    await run();
  }
  function reorganise(areLost: boolean): void {
    if (hasStrange && !ledger.mayBeReplaced) return;
    hasDeep ||= !ledger.mayBeReplaced;
    ledger.reorganise(areLost);
    // What waits behind a gap is seen by nobody: a limit of what can be known after a restore.
    if (hasStrange) ledger.dropQueued();
  }
  /** The reader reads up to the head. It notices a reorganisation of blocks that it has read before. */
  async function read(): Promise<void> {
    const cursor = cursors.find(db, symbol)?.height ?? -1;
    const isThere = ({ height, hash }: BlockRef) => ledger.hashAt(height) === hash;
    const common = readBlocks.of(db, symbol).find(isThere)?.height ?? -1;
    const blocks = Array.from({ length: ledger.head - common }, (_, n) => {
      const height = common + 1 + n;
      return { height, hash: ledger.hashAt(height)! };
    });
    write(db, tx => {
      if (common < cursor) {
        recheckFrom = Math.min(recheckFrom, common);
        numbers.forgetAfter(tx, symbol, common);
      }
      const head = { height: ledger.head, hash: ledger.hashAt(ledger.head)! };
      cursors.save(tx, symbol, { ...head, genesis: ledger.hashAt(0)! });
      readBlocks.save(tx, symbol, blocks, head);
    });
    await recheck();
  }
  async function recheck(): Promise<void> {
    if (recheckFrom === Number.POSITIVE_INFINITY) return;
    if (await reopenReplaced(deps, ledger.chain, recheckFrom)) recheckFrom = Number.POSITIVE_INFINITY;
  }
  function useByAnother(): void {
    if (hasDeep) return;
    hasStrange = true;
    ledger.useByAnother();
  }
  /** D-33: nothing of the wallet is on the new chain, and nothing of the old one holds it there. */
  async function startOverInRun(calls: number): Promise<void> {
    await read();
    let isNew = false;
    ledger.meanwhile(calls, () => {
      ledger.startOver();
      write(db, tx => cursors.stopAt(tx, symbol, 'started over'));
      isNew = true;
    });
    await run();
    ledger.meanwhile(0, () => {});
    if (!isNew) return;
    if (ledger.mayPay) throw new Error('what was signed for the old chain waits on the new one');
    copies.length = 0;
    recheckFrom = Number.POSITIVE_INFINITY;
    const hash = ledger.hashAt(0)!;
    write(db, tx => resumeChain(deps, tx, symbol, { height: 0, hash, genesis: hash }, 'started over'));
    receive();
    const held = listHeld(db, symbol);
    if (held.length > 0) throw new Error(`the new chain is held by ${JSON.stringify(held)}`);
  }
  const accept = () =>
    write(db, tx => {
      const names = listHeld(tx, symbol).map(({ name }) => name);
      acceptPayments(tx, symbol, names);
    });

  /** Everybody does what is right: all orders come again, blocks are made, the operator goes on. */
  async function end(): Promise<void> {
    ledger.answerNext('accepted');
    ledger.meanwhile(0, () => {});
    for (let left = RUNS_TO_THE_END; left > 0; left--) {
      for (let index = 0; index <= LAST_INDEX; index++) if (asked.has(`verification ${index}`)) order(index);
      await read();
      await run();
      accept();
      ledger.mine(10);
      machine.at += BLOCK_MS;
      if (isDone() && asked.has(LAST)) return;
      if (isDone()) order(LAST_INDEX);
    }
    throw new Error(`it does not end: ${JSON.stringify(transfers.openOn(db, symbol))}`);
  }
  const isDone = () =>
    transfers.openOn(db, symbol).length === 0 && [...asked.keys()].every(uuid => transfers.find(db, uuid));

  /** What is paid on the ledger, and what the database says, each as `recipient amount`. */
  const books = () => ({
    onLedger: ledger.mined
      .filter(({ reference, amount }) => reference !== '' && amount > 0n)
      .map(paid)
      .sort(),
    inDatabase: [...asked.keys()]
      .map(uuid => transfers.find(db, uuid)!)
      .filter(({ status, isOfPastChain }) => status === 'CONFIRMED' && !isOfPastChain)
      .map(({ toAccount, amount }) => `${toAccount} ${amount}`)
      .sort(),
  });
  const paid = ({ to, amount }: { to: string; amount: bigint }) => `${to} ${toCoins(symbol, amount)}`;

  return {
    ...{ ledger, order, run, read, copy, restore, reorganise, useByAnother, startOverInRun, accept, end, books },
    wait: (ms: number) => {
      machine.at += ms;
    },
    nextNumber: () => numbers.find(db, wallet).nextSequence,
  };
}
