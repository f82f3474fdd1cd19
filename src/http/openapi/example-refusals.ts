import { type Refusal, type RefusalKind, refusals } from '../../contract/refusals.ts';
import { MAX_BODY_BYTES } from '../body.ts';

const UUID = '8557f2b2-985e-431f-8d52-75c2e5a01e46';

/** One refusal of each kind, for the example messages of the document. */
export const EXAMPLE_REFUSALS: Readonly<Record<RefusalKind, Refusal>> = {
  'missing-field': refusals.missingField('verificationUuid'),
  'invalid-field': refusals.invalidField('verificationUuid', 'should be text'),
  'not-json': refusals.notJson(),
  'not-object': refusals.notObject(),
  'too-large': refusals.tooLarge(MAX_BODY_BYTES),
  'unknown-path': refusals.unknownPath(),
  'wrong-method': refusals.wrongMethod(['GET', 'HEAD']),
  unauthorized: refusals.unauthorized(),
  'no-host': refusals.noHost(),
  'foreign-host': refusals.foreignHost(),
  'foreign-origin': refusals.foreignOrigin(),
  'bad-target': refusals.badTarget(),
  'too-many': refusals.tooMany('event streams', 1000),
  'verification-missing': refusals.verificationMissing(UUID),
  'not-beneficiary': refusals.notBeneficiary(),
  'not-originator': refusals.notOriginator(),
  'not-verified': refusals.notVerified(UUID),
  'not-completed': refusals.notCompleted(UUID),
  'already-reported': refusals.alreadyReported(UUID),
  'unknown-vasp': refusals.unknownVasp(),
  'vasp-not-active': refusals.vaspNotActive(),
  'invalid-key-type': refusals.invalidKeyType(),
  'required-info-without-account-number': refusals.requiredInfoWithoutAccountNumber(),
  'invalid-result': refusals.invalidResult(),
  'no-answer': refusals.noAnswer(5000),
  'txhash-not-reported': refusals.txHashNotReported(),
  'provider-refused': refusals.providerRefused(),
  'group-not-found': refusals.groupNotFound(),
  'insufficient-balance': refusals.insufficientBalance('ETH', '0.024', '0.01'),
  'unknown-symbol': refusals.unknownSymbol('BTC'),
  'unknown-address': refusals.unknownAddress('address'),
  'embedded-only': refusals.embeddedOnly(),
  'chain-unreachable': refusals.chainUnreachable('ETH', 'connect ECONNREFUSED'),
  'place-taken': refusals.placeTaken('VASP 15952089931162058999 has registered its own addresses.'),
  'not-running': refusals.notRunning(),
  'not-found': refusals.notFound('Callback(7)'),
};
