/** D-27: conduct of a VASP that is wrong although the protocol goes on. One row per finding. */

interface FindingRow {
  readonly clause: string;
  readonly meaning: string;
  /** The change that the finding asks of the VASP. */
  readonly advice: string;
}

export const FINDINGS = {
  'PAID-BEFORE-VERIFIED': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made before the verification was VERIFIED.',
    advice: 'Pay only after the callback with VERIFIED.',
  },
  'PAID-AFTER-DENIED': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made although the verification was DENIED or UNKNOWN.',
    advice: 'Stop the withdrawal when the result is not VERIFIED.',
  },
  'PAID-AFTER-ERROR': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made although the verification had ended as ERROR.',
    advice: 'Stop the withdrawal when the result is ERROR. Open a new verification to try again.',
  },
  'ERROR-AFTER-PAYMENT': {
    clause: 'WIRE-2.8',
    meaning: 'The error report came although the payment was already made.',
    advice: 'Send an error report only when nothing is paid.',
  },
  'INFORMATION-MISSING': {
    clause: 'WIRE-3.2',
    meaning: 'The VERIFIED answer lacks information that was requested.',
    advice: 'Answer VERIFIED with everything that `requiredBeneficiaryInfo` lists.',
  },
  'NAME-DIFFERS': {
    clause: 'WIRE-3.2',
    meaning: 'The VERIFIED answer has another name than the request.',
    advice: 'Answer with the name of your customer as the request has it, or DENIED with MISMATCHED-NAME.',
  },
  'INFORMATION-NOT-REQUESTED': {
    clause: 'WIRE-3.2',
    meaning: 'The answer has personal information that nobody requested. The enclave removes it.',
    advice: 'Answer only with what `requiredBeneficiaryInfo` lists.',
  },
  'UNKNOWN-NAME-TYPE': {
    clause: 'WIRE-4',
    meaning: 'The type of a name is not one of IVMS101.',
    advice: 'Use a name type of IVMS101: LEGL, BIRT, MAID, ALIA or MISC; for legal persons LEGL, SHRT or TRAD.',
  },
  'IVMS101-PROBLEM': {
    clause: 'WIRE-4',
    meaning: 'The data breaks a rule of IVMS101.',
    advice: 'Send your payload to POST /sandbox/v1/ivms101/check: it names every problem with its clause.',
  },
  'THRESHOLD-WRONG': {
    clause: 'REF-2.2',
    meaning: '`isExceedingThreshold` contradicts `tradePrice`.',
    advice: 'Compute `isExceedingThreshold` from `tradePrice`.',
  },
  'STATUS-CONTRADICTS-CHAIN': {
    clause: 'REF-3',
    meaning: 'The status answer says something else than the chain.',
    advice: 'Answer the status query with the state of your transaction on the chain.',
  },
  'REPORT-LATE': {
    clause: 'WIRE-2.7',
    meaning: 'The transaction report came after the robot had to ask for the status.',
    advice: 'Report the hash as soon as the transaction is sent.',
  },
  'REPORT-REPEATED': {
    clause: 'D-14',
    meaning: 'The same transaction report came again.',
    advice: 'Report a transaction once. Repeat the report only when its answer was lost.',
  },
} as const satisfies Record<string, FindingRow>;

export type FindingCode = keyof typeof FINDINGS;
export const FINDING_CODES = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];
