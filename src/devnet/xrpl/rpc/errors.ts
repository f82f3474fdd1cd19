/** Number, message and HTTP status of every error. The status is used from ripplerpc 3.0 on. */
const ERRORS = {
  forbidden: [3, 'Bad credentials.', 403],
  wrongNetwork: [4, 'Wrong network.', 503],
  noPermission: [6, "You don't have permission for this command.", 401],
  tooBusy: [9, 'The server is too busy to help you now.', 503],
  slowDown: [10, 'You are placing too much load on the server.', 429],
  highFee: [11, 'Current transaction fee exceeds your limit.', 402],
  actNotFound: [19, 'Account not found.', 200],
  lgrNotFound: [21, 'Ledger not found.', 404],
  lgrNotValidated: [22, 'Ledger not validated.', 202],
  masterDisabled: [23, 'Master key is disabled.', 403],
  txnNotFound: [29, 'Transaction not found.', 404],
  invalidHotWallet: [30, 'Invalid hotwallet.', 400],
  invalidParams: [31, 'Invalid parameters.', 400],
  unknownCmd: [32, 'Unknown method.', 405],
  actMalformed: [35, 'Account malformed.', 200],
  alreadyMultisig: [36, 'Already multisigned.', 200],
  alreadySingleSig: [37, 'Already single-signed.', 200],
  badFeature: [40, 'Feature unknown or invalid.', 500],
  badMarket: [42, 'No such market.', 404],
  badSecret: [43, 'Secret does not match account.', 403],
  badSeed: [44, 'Disallowed seed.', 403],
  channelMalformed: [45, 'Payment channel is malformed.', 400],
  channelAmtMalformed: [46, 'Payment channel amount is malformed.', 400],
  dstActMalformed: [48, 'Destination account is malformed.', 400],
  dstActMissing: [49, 'Destination account not provided.', 400],
  dstActNotFound: [50, 'Destination account not found.', 404],
  dstAmtMalformed: [51, 'Destination amount/currency/issuer is malformed.', 400],
  dstAmtMissing: [52, 'Destination amount/currency/issuer is missing.', 400],
  dstIsrMalformed: [53, 'Destination issuer is malformed.', 400],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.', 400],
  lgrIdxMalformed: [58, 'Ledger index malformed.', 400],
  publicMalformed: [62, 'Public key is malformed.', 400],
  signingMalformed: [63, 'Signing of transaction is malformed.', 400],
  srcActMalformed: [65, 'Source account is malformed.', 400],
  srcActMissing: [66, 'Source account not provided.', 400],
  srcActNotFound: [67, 'Source account not found.', 404],
  srcCurMalformed: [69, 'Source currency is malformed.', 400],
  srcIsrMalformed: [70, 'Source issuer is malformed.', 400],
  malformedStream: [71, 'Stream malformed.', 400],
  internal: [73, 'Internal error.', 500],
  notImpl: [74, 'Not implemented.', 501],
  notSupported: [75, 'Operation not supported.', 501],
  badKeyType: [76, 'Bad key type.', 400],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.', 400],
  invalidLgrRange: [79, 'Ledger range is invalid.', 400],
  badCredentials: [95, 'Credentials do not exist, are not accepted, or have expired.', 400],
  transactionSigned: [96, 'Transaction should not be signed.', 400],
  entryNotFound: [98, 'Entry not found.', 400],
  unexpectedLedgerType: [99, 'Unexpected ledger type.', 400],
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

export const missingField = (field: string): RpcError =>
  rpcError('invalidParams', `Missing field '${field}'.`);
export const invalidField = (field: string, expected?: string): RpcError =>
  rpcError('invalidParams', `Invalid field '${field}'${expected ? `, not ${expected}` : ''}.`);

/** HTTP status of an error of this number. */
export const httpStatusOf = (code: unknown): number =>
  Object.values(ERRORS).find(([number]) => number === code)?.[2] ?? 200;
