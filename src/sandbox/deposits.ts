import { toIso } from '../kernel/clock.ts';
import type { Deposit } from '../robot/deposit/store.ts';
import type { SandboxDeps } from './deps.ts';

/** D-18: what was paid to the robot. Unattributed deposits belong to nobody yet, so every VASP sees them. */
export const listDeposits = (deps: SandboxDeps, limit: number, vaspId: string) => ({
  deposits: deps.robot.deposits.visibleTo(vaspId, limit).map(row => ({
    symbol: row.symbol,
    txHash: row.txHash,
    status: row.status as 'SEEN' | 'REORGANISED' | 'CONFIRMED' | 'UNATTRIBUTED' | 'CREDITED',
    from: row.from,
    address: addressOf(row),
    amount: row.amount,
    height: row.height,
    at: toIso(row.at),
    verificationUuid: row.verificationUuid,
    note: row.note,
  })),
});

const addressOf = ({ account, tag }: Deposit): string => (tag === null ? account : `${account}:${tag}`);
