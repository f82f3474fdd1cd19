import { isReason, REASONS } from '../../contract/reasons.ts';
import { REMARKS } from '../../contract/remarks.ts';
import { REPORT_VERDICTS } from '../../contract/report-verdicts.ts';
import type { Callback, Entry } from './schema.ts';

/** What the VASP does next. Empty: nothing. */
export function adviceOn(entry: Entry, callbacks: readonly Callback[]): string[] {
  const advice = [
    ...callbacks.filter(({ status }) => status === 'GIVEN-UP').map(({ id }) => givenUp(id)),
    ...payment(entry),
    ...entry.remarks.map(({ code }) => REMARKS[code].advice),
  ];
  return [...new Set(advice)].slice(0, 5);
}

const givenUp = (id: string): string =>
  `Return 200 from your callback address, then send the callback again: \`robot-vasp replay ${id}\`.`;

function payment({ role, status, result, reason, report, money }: Entry): string[] {
  if (status === 'OPEN')
    return role === 'beneficiary' ? ['Answer the verification within its time limit.'] : [];
  if (role === 'beneficiary') return result === 'VERIFIED' ? [awaitedPayment(money)] : [];
  if (report) return report.verdict === 'CREDITED' ? [] : [REPORT_VERDICTS[report.verdict].advice];
  return reason !== null && isReason(reason) ? [REASONS[reason].advice] : [];
}

const awaitedPayment = (money: Entry['money']): string =>
  money === null || money.status === 'CANCELED'
    ? 'Let the robot pay: `POST /vega/robot/v1.0/action/withdrawal` with this UUID.'
    : 'Credit your customer when the transaction is final.';
