import { isReason, REASONS } from '../../contract/reasons.ts';
import { REMARKS } from '../../contract/remarks.ts';
import { REPORT_VERDICTS } from '../../contract/report-verdicts.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { listCallbacks } from '../callbacks/list.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from '../timeline/read.ts';
import { listVerifications } from '../verifications/list.ts';
import { factsOf, failedCallsOf, isOfVasp, isTakenBack, type Known, unnamedPayments } from './facts.ts';
import { type WhyResponse, whyCalls } from './schema.ts';

export const whyEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(whyCalls.why, {
    summary: 'Explain in a few lines why a verification is in its state, and what to do',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params }, caller) => explainVerification(deps, params.uuid, caller),
  }),
];

/** The state of one verification in a few sentences. Throws `Refusal` verification-missing. */
async function explainVerification(deps: SandboxDeps, uuid: string, caller: CallerId): Promise<WhyResponse> {
  const timeline = readTimeline(deps, uuid, caller);
  const { verifications } = await listVerifications(
    deps,
    { verificationUuid: timeline.verificationUuid, limit: 1 },
    caller,
  );
  const entry = verifications[0]!;
  const { verificationUuid } = entry;
  const query = { verificationUuid, order: 'newest', limit: 100 } as const;
  const callbacks = listCallbacks(deps, query, caller).callbacks.reverse();
  const known = {
    entry,
    ...timeline,
    callbacks,
    unnamed: unnamedPayments(deps, entry, caller),
    isOfRobot: entry.counterparty.vaspId === deps.robot.vaspId,
  };
  return { verificationUuid, ...factsOf(known), next: adviceOn(known) };
}

/** What the VASP does next. Empty: nothing. */
function adviceOn(known: Known): string[] {
  const { entry, callbacks } = known;
  const own = failedCallsOf(known).findLast(isOfVasp);
  const advice = [
    ...callbacks.filter(({ status }) => status === 'GIVEN-UP').map(({ id }) => givenUp(id)),
    ...(own && entry.result === 'ERROR' ? [ownAnswer(String(own.detail?.exchangeId))] : []),
    ...(unnamedAdvice(known) ?? payment(known)),
    ...entry.remarks.map(({ code }) => REMARKS[code].advice),
  ];
  return [...new Set(advice)].slice(0, 5);
}

const givenUp = (id: string): string =>
  `Return 200 from your callback address, then send the callback again: \`robot-vasp replay ${id}\`.`;

const ownAnswer = (exchangeId: string): string =>
  `Look at exchange ${exchangeId}: what your VASP returned made the result ERROR. Correct it, then verify again.`;

/** Undefined: no payment has come that nobody has named. */
function unnamedAdvice({ entry: { money, report }, unnamed }: Known): string[] | undefined {
  const [newest] = unnamed;
  if (!newest || money?.status === 'CREDITED') return undefined;
  if (money?.status !== 'AWAITED') return ['The robot keeps the payment, and credits and returns nothing.'];
  const fitting = unnamed.find(({ status }) => status === 'CONFIRMED');
  return report === null && fitting ? [`Report the hash of your payment: ${fitting.txHash}.`] : undefined;
}

function payment(known: Known): string[] {
  const { role, status, result, reason, report, txHash } = known.entry;
  if (status === 'OPEN')
    return [
      role === 'beneficiary'
        ? 'Answer the verification within its time limit.'
        : 'Wait for the result: the callback VERIFICATION_RESULT brings it.',
    ];
  if (role === 'beneficiary' && result === 'VERIFIED') return [awaitedPayment(known)];
  if (role === 'beneficiary') return ownVerdict(known);
  if (isTakenBack(known)) return ['Send the same signed transaction again. A new one may pay twice.'];
  if (report) return report.verdict === 'CREDITED' ? [] : [REPORT_VERDICTS[report.verdict].advice];
  if (result === 'VERIFIED' && txHash !== null)
    return known.isOfRobot ? ['Wait: the robot looks the transaction up.'] : [];
  return reason !== null && isReason(reason) ? [REASONS[reason].advice] : [];
}

/** The tested VASP itself has ended it. Undefined errors may be the robot's. */
function ownVerdict({ entry: { result, reason, beneficiaryAddress }, isOfRobot }: Known): string[] {
  if (reason === 'UNDEFINED-ERROR') return [REASONS[reason].advice];
  if (result !== 'DENIED' && result !== 'UNKNOWN') return [];
  const again = isOfRobot
    ? ` Else return VERIFIED for ${beneficiaryAddress}, or let the robot name your customer: \`robot-vasp deposit --to ${beneficiaryAddress} --last-name <name> --first-name <name>\`.`
    : '';
  return [`Your VASP returned ${reason}. If that is right, nothing is left to do.${again}`];
}

/** Without `money` the robot has not paid, or it is in another process and a report tells of its payment. */
function awaitedPayment({ entry: { money, txHash }, isOfRobot }: Known): string {
  if (money?.status === 'PENDING') return 'Wait: the robot has not paid yet.';
  const isUnpaid = money === null ? txHash === null : money.status === 'CANCELED';
  if (isUnpaid && !isOfRobot) return 'Wait for the payment of the other VASP and its report.';
  return isUnpaid
    ? 'Let the robot pay: `POST /vega/robot/v1.0/action/withdrawal` with this UUID.'
    : money?.status === 'CONFIRMED'
      ? 'The payment is final: credit your customer.'
      : 'Credit your customer when the transaction is final.';
}
