import { REASON_CODES, REASONS, type Reason, type Result } from '../../contract/reasons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { PROVOCATIONS, userFor } from '../../sandbox/scenarios/provocations.ts';
import { expectEqual, type Story } from '../story.ts';
import { requestFor, type SceneSet } from './set.ts';

/** All of REF-2.3; what is VERIFIED was played before. */
export async function everyReason(story: Story, set: SceneSet): Promise<void> {
  for (const code of REASON_CODES.filter(each => each !== 'OK')) {
    const { how, change, message = () => '' } = PROVOCATIONS[code];
    const request = requestFor(set, userFor(set.info.users, PROVOCATIONS[code])!.id, '0.1');
    change?.(request);
    const outcome = { result: REASONS[code].result, reason: code, message: message(request) };
    await story.step(`${how}: ${outcome.result} / ${code}`, () => outcomeIs(set, request, outcome));
  }
  const request = requestFor(set, 'unknown-wallet', '0.1');
  const [address = ''] = request.payload.ivms101.beneficiary.accountNumber;
  const unknown = { result: 'UNKNOWN', reason: 'UNKNOWN-ADDRESS', message: address } as const;
  await story.step('a wallet that the robot does not know: UNKNOWN', () => outcomeIs(set, request, unknown));
}

async function outcomeIs(
  { api, vasp }: SceneSet,
  request: VerifyUserRequest,
  expected: { result: Result; reason: Reason; message: string },
): Promise<void> {
  const { verificationUuid: uuid } = await api.verifyUser(request);
  if (expected.reason === 'REQUEST-TIMEOUT') await api.advance('5s');
  const told = await vasp.callbackOf(uuid, 'VERIFICATION_RESULT');
  const { verificationResult: result, reason, message } = told;
  expectEqual('the callback', { result, reason, message }, expected);
  const stored = await api.verification(uuid);
  expectEqual('GET', { result: stored.result, reason: stored.reason, message: stored.message }, expected);
}
