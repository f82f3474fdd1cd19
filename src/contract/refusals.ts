import { ASSET_SYMBOLS } from './assets.ts';
import type { RefusalKind } from './errors.ts';

const UNKNOWN_KEY =
  'The API key is unknown. Send the one that was shown when its VASP was registered: it begins with rv_.';

/** Characters of an id in a message. */
const MAX_SHOWN = 64;

/** The header that names the field of a refused request, percent-encoded: the body has the two members of the reference. */
export const REFUSED_FIELD = 'refused-field';

/** The reasons to refuse a request, independent of HTTP. errors.ts has the code and the status of each kind. */

export interface RefusalDetail {
  /** Dotted path of the field: `assetInfo.symbol`. */
  readonly field?: string;
  /** wrong-method: the methods for the `Allow` header. */
  readonly allow?: readonly string[];
  /** rate-limited, quota-exceeded: whole seconds for the `Retry-After` header. */
  readonly retryAfterS?: number;
  /** rate-limited: the limit and the rest, for the answer. unsupported-media: what is supported. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly field: string | undefined;
  readonly allow: readonly string[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  /** The caller sees `message`. It must contain no personal data and no secret. */
  constructor(kind: RefusalKind, message: string, detail: RefusalDetail = {}) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.field = detail.field;
    this.allow = detail.allow;
    this.retryAfterS = detail.retryAfterS;
    this.headers = detail.headers;
  }
}

const withHint = (text: string, hint: string | undefined): string => (hint ? `${text} ${hint}` : text);
const quote = (field: string) => `\`${field}\``;
const ofVerification = (uuid: string, what: string) => `Verification(${uuid}) ${what}`;

/** One constructor per kind. Texts that the reference defines are kept word by word. */
type Actor = 'You are' | 'The robot is';

export const refusals = {
  /** `hint`: a sentence about what came instead. */
  missingField: (field: string, hint?: string) =>
    new Refusal('missing-field', withHint(`${quote(field)} is required.`, hint), { field }),
  /** `problem` continues the sentence without the value: `should be text`. */
  invalidField: (field: string, problem: string, hint?: string) =>
    new Refusal('invalid-field', withHint(`${quote(field)} ${problem}.`, hint), { field }),
  notJson: () => new Refusal('not-json', 'The body should be JSON.'),
  notObject: () => new Refusal('not-object', 'The body should be a JSON object.'),
  tooLarge: (maxBytes: number) =>
    new Refusal('too-large', `The body should have at most ${Math.floor(maxBytes / 1024)} KiB.`),
  tinyChunks: () =>
    new Refusal('too-large', 'The body comes in too many chunks of a few bytes. Send it in larger ones.'),
  /** `problem`: after "The body". */
  notUtf8: (problem: string) => new Refusal('not-json', `The body ${problem}.`),
  unsupportedCoding: (coding: string) =>
    new Refusal('unsupported-media', `The body has the content coding ${coding.slice(0, 64)}. Send it without one.`, {
      headers: { 'accept-encoding': 'identity' },
    }),
  unsupportedCharset: (charset: string) =>
    new Refusal('unsupported-media', `The body has the charset ${charset}. Send UTF-8.`),
  unknownPath: (why = 'No endpoint has this path.') => new Refusal('unknown-path', why),
  wrongMethod: (allow: readonly string[]) =>
    new Refusal('wrong-method', `This path allows only ${allow.join(', ')}.`, { allow }),
  unauthorized: (why = UNKNOWN_KEY) => new Refusal('unauthorized', why),
  forbidden: (why: string) => new Refusal('forbidden', why),
  suspended: () => new Refusal('suspended', 'The operator has suspended this VASP. Ask the operator of this sandbox.'),
  pipelined: (limit: number) =>
    new Refusal('rate-limited', `Send at most ${limit} requests on one connection before their answers arrive.`),
  unread: () =>
    new Refusal(
      'rate-limited',
      'Your connections hold 16 MiB of answers that you have not read. Read them, then send this again.',
    ),
  rateLimited: (retryAfterS: number, headers: Readonly<Record<string, string>> = {}) =>
    new Refusal('rate-limited', `Too many requests. Send the next one in ${retryAfterS} s.`, { retryAfterS, headers }),
  /** `limit` names the quota: `verificationsPerDay (10000 verifications per day)`; `frees` continues the sentence. */
  quotaExceeded: (limit: string, frees: string, retryAfterS: number) =>
    new Refusal('quota-exceeded', `The quota ${limit} does not cover this request. ${frees}`, { retryAfterS }),
  alreadyRegistered: (vaspId: string, advice = 'Choose another `vaspId`.') =>
    new Refusal('already-registered', `VASP(${vaspId}) is registered already. ${advice}`),
  noHost: () => new Refusal('no-host', 'The header `Host` is missing.'),
  twoHosts: () => new Refusal('no-host', 'The header `Host` should come once.'),
  foreignHost: () =>
    new Refusal(
      'foreign-host',
      'The header `Host` names another host. Add the name to ALLOWED_HOSTS, or set PUBLIC_URL, if it belongs to this program.',
    ),
  foreignOrigin: () =>
    new Refusal(
      'foreign-origin',
      'A web page of another site sent this request. Add the host of the page to ALLOWED_HOSTS if it is yours.',
    ),
  foreignDevnetOrigin: () =>
    new Refusal(
      'foreign-origin',
      'A web page or browser extension of another origin sent this request. Add its origin, such as `http://localhost:3000`, to ALLOWED_ORIGINS if it is yours.',
    ),
  badTarget: () => new Refusal('bad-target', 'The request target is not a valid path.'),
  /** `what` in the plural: `event streams`. */
  tooMany: (what: string, limit: number) =>
    new Refusal('too-many', `There are already ${limit} ${what}. Close some of them and try again.`),
  verificationMissing: (uuid: string) => new Refusal('verification-missing', ofVerification(uuid, 'is not found')),
  /** D-21: an action of the robot is refused for the role of the robot. */
  notBeneficiary: (who: Actor = 'You are') =>
    new Refusal('not-beneficiary', `${who} not the beneficiary VASP for the verification`),
  notOriginator: (who: Actor = 'You are') =>
    new Refusal('not-originator', `${who} not the originating VASP for the verification`),
  notVerified: (uuid: string) => new Refusal('not-verified', ofVerification(uuid, 'is not VERIFIED')),
  notCompleted: (uuid: string) => new Refusal('not-completed', ofVerification(uuid, 'is not completed yet')),
  alreadyReported: (uuid: string) => new Refusal('already-reported', ofVerification(uuid, 'has a credited deposit')),
  tooManyReports: (limit: number) =>
    new Refusal(
      'too-many-reports',
      `${limit} different transactions are reported for this verification. Ask for a new verification, and report its one transaction.`,
    ),
  unknownVasp: () => new Refusal('unknown-vasp', 'Alliance is not found in given vendor'),
  vaspNotActive: () => new Refusal('vasp-not-active', 'Alliance is not active now'),
  invalidKeyType: () => new Refusal('invalid-key-type', '`keyType` is invalid value.', { field: 'keyType' }),
  requiredInfoWithoutAccountNumber: () =>
    new Refusal('required-info-without-account-number', '`requiredBeneficiaryInfo` is required `ACCOUNT_NUMBER`', {
      field: 'requiredBeneficiaryInfo',
    }),
  invalidResult: () =>
    new Refusal('invalid-result', '`result` should be one of `VERIFIED`, `DENIED`, `ERROR`.', { field: 'result' }),
  noAnswer: (timeoutMs: number) => new Refusal('no-answer', `timeout of ${timeoutMs}ms exceeded`),
  /** `what`: a sentence about the call of the enclave that the robot depends on. */
  enclaveFailed: (what: string) => new Refusal('no-answer', what),
  txHashNotReported: () =>
    new Refusal('txhash-not-reported', 'Monitoring must be called after the txHash has been reported.'),
  /** Each operation answers with a text of its own (errors.ts). */
  providerRefused: () => new Refusal('provider-refused', 'Invalid API Key'),
  providerFailed: () => new Refusal('provider-refused', 'The call to the provider failed.'),
  groupNotFound: () => new Refusal('group-not-found', 'Access to the group is denied, or the group ID is not found.'),
  /** Both figures as decimal text, in `symbol`. */
  insufficientBalance: (symbol: string, needed: string, available: string) =>
    new Refusal('insufficient-balance', `${needed} ${symbol} is needed, ${available} ${symbol} is available.`),
  unknownSymbol: (symbol: string) =>
    new Refusal('unknown-symbol', `Symbol(${symbol}) is not supported. Use ${ASSET_SYMBOLS.join(' or ')}.`),
  unknownAddress: (field: string, problem = "is not an address of the robot's users") =>
    new Refusal('unknown-address', `${quote(field)} ${problem}.`, { field }),
  /** `problem` continues "The address". */
  addressNotAllowed: (field: string, problem: string) =>
    new Refusal('address-not-allowed', `${quote(field)} ${problem}.`, { field }),
  placeTaken: (why: string) => new Refusal('place-taken', why),
  embeddedOnly: () => new Refusal('embedded-only', 'This operation needs an embedded chain.'),
  /** `why`: what the node answered, without an address. */
  chainUnreachable: (symbol: string, why: string) =>
    new Refusal('chain-unreachable', `The chain of ${symbol} does not answer: ${why}. Try again when it does.`),
  faucetUnreachable: (symbol: string) =>
    new Refusal(
      'faucet-unreachable',
      `The node of ${symbol} does not answer now. It may have been paid: look at the balance, then try again.`,
    ),
  /** `field`: what the chain did not take; `why` continues the sentence. */
  chainRefused: (field: string, why: string) => new Refusal('chain-refused', `${quote(field)} ${why}`, { field }),
  runUnderWay: (id: string) =>
    new Refusal(
      'run-under-way',
      `\`plan\` cannot start: run ${id} is under way. DELETE /sandbox/v1/runs/${id} stops it.`,
    ),
  userNotFound: (id: string) =>
    new Refusal(
      'not-found',
      `User(${id}) is not found. GET /sandbox/v1/users lists all users; DELETE /sandbox/v1/users undoes every change.`,
    ),
  /** `list`: the path of the call that lists all. */
  notFound: (noun: string, id: string, list: string) =>
    new Refusal('not-found', `${noun}(${id.slice(0, MAX_SHOWN)}) is not found. GET ${list} lists all.`),
  notOneOf: (noun: string, id: string, existing: readonly string[]) =>
    new Refusal('not-found', `${noun}(${id.slice(0, MAX_SHOWN)}) is not found; available: ${existing.join(', ')}`),
} as const;
