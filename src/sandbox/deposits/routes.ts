import type * as z from 'zod';
import { addressText } from '../../contract/assets.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { type DepositsQuery, depositCalls } from './schema.ts';

export const depositEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(depositCalls.deposits, {
    summary: 'List the payments to the robot, including unattributed ones',
    run: ({ query }, caller) => listDeposits(deps, query, caller),
  }),
];

/** D-18: payments to the robot. Every VASP sees unattributed deposits: they belong to none yet. */
function listDeposits(deps: SandboxDeps, query: z.output<typeof DepositsQuery>, vaspId: CallerId) {
  const { deposits, next } = deps.robot.listDeposits(query, vaspId);
  return {
    deposits: deposits.map(row => ({
      symbol: row.symbol,
      txHash: row.txHash,
      status: row.status,
      from: addressText(row.from),
      address: addressText(row.account, row.tag),
      amount: row.amount,
      vout: row.index === null ? null : String(row.index),
      via: row.via,
      height: row.height,
      at: toIso(row.at),
      verificationUuid: row.verificationUuid,
      note: row.note,
    })),
    next,
  };
}
