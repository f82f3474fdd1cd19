import type { RefusalKind } from '../../../contract/errors.ts';
import { REASONS, type Reason } from '../../../contract/reasons.ts';
import { REMARKS, type RemarkCode } from '../../../contract/remarks.ts';
import { REPORT_VERDICTS, type ReportVerdict } from '../../../contract/report-verdicts.ts';

/** A code in words. */
export interface CodeText {
  readonly meaning: string;
  /** The next step of the reader. */
  readonly advice: string;
}

/** Meaning of each refusal, and what the caller should do. A new kind without a row does not compile. */
export const refusals: Record<RefusalKind, CodeText> = {
  'missing-field': {
    meaning: 'A required field is missing; X is its name.',
    advice: 'Add the field that the message names.',
  },
  'invalid-field': {
    meaning: 'A field has a wrong type or value.',
    advice: 'Correct the field that the message names. The API document shows its form.',
  },
  'not-json': {
    meaning: 'The body is not JSON.',
    advice: 'Send a JSON object as body.',
  },
  'not-object': {
    meaning: 'The body is JSON, but no object.',
    advice: 'Send a JSON object as body.',
  },
  'too-large': {
    meaning: 'The body is larger than 256 KiB.',
    advice: 'Send a smaller body.',
  },
  'unsupported-media': {
    meaning: 'The body has a content coding, or another charset than UTF-8.',
    advice: 'Send the body as it is, in UTF-8. Turn off the compression of requests in your HTTP client.',
  },
  'unknown-path': {
    meaning: 'There is no such path.',
    advice: 'Check the path against the API document.',
  },
  'wrong-method': {
    meaning: 'The path has no such method.',
    advice: 'Use one of the methods in the `Allow` header.',
  },
  unauthorized: {
    meaning: 'The API key is missing, unknown, expired or revoked.',
    advice:
      'Send the API key of a registered VASP as `Authorization: Bearer <key>`. In the local mode a request without a key is welcome, too.',
  },
  forbidden: {
    meaning: 'The API key is good, but not for this request.',
    advice: 'Use a key with the scope that the message names. Some requests are only for the operator.',
  },
  suspended: {
    meaning: 'The operator has suspended the VASP.',
    advice: 'Ask the operator of the sandbox.',
  },
  'rate-limited': {
    meaning: 'The key, or the address, has sent too many requests.',
    advice:
      'Wait as long as `Retry-After` says. `RateLimit-Policy` and `RateLimit` tell the limit and the rest.',
  },
  'quota-exceeded': {
    meaning: 'A quota of the VASP is used up.',
    advice:
      'The message names the quota and when it frees. `GET /sandbox/v1/usage` shows all quotas; the operator can change them.',
  },
  'already-registered': {
    meaning: 'A VASP with this id is registered, or was.',
    advice: 'Choose another `vaspId`, or leave it out.',
  },
  'no-host': {
    meaning: 'The header `Host` is missing.',
    advice: 'Send the header `Host`. Every HTTP client does.',
  },
  'foreign-host': {
    meaning: 'The header `Host` names a host that is none of this program.',
    advice: 'Use `localhost`, or add the name to `ALLOWED_HOSTS`.',
  },
  'foreign-origin': {
    meaning: 'A web page of another site sent the request.',
    advice: 'Send it from your own program, or add the host of your page to `ALLOWED_HOSTS`.',
  },
  'bad-target': {
    meaning: 'The request target is no valid path.',
    advice: 'Send a path that begins with a slash.',
  },
  'too-many': {
    meaning: 'Too many event streams or waiting reads of the mailbox are open.',
    advice: 'Close some of them, wait for the time in `Retry-After`, and try again.',
  },
  'verification-missing': {
    meaning: 'There is no such verification, or you are not one of its VASPs.',
    advice: 'Check the verificationUuid. Only the two VASPs of a verification can see it.',
  },
  'not-beneficiary': {
    meaning: 'You are not the beneficiary VASP of the verification.',
    advice: 'Only the beneficiary VASP may ask for the status of the transaction.',
  },
  'not-originator': {
    meaning: 'You are not the originating VASP of the verification.',
    advice: 'Only the originating VASP may report.',
  },
  'not-verified': {
    meaning: 'The result of the verification is not VERIFIED.',
    advice: 'Wait for the result VERIFIED before you send or report a transaction.',
  },
  'not-completed': {
    meaning: 'The verification has no result yet.',
    advice: 'Wait for the result of the verification.',
  },
  'already-reported': {
    meaning: 'The verification is credited, or it has a report already.',
    advice: 'The verification has its transaction. Open a new verification for another payment.',
  },
  'unknown-vasp': {
    meaning: 'There is no such VASP.',
    advice: 'Take the vaspId from `GET /v1/vasps`.',
  },
  'vasp-not-active': {
    meaning: 'The VASP takes no part at present.',
    advice: 'Choose a VASP that is active in `GET /v1/vasps`.',
  },
  'invalid-key-type': {
    meaning: 'The key type is not supported.',
    advice: 'Send `PerVasp` as `keyType`.',
  },
  'required-info-without-account-number': {
    meaning: 'The requested information lacks the account number.',
    advice: 'Add `ACCOUNT_NUMBER` to `requiredBeneficiaryInfo`.',
  },
  'invalid-result': {
    meaning: 'Result and reason do not belong together.',
    advice: 'Send a result and a reason that belong together; see the reasons in this guide.',
  },
  'no-answer': {
    meaning: 'The other VASP gave no usable answer in time.',
    advice: 'Answer within the time limit. The exchanges show what was asked and what came.',
  },
  'txhash-not-reported': {
    meaning: 'No transaction was reported for the verification.',
    advice: 'Report the transaction first. A KYT assessment needs its hash.',
  },
  'provider-refused': {
    meaning: 'The simulated provider refused its key.',
    advice: 'Compare the configured key of the provider with the key of the simulated provider.',
  },
  'group-not-found': {
    meaning: 'The simulated provider does not have the group.',
    advice: 'Compare the configured group id with the group id of the simulated provider.',
  },
  'insufficient-balance': {
    meaning: 'The robot has received less than it should pay.',
    advice: 'Pay to the robot first. It never pays out more than it received.',
  },
  'unknown-symbol': {
    meaning: 'The asset is not supported.',
    advice: 'Use ETH or XRP.',
  },
  'unknown-address': {
    meaning: 'The address belongs to no user of the robot.',
    advice: 'Use an address from `GET /sandbox/v1/info`.',
  },
  'address-not-allowed': {
    meaning:
      'The program does not call this address: it serves strangers, and the address may belong to somebody else.',
    advice:
      'Use an address that begins with `https://`, has a public host, no user name and no password, and port 443, 8443 or one above 1023.',
  },
  'place-taken': {
    meaning: 'The reference VASP cannot take the place of a VASP that has registered its own addresses.',
    advice: 'Remove the addresses in the settings, or join with `robot-vasp vasp --replace`.',
  },
  'embedded-only': {
    meaning: 'Only an embedded chain can do this.',
    advice: 'Use an embedded chain. A chain given by URL is not ours to change.',
  },
  'not-found': {
    meaning: 'There is no such thing.',
    advice: 'Check the id in the path.',
  },
  'chain-unreachable': {
    meaning: 'The chain does not answer at present.',
    advice: 'Wait until `/readyz` names the chain no more, then send the request again.',
  },
  'chain-refused': {
    meaning: 'The embedded chain did not take the request in its present state. Nothing was changed.',
    advice: 'The message says why. Change the field that it names.',
  },
  'run-under-way': {
    meaning: 'A VASP has one conformance run at a time.',
    advice: 'Wait until the run has ended, or stop it with DELETE /sandbox/v1/runs/{id}.',
  },
};

/** The texts stand in the contract. */
export const reasons: Record<Reason, CodeText> = REASONS;
export const remarks: Record<RemarkCode, CodeText> = REMARKS;

export const verdicts: Record<ReportVerdict, CodeText> = REPORT_VERDICTS;
