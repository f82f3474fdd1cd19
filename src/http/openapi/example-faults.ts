import { type Fault, type FaultKind, faults } from '../../contract/faults.ts';
import { MAX_BODY_BYTES } from '../body.ts';

const UUID = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

/** One of each kind: what the message of an error looks like. */
export const EXAMPLE_FAULTS: Readonly<Record<FaultKind, Fault>> = {
  'missing-field': faults.missingField('verificationUuid'),
  'invalid-field': faults.invalidField('verificationUuid', 'should be text'),
  'not-json': faults.notJson(),
  'not-object': faults.notObject(),
  'too-large': faults.tooLarge(MAX_BODY_BYTES),
  'unknown-path': faults.unknownPath(),
  'wrong-method': faults.wrongMethod(['GET', 'HEAD']),
  unauthorized: faults.unauthorized(),
  'verification-missing': faults.verificationMissing(UUID),
  'not-beneficiary': faults.notBeneficiary(),
  'not-originator': faults.notOriginator(),
  'not-verified': faults.notVerified(UUID),
  'not-completed': faults.notCompleted(UUID),
  'already-reported': faults.alreadyReported(UUID),
  'unknown-vasp': faults.unknownVasp(),
  'vasp-not-active': faults.vaspNotActive(),
  'invalid-key-type': faults.invalidKeyType(),
  'required-info-without-account-number': faults.requiredInfoWithoutAccountNumber(),
  'invalid-result': faults.invalidResult(),
  'no-answer': faults.noAnswer(5000),
  'txhash-not-reported': faults.txHashNotReported(),
  'provider-refused': faults.providerRefused(),
  'group-not-found': faults.groupNotFound(),
  'insufficient-balance': faults.insufficientBalance('ETH', '0.024', '0.01'),
  'unknown-symbol': faults.unknownSymbol('BTC'),
  'unknown-address': faults.unknownAddress('address'),
  'embedded-only': faults.embeddedOnly(),
  'not-found': faults.notFound('Callback(7)'),
};
