/** Number and message of every error. */
const ERRORS = {
  forbidden: [3, 'Bad credentials.'],
  wrongNetwork: [4, 'Wrong network.'],
  noPermission: [6, "You don't have permission for this command."],
  tooBusy: [9, 'The server is too busy to help you now.'],
  actNotFound: [19, 'Account not found.'],
  lgrNotFound: [21, 'Ledger not found.'],
  lgrNotValidated: [22, 'Ledger not validated.'],
  txnNotFound: [29, 'Transaction not found.'],
  invalidParams: [31, 'Invalid parameters.'],
  unknownCmd: [32, 'Unknown method.'],
  actMalformed: [35, 'Account malformed.'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  malformedStream: [71, 'Stream malformed.'],
  internal: [73, 'Internal error.'],
  notImpl: [74, 'Not implemented.'],
  notSupported: [75, 'Operation not supported.'],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  entryNotFound: [98, 'Entry not found.'],
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
