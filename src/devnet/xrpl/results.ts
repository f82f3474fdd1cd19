/** Engine results: code, number, message. Transactions with tes and tec results are in the ledger (XRPL-4.1). */
export const RESULTS = {
  tesSUCCESS: [0, 'The transaction was applied. Only final in a validated ledger.'],

  tecUNFUNDED_PAYMENT: [104, 'Insufficient XRP balance to send.'],
  tecDIR_FULL: [121, 'Can not add entry to full directory.'],
  tecNO_DST: [124, 'Destination does not exist. Send XRP to create it.'],
  tecNO_DST_INSUF_XRP: [125, 'Destination does not exist. Too little XRP sent to create it.'],
  tecNO_ALTERNATIVE_KEY: [
    130,
    'The operation would remove the ability to sign transactions with the account.',
  ],
  tecOWNERS: [132, 'Non-zero owner count.'],
  tecINSUFF_FEE: [136, 'Insufficient balance to pay fee.'],
  tecNO_TARGET: [138, 'Target account does not exist.'],
  tecNO_PERMISSION: [139, 'No permission to perform requested operation.'],
  tecNO_ENTRY: [140, 'No matching entry found.'],
  tecINSUFFICIENT_RESERVE: [141, 'Insufficient reserve to complete requested operation.'],
  tecNEED_MASTER_KEY: [142, 'The operation requires the use of the Master Key.'],
  tecDST_TAG_NEEDED: [143, 'A destination tag is required.'],
  tecDUPLICATE: [149, 'Ledger object already exists.'],
  tecHAS_OBLIGATIONS: [151, 'The account cannot be deleted since it has obligations.'],
  tecTOO_SOON: [152, 'It is too early to attempt the requested operation. Please wait.'],

  tefBAD_AUTH: [-196, "Transaction's public key is not authorized."],
  tefPAST_SEQ: [-190, 'This sequence number has already passed.'],
  tefWRONG_PRIOR: [-189, 'This previous transaction does not match.'],
  tefMASTER_DISABLED: [-188, 'Master key is disabled.'],
  tefMAX_LEDGER: [-187, 'Ledger sequence too high.'],
  tefBAD_SIGNATURE: [-186, 'A signature is provided for a non-signer.'],
  tefBAD_QUORUM: [-185, 'Signatures provided do not meet the quorum.'],
  tefNOT_MULTI_SIGNING: [-184, 'Account has no appropriate list of multi-signers.'],
  tefTOO_BIG: [-181, 'Transaction affects too many items.'],
  tefNO_TICKET: [-180, 'Ticket is not in ledger.'],

  telBAD_DOMAIN: [-398, 'Domain too long.'],
  telBAD_PUBLIC_KEY: [-396, 'Public key is not valid.'],
  telINSUF_FEE_P: [-394, 'Fee insufficient.'],
  telNO_DST_PARTIAL: [-393, 'Partial payment to create account not allowed.'],
  telCAN_NOT_QUEUE: [-392, 'Can not queue at this time.'],
  telCAN_NOT_QUEUE_BALANCE: [
    -391,
    'Can not queue at this time: insufficient balance to pay all queued fees.',
  ],
  telCAN_NOT_QUEUE_BLOCKS: [-390, 'Can not queue at this time: would block later queued transaction(s).'],
  telCAN_NOT_QUEUE_BLOCKED: [-389, 'Can not queue at this time: blocking transaction in queue.'],
  telCAN_NOT_QUEUE_FEE: [-388, 'Can not queue at this time: fee insufficient to replace queued transaction.'],
  telCAN_NOT_QUEUE_FULL: [-387, 'Can not queue at this time: queue is full.'],
  telWRONG_NETWORK: [-386, 'Transaction specifies a Network ID that differs from that of the local node.'],
  telREQUIRES_NETWORK_ID: [
    -385,
    'Transactions submitted to this node/network must include a correct NetworkID field.',
  ],
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: [
    -384,
    'Transactions submitted to this node/network must NOT include a NetworkID field.',
  ],

  temMALFORMED: [-299, 'Malformed transaction.'],
  temBAD_AMOUNT: [-298, 'Malformed: Bad amount.'],
  temBAD_FEE: [-295, 'Invalid fee, negative or not XRP.'],
  temBAD_REGKEY: [-289, 'Malformed: Regular key cannot be same as master key.'],
  temBAD_SEND_XRP_LIMIT: [-288, 'Malformed: Limit quality is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_MAX: [-287, 'Malformed: Send max is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_NO_DIRECT: [-286, 'Malformed: No Ripple direct is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_PARTIAL: [-285, 'Malformed: Partial payment is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_PATHS: [-284, 'Malformed: Paths are not allowed for XRP to XRP.'],
  temBAD_SIGNATURE: [-282, 'Malformed: Bad signature.'],
  temBAD_SRC_ACCOUNT: [-281, 'Malformed: Bad source account.'],
  temBAD_TRANSFER_RATE: [-280, 'Malformed: Transfer rate must be >= 1.0 and <= 2.0'],
  temDST_IS_SRC: [-279, 'Destination may not be source.'],
  temDST_NEEDED: [-278, 'Destination not specified.'],
  temINVALID: [-277, 'The transaction is ill-formed.'],
  temINVALID_FLAG: [-276, 'The transaction has an invalid flag.'],
  temREDUNDANT: [-275, 'The transaction is redundant.'],
  temDISABLED: [-273, 'The transaction requires logic that is currently disabled.'],
  temBAD_SIGNER: [-272, 'Malformed: No signer may duplicate account or other signers.'],
  temBAD_QUORUM: [-271, 'Malformed: Quorum is unreachable.'],
  temBAD_WEIGHT: [-270, 'Malformed: Weight must be a positive value.'],
  temBAD_TICK_SIZE: [-269, 'Malformed: Tick size out of range.'],
  temINVALID_ACCOUNT_ID: [-268, 'Malformed: A field contains an invalid account ID.'],
  temCANNOT_PREAUTH_SELF: [-267, 'Malformed: An account may not preauthorize itself.'],
  temINVALID_COUNT: [-266, 'Malformed: Count field outside valid range.'],
  temSEQ_AND_TICKET: [-263, 'Transaction contains a TicketSequence and a non-zero Sequence.'],

  terINSUF_FEE_B: [-97, "Account balance can't pay fee."],
  terNO_ACCOUNT: [-96, 'The source account does not exist.'],
  terOWNERS: [-93, 'Non-zero owner count.'],
  terPRE_SEQ: [-92, 'Missing/inapplicable prior transaction.'],
  terQUEUED: [-89, 'Held until escalated fee drops.'],
  terPRE_TICKET: [-88, 'Ticket is not yet in ledger.'],
} as const satisfies Record<string, readonly [code: number, message: string]>;

export type Result = keyof typeof RESULTS;

export const isTec = (result: Result): boolean => result.startsWith('tec');
export const isTem = (result: Result): boolean => result.startsWith('tem');
/** May succeed later without being changed. */
export const isRetriable = (result: Result): boolean => result.startsWith('ter');
