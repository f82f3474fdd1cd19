import type { Chain, TransactionLookup } from '../../../src/chains/port.ts';
import { asCaller } from '../../../src/contract/tenancy.ts';
import type { TransactionStatusResult } from '../../../src/contract/verification.ts';
import { type Db, openDb } from '../../../src/db/open.ts';
import { deposits, expectations } from '../../../src/db/schema/robot.ts';
import { findings, history, timers as timerTable } from '../../../src/db/schema/runtime.ts';
import { write } from '../../../src/db/transaction.ts';
import type { Enclave } from '../../../src/enclave/port.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { inquire, lookUpReport } from '../../../src/robot/deposit/inquire.ts';
import type { RobotDeps } from '../../../src/robot/deps.ts';
import { inquiryFrom, orderFirstInquiry } from '../../../src/robot/expectation/schedule.ts';
import * as stored from '../../../src/robot/expectation/store.ts';
import { createUsers } from '../../../src/robot/users/users.ts';
import { sandboxClock } from '../../../src/timers/sandbox-clock.ts';
import { createTimers, type Timers } from '../../../src/timers/timers.ts';
import { chains, fixtureUsers } from '../judge/judge-request.ts';

export const ROBOT_ACCOUNT = `0x${'11'.repeat(20)}`;
const STRANGER = `0x${'22'.repeat(20)}`;
const MINUTE_MS = 60_000;
export const INQUIRY = { waitMs: 10 * MINUTE_MS, intervalMs: 5 * MINUTE_MS, windowMs: 60 * MINUTE_MS };

export type ExpectingRobot = ReturnType<typeof expectingRobot>;

/**
 * The half of the robot that awaits money, on a real database with real timers. The test decides what the chain and the
 * enclave answer, and moves the clock.
 */
export function expectingRobot(answers: {
  status(uuid: string): Promise<TransactionStatusResult['transactionStatus']>;
  lookup(txHash: string): Promise<TransactionLookup>;
}) {
  const db: Db = openDb(':memory:');
  const machine = { at: Date.UTC(2026, 0, 1) };
  const clock = sandboxClock(db, { now: () => machine.at });
  const timers = createTimers({ db, clock, log: silentLog });
  const chain = {
    symbol: 'ETH',
    onBehalfOf: <T>(_: string, work: () => Promise<T>) => work(),
    lookup: answers.lookup,
    stateOf: async (txHash: string) => (await answers.lookup(txHash)).state,
    isInChain: async () => true,
    findTransactionByNonce: async () => undefined,
  } as unknown as Chain;
  const enclave = {
    get: () => ({ result: 'VERIFIED' }),
    list: () => ({ verifications: [] }),
    setCredited: () => {},
    inquireTransaction: async ({ verificationUuid }: { verificationUuid: string }) => ({
      verificationUuid,
      transactionStatus: await answers.status(verificationUuid),
      txHash: '',
    }),
  } as unknown as Enclave;
  const deps = {
    db,
    clock,
    timers,
    enclave,
    log: silentLog,
    vaspId: asCaller('17104899575711300402'),
    walletSettings: () => ({}),
    chain: async () => chain,
    inquiry: INQUIRY,
    users: createUsers(db, fixtureUsers, async () => chains),
  } as unknown as RobotDeps;
  timers.start({
    'robot.deposit.inquire': (payload: { verificationUuid: string }) => inquire(deps, payload),
    'robot.report.look-up': (payload: { verificationUuid: string }) => lookUpReport(deps, payload),
  } as unknown as Parameters<Timers['start']>[0]);
  return {
    db,
    deps,
    chain,
    machine,
    timers,
    /** The robot has just answered VERIFIED. */
    open(uuid: string, vaspId: string, amount: string): void {
      write(db, tx => {
        const row = stored.insert(tx, {
          verificationUuid: uuid,
          status: 'OPEN',
          vaspId,
          userId: 'u',
          symbol: 'ETH',
          account: ROBOT_ACCOUNT,
          tag: null,
          amount,
          originatorAccounts: [STRANGER],
          verifiedHeight: 0,
          verifiedHash: null,
          inquireUntil: inquiryFrom(deps, clock.now(vaspId)).until,
          createdAt: clock.now(vaspId),
        });
        orderFirstInquiry(deps, tx, row);
      });
    },
    find: (uuid: string) => stored.find(db, uuid)!,
    timer: (kind: 'robot.deposit.inquire' | 'robot.report.look-up', key: string) =>
      timers.pendingOf([{ kind, key }])[0],
    /** Nothing of the last history is left. */
    clear(): void {
      write(db, tx => {
        for (const table of [expectations, deposits, timerTable, history, findings]) tx.orm.delete(table).run();
      });
    },
    async close(): Promise<void> {
      await timers.stop();
      db.close();
    },
  };
}
