import { REPORT_VERDICTS } from '../../contract/plan-list.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { addFinding } from '../../findings/store.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import type { ReportFinding } from './judge-report.ts';

/** D-24: keeps the verdict on the named transaction. The same verdict again changes nothing. */
export function setVerdict(
  deps: RobotDeps,
  tx: Tx,
  expectation: Expectation,
  { verdict, expected, got }: ReportFinding,
): Expectation {
  if (expectation.verdict === verdict && expectation.verdictGot === got) return expectation;
  const { verificationUuid, vaspId, txHash, vout } = expectation;
  const at = deps.clock.now(vaspId);
  const patch = { verdict, verdictExpected: expected, verdictGot: got, verdictAt: at };
  expectations.patch(tx, verificationUuid, patch);
  const { meaning, advice } = REPORT_VERDICTS[verdict];
  record(tx, {
    machine: 'report',
    rowKey: verificationUuid,
    verificationUuid,
    from: expectation.verdict,
    event: verdict,
    to: verdict,
    at,
    cause: `${meaning} ${advice}`,
    detail: { txHash, vout, expected, got },
  });
  if (verdict === 'PAID-BEFORE-VERIFIED')
    addFinding(tx, { verificationUuid, vaspId, code: verdict, field: 'txHash', expected, got, at });
  return { ...expectation, ...patch };
}

/** The verdict on the transaction that was named before, or on a credit that was taken back, does not count any more. */
export const NOT_JUDGED = { verdict: null, verdictExpected: null, verdictGot: null, verdictAt: null };

/** Verdicts after which a block, or a reorganisation, may bring the named transaction all the same. */
const MAY_STILL_CHANGE: ReadonlySet<string> = new Set(['NOT-FOUND', 'REPLACED']);
export const mayChange = ({ verdict }: Expectation): boolean =>
  verdict === null || MAY_STILL_CHANGE.has(verdict) || REPORT_VERDICTS[verdict].kind === 'waiting';
