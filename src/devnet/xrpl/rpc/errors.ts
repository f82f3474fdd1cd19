import type { RpcRefused } from '../../access.ts';

/** Number and message of every error. */
const ERRORS = {
  forbidden: [3, 'Bad credentials.'],
  wrongNetwork: [4, 'Wrong network.'],
  noPermission: [6, "You don't have permission for this command."],
  tooBusy: [9, 'The server is too busy to help you now.'],
  slowDown: [10, 'You are placing too much load on the server.'],
  highFee: [11, 'Current transaction fee exceeds your limit.'],
  actNotFound: [19, 'Account not found.'],
  lgrNotFound: [21, 'Ledger not found.'],
  lgrNotValidated: [22, 'Ledger not validated.'],
  masterDisabled: [23, 'Master key is disabled.'],
  txnNotFound: [29, 'Transaction not found.'],
  invalidHotWallet: [30, 'Invalid hotwallet.'],
  invalidParams: [31, 'Invalid parameters.'],
  unknownCmd: [32, 'Unknown method.'],
  actMalformed: [35, 'Account malformed.'],
  alreadyMultisig: [36, 'Already multisigned.'],
  alreadySingleSig: [37, 'Already single-signed.'],
  badFeature: [40, 'Feature unknown or invalid.'],
  badMarket: [42, 'No such market.'],
  badSecret: [43, 'Secret does not match account.'],
  badSeed: [44, 'Disallowed seed.'],
  dstActNotFound: [50, 'Destination account not found.'],
  dstAmtMalformed: [51, 'Destination amount/currency/issuer is malformed.'],
  dstIsrMalformed: [53, 'Destination issuer is malformed.'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  signingMalformed: [63, 'Signing of transaction is malformed.'],
  srcActMalformed: [65, 'Source account is malformed.'],
  srcActMissing: [66, 'Source account not provided.'],
  srcActNotFound: [67, 'Source account not found.'],
  srcCurMalformed: [69, 'Source currency is malformed.'],
  srcIsrMalformed: [70, 'Source issuer is malformed.'],
  malformedStream: [71, 'Stream malformed.'],
  internal: [73, 'Internal error.'],
  notImpl: [74, 'Not implemented.'],
  notSupported: [75, 'Operation not supported.'],
  badKeyType: [76, 'Bad key type.'],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  badCredentials: [95, 'Credentials do not exist, are not accepted, or have expired.'],
  transactionSigned: [96, 'Transaction should not be signed.'],
  entryNotFound: [98, 'Entry not found.'],
  unexpectedLedgerType: [99, 'Unexpected ledger type.'],
} as const;

export type ErrorName = keyof typeof ERRORS;
export type Json = Record<string, unknown>;

/** A command failed. `body`: the fields of the answer. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly body: Json;

  constructor(body: Json) {
    super(String(body.error_message ?? body.error));
    this.body = body;
  }
}

/** `extra`: further fields of the answer, e.g. the selected ledger. */
export function rpcError(error: ErrorName, message?: string, extra: Json = {}): RpcError {
  const [code, text] = ERRORS[error];
  return new RpcError({ ...extra, error, error_code: code, error_message: message ?? text });
}

/** An error that the caller has ordered: one of these, or any other word. */
export const orderedError = ({ code = 'tooBusy', message }: RpcRefused): Json =>
  Object.hasOwn(ERRORS, code)
    ? rpcError(code as ErrorName, message).body
    : { error: code, error_message: message ?? 'This error was ordered.' };

export const missingField = (field: string): RpcError => rpcError('invalidParams', `Missing field '${field}'.`);
export const invalidField = (field: string, expected?: string): RpcError =>
  rpcError('invalidParams', `Invalid field '${field}'${expected ? `, not ${expected}` : ''}.`);
