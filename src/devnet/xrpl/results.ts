import { definitions } from './definitions.ts';

/** Engine results: code and message. The codec has the numbers. Transactions with tes and tec results are in the ledger (XRPL-4.1). */
const MESSAGES = {
  tesSUCCESS: 'The transaction was applied. Only final in a validated ledger.',

  tecPATH_PARTIAL: 'Path could not send full amount.',
  tecUNFUNDED_OFFER: 'Insufficient balance to fund created offer.',
  tecUNFUNDED_PAYMENT: 'Insufficient XRP balance to send.',
  tecDIR_FULL: 'Can not add entry to full directory.',
  tecINSUF_RESERVE_LINE: 'Insufficient reserve to add trust line.',
  tecINSUF_RESERVE_OFFER: 'Insufficient reserve to create offer.',
  tecNO_DST: 'Destination does not exist. Send XRP to create it.',
  tecNO_DST_INSUF_XRP: 'Destination does not exist. Too little XRP sent to create it.',
  tecNO_LINE_INSUF_RESERVE: 'No such line. Too little reserve to create it.',
  tecNO_LINE_REDUNDANT: "Can't set non-existent line to default.",
  tecPATH_DRY: 'Path could not send partial amount.',
  tecUNFUNDED: 'Not enough XRP to satisfy the reserve requirement.',
  tecNO_ALTERNATIVE_KEY: 'The operation would remove the ability to sign transactions with the account.',
  tecOWNERS: 'Non-zero owner count.',
  tecNO_ISSUER: 'Issuer account does not exist.',
  tecNO_AUTH: 'Not authorized to hold asset.',
  tecNO_LINE: 'No such line.',
  tecINSUFF_FEE: 'Insufficient balance to pay fee.',
  tecFROZEN: 'Asset is frozen.',
  tecNO_TARGET: 'Target account does not exist.',
  tecNO_PERMISSION: 'No permission to perform requested operation.',
  tecNO_ENTRY: 'No matching entry found.',
  tecINSUFFICIENT_RESERVE: 'Insufficient reserve to complete requested operation.',
  tecNEED_MASTER_KEY: 'The operation requires the use of the Master Key.',
  tecDST_TAG_NEEDED: 'A destination tag is required.',
  tecEXPIRED: 'Expiration time is passed.',
  tecDUPLICATE: 'Ledger object already exists.',
  tecKILLED: 'FillOrKill offer killed.',
  tecHAS_OBLIGATIONS: 'The account cannot be deleted since it has obligations.',
  tecTOO_SOON: 'It is too early to attempt the requested operation. Please wait.',

  tefBAD_AUTH: "Transaction's public key is not authorized.",
  tefEXCEPTION: 'Unexpected program state.',
  tefNO_AUTH_REQUIRED: 'Auth is not required.',
  tefPAST_SEQ: 'This sequence number has already passed.',
  tefWRONG_PRIOR: 'This previous transaction does not match.',
  tefMASTER_DISABLED: 'Master key is disabled.',
  tefMAX_LEDGER: 'Ledger sequence too high.',
  tefBAD_SIGNATURE: 'A signature is provided for a non-signer.',
  tefBAD_QUORUM: 'Signatures provided do not meet the quorum.',
  tefNOT_MULTI_SIGNING: 'Account has no appropriate list of multi-signers.',
  tefTOO_BIG: 'Transaction affects too many items.',
  tefNO_TICKET: 'Ticket is not in ledger.',

  telBAD_DOMAIN: 'Domain too long.',
  telBAD_PUBLIC_KEY: 'Public key is not valid.',
  telINSUF_FEE_P: 'Fee insufficient.',
  telNO_DST_PARTIAL: 'Partial payment to create account not allowed.',
  telCAN_NOT_QUEUE: 'Can not queue at this time.',
  telCAN_NOT_QUEUE_FEE: 'Can not queue at this time: fee insufficient to replace queued transaction.',
  telCAN_NOT_QUEUE_FULL: 'Can not queue at this time: queue is full.',
  telWRONG_NETWORK: 'Transaction specifies a Network ID that differs from that of the local node.',
  telREQUIRES_NETWORK_ID: 'Transactions submitted to this node/network must include a correct NetworkID field.',
  telNETWORK_ID_MAKES_TX_NON_CANONICAL:
    'Transactions submitted to this node/network must NOT include a NetworkID field.',

  temMALFORMED: 'Malformed transaction.',
  temBAD_AMOUNT: 'Malformed: Bad amount.',
  temBAD_CURRENCY: 'Malformed: Bad currency.',
  temBAD_EXPIRATION: 'Malformed: Bad expiration.',
  temBAD_FEE: 'Invalid fee, negative or not XRP.',
  temBAD_LIMIT: 'Limits must be non-negative.',
  temBAD_OFFER: 'Malformed: Bad offer.',
  temBAD_REGKEY: 'Malformed: Regular key cannot be same as master key.',
  temBAD_SEND_XRP_LIMIT: 'Malformed: Limit quality is not allowed for XRP to XRP.',
  temBAD_SEND_XRP_MAX: 'Malformed: Send max is not allowed for XRP to XRP.',
  temBAD_SEND_XRP_NO_DIRECT: 'Malformed: No Ripple direct is not allowed for XRP to XRP.',
  temBAD_SEND_XRP_PARTIAL: 'Malformed: Partial payment is not allowed for XRP to XRP.',
  temBAD_SEND_XRP_PATHS: 'Malformed: Paths are not allowed for XRP to XRP.',
  temBAD_SEQUENCE: 'Malformed: Sequence is not in the past.',
  temBAD_SIGNATURE: 'Malformed: Bad signature.',
  temBAD_SRC_ACCOUNT: 'Malformed: Bad source account.',
  temBAD_TRANSFER_RATE: 'Malformed: Transfer rate must be >= 1.0 and <= 2.0',
  temDST_IS_SRC: 'Destination may not be source.',
  temDST_NEEDED: 'Destination not specified.',
  temINVALID: 'The transaction is ill-formed.',
  temINVALID_FLAG: 'The transaction has an invalid flag.',
  temREDUNDANT: 'The transaction is redundant.',
  temRIPPLE_EMPTY: 'PathSet with no paths.',
  temDISABLED: 'The transaction requires logic that is currently disabled.',
  temBAD_SIGNER: 'Malformed: No signer may duplicate account or other signers.',
  temBAD_QUORUM: 'Malformed: Quorum is unreachable.',
  temBAD_WEIGHT: 'Malformed: Weight must be a positive value.',
  temBAD_TICK_SIZE: 'Malformed: Tick size out of range.',
  temINVALID_ACCOUNT_ID: 'Malformed: A field contains an invalid account ID.',
  temCANNOT_PREAUTH_SELF: 'Malformed: An account may not preauthorize itself.',
  temINVALID_COUNT: 'Malformed: Count field outside valid range.',
  temSEQ_AND_TICKET: 'Transaction contains a TicketSequence and a non-zero Sequence.',

  terINSUF_FEE_B: "Account balance can't pay fee.",
  terNO_ACCOUNT: 'The source account does not exist.',
  terNO_AUTH: 'Not authorized to hold asset.',
  terNO_LINE: 'No such line.',
  terOWNERS: 'Non-zero owner count.',
  terPRE_SEQ: 'Missing/inapplicable prior transaction.',
  terQUEUED: 'Held until escalated fee drops.',
  terPRE_TICKET: 'Ticket is not yet in ledger.',
} as const satisfies Partial<Record<keyof typeof definitions.TRANSACTION_RESULTS, string>>;

export type Result = keyof typeof MESSAGES;
/** Why a stage of a transaction fails. Undefined: it does not. */
export type Failure = Exclude<Result, 'tesSUCCESS'> | undefined;

/** A result in the form in which commands and events show it. */
export function resultFields(result: Result) {
  return {
    engine_result: result,
    engine_result_code: definitions.TRANSACTION_RESULTS[result],
    engine_result_message: MESSAGES[result],
  };
}

export const isTec = (result: Result): boolean => result.startsWith('tec');
export const isTem = (result: Result): boolean => result.startsWith('tem');
/** May succeed later without being changed. */
export const isRetriable = (result: Result): boolean => result.startsWith('ter');
