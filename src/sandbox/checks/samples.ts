import type { Callback } from '../../contract/callbacks.ts';
import { natural } from '../../contract/persons.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';

/** Valid requests that move no money. `CheckResponse` describes them. */

export const SAMPLE_UUID = '00000000-0000-4000-8000-000000000000';
const ADDRESS = '0x000000000000000000000000000000000000dead';
const ORIGINATOR = natural('Check', 'Endpoint', {
  dateAndPlaceOfBirth: { dateOfBirth: '2000-01-01', placeOfBirth: 'Seoul' },
});
const beneficiary = { beneficiaryPersons: [natural('Check', 'Endpoint')], accountNumber: [ADDRESS] };

export const sampleAccount = (originatingVaspId: string): VaspVerifyAccountRequest => ({
  originatingVaspId,
  symbol: 'ETH',
  network: 'Ethereum',
  version: '1.0',
  ivms101: { beneficiary },
});

export const sampleUser = (originatingVaspId: string, now: number): VaspVerifyUserRequest => ({
  verificationUuid: SAMPLE_UUID,
  assetInfo: {
    symbol: 'ETH',
    network: 'Ethereum',
    amount: '0.000001',
    isExceedingThreshold: false,
    tradePrice: '5',
    tradeCurrency: 'KRW',
    tradeISODatetime: toIso(now),
  },
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  originatingVaspId,
  version: '1.0',
  ivms101: { originator: { originatorPersons: [ORIGINATOR], accountNumber: [ADDRESS] }, beneficiary },
});

/** DENIED: a VASP that believes it sends no money. */
export const sampleCallback: Callback = {
  callbackType: 'VERIFICATION_RESULT',
  data: {
    verificationUuid: SAMPLE_UUID,
    verificationResult: 'DENIED',
    reason: 'NOT-ALLOWED',
    message: 'Endpoint check: no transfer belongs to this.',
  },
};
