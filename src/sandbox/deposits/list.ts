import { addressText } from '../../contract/assets.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';

/** D-18: what was paid to the robot. Unattributed deposits belong to nobody yet, so every VASP sees them. */
export const listDeposits = (deps: SandboxDeps, limit: number, vaspId: string) => ({
  deposits: deps.robot.listDeposits(limit, vaspId).map(row => ({
    symbol: row.symbol,
    txHash: row.txHash,
    status: row.status,
    from: row.from,
    address: addressText(row.account, row.tag),
    amount: row.amount,
    height: row.height,
    at: toIso(row.at),
    verificationUuid: row.verificationUuid,
    note: row.note,
  })),
});
