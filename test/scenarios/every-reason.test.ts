import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { REASON_CODES, REASONS, type Reason } from '../../src/contract/clauses.ts';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { PROVOCATIONS, userFor } from '../../src/sandbox/scenarios/provocations.ts';
import { openOnce } from '../support/open-once.ts';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { createWorld } from '../support/world/world.ts';

const world = openOnce(() => createWorld());

const account = (request: VerifyUserRequest) => request.payload.ivms101.beneficiary.accountNumber;

async function outcomeOf(request: VerifyUserRequest) {
  const { api, vasp } = world;
  const { verificationUuid: uuid } = await api.verifyUser(request);
  await world.advance('5s');
  const callback = await vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  const stored = await api.verification(uuid);
  const { verifications } = await api.list({ result: stored.result!, rpp: 100 });
  const listed = verifications.find(each => each.verificationUuid === uuid);
  return { uuid, callback, stored, listed };
}

/** Those that are not ''. */
const MESSAGES: Partial<Record<Reason, (request: VerifyUserRequest) => string | undefined>> = {
  'UNKNOWN-SYMBOL': () => 'BTC',
  'UNKNOWN-NETWORK': () => 'Tron',
  'UNKNOWN-ADDRESS': request => account(request)[0],
  'LACK-OF-INFORMATION': () => 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  'UNAVAILABLE-INFORMATION': () => 'NATURAL_PERSON_NATIONALITY',
  'NOT-ALLOWED': () => 'This user accepts no transfers.',
  'UNDEFINED-ERROR': () => 'Simulated failure of the robot.',
};

describe.each(ASSET_SYMBOLS)('REF-2.3, %s: by callback, by GET and by list', symbol => {
  test.each(REASON_CODES)('%s', async reason => {
    const { change } = PROVOCATIONS[reason];
    const message = MESSAGES[reason] ?? (() => '');
    const request = verificationOf(world, {
      symbol,
      user: userFor(world.info.users, PROVOCATIONS[reason])!.id,
      ...(change === undefined ? {} : { change }),
    });
    const { result } = REASONS[reason];
    const { uuid, callback, stored, listed } = await outcomeOf(request);
    const { originator, beneficiary } = request.payload.ivms101;
    const isVerified = result === 'VERIFIED';
    expect(callback).toMatchObject({
      verificationUuid: uuid,
      verificationResult: result,
      reason,
      message: message(request),
      ivms101: isVerified ? { beneficiary } : { originator, beneficiary },
    });
    expect(stored).toMatchObject({ verificationUuid: uuid, result, reason, message: message(request) });
    expect(listed).toEqual(stored);
  });
});

test('REF-4.6.10: a slow answer within the limit counts; D-12: one behind the limit does not', async () => {
  const { api, vasp } = world;
  const slow = await api.verifyUser(verificationOf(world, { user: 'answers-slowly' }));
  const late = await api.verifyUser(verificationOf(world, { user: 'answers-late' }));
  await world.advance('2s');
  expect(vasp.callbacks(slow.verificationUuid)).toEqual([]);
  await world.advance('2s');
  const answered = await vasp.ordinary.callbackOf(slow.verificationUuid, 'VERIFICATION_RESULT');
  expect(answered).toMatchObject({ verificationResult: 'VERIFIED' });
  expect(vasp.callbacks(late.verificationUuid)).toEqual([]);
  await world.advance('10s');
  expect(vasp.callbacks(late.verificationUuid)).toMatchObject([
    { data: { verificationResult: 'ERROR', reason: 'REQUEST-TIMEOUT' } },
  ]);
  expect(await api.verification(late.verificationUuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
});
