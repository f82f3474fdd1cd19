import { REASON_CODES, REASONS, type Reason, type Result } from '../../contract/reasons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { PROVOCATIONS, userFor } from '../../sandbox/scenarios/provocations.ts';
import { callbackOf } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { requestFor, type SceneContext } from './context.ts';

/** Every reason of REF-2.3 except OK. Earlier scenes show VERIFIED. */
export async function everyReason(log: StepLog, context: SceneContext): Promise<void> {
  for (const code of REASON_CODES.filter(each => each !== 'OK')) {
    const { how, change, message = () => '' } = PROVOCATIONS[code];
    const request = requestFor(context, userFor(context.info.users, PROVOCATIONS[code])!.id, '0.1');
    change?.(request);
    const outcome = { result: REASONS[code].result, reason: code, message: message(request) };
    await log.step(`${how}: ${outcome.result} / ${code}`, () => outcomeIs(context, request, outcome));
  }
  const request = requestFor(context, 'unknown-wallet', '0.1');
  const [address = ''] = request.payload.ivms101.beneficiary.accountNumber;
  const unknown = { result: 'UNKNOWN', reason: 'UNKNOWN-ADDRESS', message: address } as const;
  await log.step('an unknown wallet: UNKNOWN', () => outcomeIs(context, request, unknown));
}

async function outcomeIs(
  { api }: SceneContext,
  request: VerifyUserRequest,
  expected: { result: Result; reason: Reason; message: string },
): Promise<void> {
  const { verificationUuid: uuid } = await api.verifyUser(request);
  if (expected.reason === 'REQUEST-TIMEOUT') await api.advance('5s');
  const callback = await callbackOf(api, uuid, 'VERIFICATION_RESULT');
  const { verificationResult: result, reason, message } = callback;
  expectEqual('the callback', { result, reason, message }, expected);
  const stored = await api.verification(uuid);
  expectEqual('GET', { result: stored.result, reason: stored.reason, message: stored.message }, expected);
}
