import * as z from 'zod';
import { named } from './text.ts';

/** REF-7: the code and the status of a refusal depend on the operation, so every operation has a table of its own. */

export interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 429 | 503;
  readonly code: string;
  /** Default: the message of the refusal. */
  readonly message?: string;
}

type Rows = Readonly<Record<string, ErrorRow>>;

export interface WireError {
  readonly status: ErrorRow['status'] | 500;
  readonly code: string;
  readonly message: string;
}

/** REF-2.1 */
export const ErrorBody = named('ErrorBody', 'REF-2.1: the body of every error answer.', {
  code: z.string().describe('Error code.'),
  message: z.string().describe('Human-readable text.'),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

const bad = <C extends string>(code: C) => ({ status: 400, code }) as const;
const badRequest = bad('BAD-REQUEST');

/** The refusals that every operation may answer with. D-05. missing-field: the code names the field, see `missingCode`. */
export const COMMON_ERRORS = {
  'missing-field': badRequest,
  'invalid-field': badRequest,
  'not-json': badRequest,
  'not-object': badRequest,
  'too-large': { status: 413, code: 'PAYLOAD-TOO-LARGE' },
  'unsupported-media': { status: 415, code: 'UNSUPPORTED-MEDIA-TYPE' },
  'unknown-path': { status: 404, code: 'NOT-FOUND' },
  'wrong-method': { status: 405, code: 'METHOD-NOT-ALLOWED' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  suspended: { status: 403, code: 'SUSPENDED' },
  'rate-limited': { status: 429, code: 'RATE-LIMITED' },
  'quota-exceeded': { status: 429, code: 'QUOTA-EXCEEDED' },
  'no-host': badRequest,
  'foreign-host': { status: 421, code: 'MISDIRECTED-REQUEST' },
  'foreign-origin': { status: 403, code: 'FOREIGN-ORIGIN' },
  'bad-target': badRequest,
} as const satisfies Rows;

// Refusals of several operations.
const allianceNotFound = bad('ALLIANCE-NOT-FOUND');
const allianceNotActive = bad('ALLIANCE-NOT-ACTIVE');
const unknownSymbol = bad('UNKNOWN-SYMBOL');
const unknownAddress = bad('UNKNOWN-ADDRESS');
const insufficientBalance = bad('INSUFFICIENT-BALANCE');
const requestTimeout = { status: 408, code: 'REQUEST-TIMEOUT' } as const;
const missingInBody = { 'verification-missing': bad('VERIFICATION-NOT-FOUND') } as const;
const missingInPath = { 'verification-missing': { status: 404, code: 'VERIFICATION-NOT-FOUND' } } as const;

const verification = {
  'invalid-key-type': bad('INVALID-KEY-TYPE'),
  'unknown-vasp': allianceNotFound,
  'vasp-not-active': allianceNotActive,
  'no-answer': requestTimeout,
} as const;
const userVerification = {
  ...verification,
  'required-info-without-account-number': bad('INVALID-REQUIRED-BENEFICIARY-INFO'),
} as const;
const inquiry = {
  'not-beneficiary': bad('VASP-NOT-MATCHED'),
  'not-verified': bad('NOT-VERIFIED'),
  'vasp-not-active': allianceNotActive,
  'no-answer': requestTimeout, // D-16
} as const;
const report = {
  'not-originator': bad('VASP-NOT-MATCHED'),
  'not-verified': bad('NOT-VERIFIED'),
  'already-reported': bad('ALREADY-REPORTED'),
} as const;
const errorReport = { ...report, 'invalid-result': bad('INVALID-RESULT') } as const;
const risk = { 'verification-missing': bad('NOT-FOUND-VERIFICATION'), 'not-completed': badRequest } as const;

/** The other refusals of each operation. An endpoint that refuses without a row does not compile. */
export const OPERATIONS = {
  'verify-account': verification,
  'verify-user': userVerification,
  'list-verifications': {},
  'get-verification': missingInPath,
  'report-transaction': { ...missingInBody, ...report, 'too-many-reports': { status: 429, code: 'TOO-MANY-REPORTS' } },
  'report-error': { ...missingInBody, ...errorReport },
  'inquire-transaction': { ...missingInBody, ...inquiry },
  'list-vasps': {},
  'get-self': {},
  'assess-sanction': { ...risk, 'provider-refused': { status: 401, code: 'UNKNOWN-ERROR-CODE' } },
  'assess-kyt': {
    ...risk,
    'txhash-not-reported': bad('UNSUPPORTED-RISK-ASSESSMENT'),
    'provider-refused': { status: 403, code: 'UNKNOWN-ERROR-CODE', message: 'AccessDenied' },
  },
  'assess-wco': {
    ...risk,
    'group-not-found': { status: 404, code: 'GROUP_NOT_FOUND' },
    'provider-refused': { status: 401, code: 'UNKNOWN-ERROR-CODE' },
  },
  // D-21
  'robot-balance': {
    'unknown-vasp': allianceNotFound,
    'unknown-symbol': unknownSymbol,
    'unknown-address': unknownAddress,
  },
  'robot-inquire-tx': { ...missingInPath, ...inquiry },
  'robot-verify-account': { ...verification, 'unknown-symbol': unknownSymbol },
  'robot-verify-user': {
    ...userVerification,
    'unknown-symbol': unknownSymbol,
    'unknown-address': unknownAddress, // D-22
  },
  'robot-withdraw': {
    ...missingInPath,
    'insufficient-balance': insufficientBalance,
    'unknown-symbol': unknownSymbol,
    'unknown-address': unknownAddress,
    ...report,
  },
  'robot-report-tx': { ...missingInPath, ...report },
  'robot-report-error': { ...missingInPath, ...errorReport },
  sandbox: {
    ...missingInPath,
    'unknown-vasp': { status: 404, code: 'ALLIANCE-NOT-FOUND' },
    'unknown-symbol': unknownSymbol,
    'unknown-address': unknownAddress,
    'insufficient-balance': insufficientBalance,
    'embedded-only': { status: 409, code: 'EMBEDDED-ONLY' },
    'chain-unreachable': { status: 409, code: 'CHAIN-UNREACHABLE' },
    'faucet-unreachable': { status: 503, code: 'CHAIN-UNREACHABLE' },
    'address-not-allowed': bad('ADDRESS-NOT-ALLOWED'),
    'chain-refused': bad('CHAIN-REFUSED'),
    'run-under-way': { status: 409, code: 'RUN-UNDER-WAY' },
    'place-taken': { status: 409, code: 'PLACE-TAKEN' },
    'already-registered': { status: 409, code: 'ALREADY-REGISTERED' },
    'too-many': { status: 429, code: 'TOO-MANY-REQUESTS' },
    'not-found': { status: 404, code: 'NOT-FOUND' },
  },
} as const satisfies Record<string, Rows>;

/** The operation of a call that names none. */
export const UNKNOWN_OPERATION = 'unknown';

export type Operation = keyof typeof OPERATIONS;
export type RobotOperation = Extract<Operation, `robot-${string}`>;
export type EnclaveOperation = Exclude<Operation, RobotOperation | 'sandbox'>;
export type RefusalOf<O extends Operation> = keyof (typeof OPERATIONS)[O];
/** A refusal without a row does not compile. */
export type RefusalKind = keyof typeof COMMON_ERRORS | { [O in Operation]: RefusalOf<O> }[Operation];

/** The answer to a bug. The cause is logged, and the caller gets no details. */
export const INTERNAL_ERROR: WireError = { status: 500, code: 'INTERNAL-ERROR', message: 'Internal error' };

/** The database cannot be written or read now. Nothing was stored, and the same request may be sent again. */
export const STORAGE_UNAVAILABLE: WireError = {
  status: 503,
  code: 'STORAGE-UNAVAILABLE',
  message: 'Nothing was stored; send the request again later. The reason stands in /readyz',
};

/** The program ends and has not begun with this request. */
export const STOPPING: WireError = {
  status: 503,
  code: 'STOPPING',
  message: 'The program is stopping. Nothing was done; send the request again when it runs',
};
/** The program ends before this request has ended. */
export const CUT_OFF: WireError = {
  ...STOPPING,
  message: 'The program is stopping before this request has ended. Look what was done before you send it again',
};

/** The answer of `operation` to a refusal; `INTERNAL_ERROR` when the operation does not declare it. */
export function wireError(
  operation: Operation,
  refusal: { readonly kind: RefusalKind; readonly field: string | undefined; readonly message: string },
): WireError {
  const rows: Rows = { ...COMMON_ERRORS, ...OPERATIONS[operation] };
  const row = rows[refusal.kind];
  if (!row) return INTERNAL_ERROR;
  const code = refusal.kind === 'missing-field' ? missingCode(operation, refusal.field ?? '') : row.code;
  return { status: row.status, code, message: row.message ?? refusal.message };
}

/** `assetInfo.tradeISODatetime` -> `MISSING-TRADE-ISO-DATETIME`. */
export function missingCode(operation: string, field: string): string {
  // REF-7: the risk operations have a MISSING code for verificationUuid only.
  if (operation.startsWith('assess-') && field !== 'verificationUuid') return 'BAD-REQUEST';
  const leaf = field
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!;
  if (leaf === 'beneficiaryVaspId') return 'MISSING-VASP';
  const words = leaf.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2');
  return `MISSING-${words.toUpperCase()}`;
}
