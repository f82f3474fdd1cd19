/** D-27: conduct of a VASP that is wrong although the protocol goes on. One row per remark. */

interface RemarkRow {
  /** The clause with the rule. */
  readonly clause: string;
  readonly meaning: string;
}

export const REMARKS = {
  'PAID-BEFORE-VERIFIED': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made before the verification was VERIFIED.',
  },
  'PAID-AFTER-DENIED': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made although the verification was DENIED or UNKNOWN.',
  },
  'PAID-AFTER-ERROR': {
    clause: 'REF-4.6.2',
    meaning: 'The transfer was made although the verification had ended as ERROR.',
  },
  'INFORMATION-MISSING': {
    clause: 'WIRE-3.2',
    meaning: 'The VERIFIED answer lacks information that was requested.',
  },
  'NAME-DIFFERS': {
    clause: 'WIRE-3.2',
    meaning: 'The VERIFIED answer has another name than the request.',
  },
  'INFORMATION-NOT-REQUESTED': {
    clause: 'WIRE-3.2',
    meaning: 'The answer has personal information that nobody requested. The enclave removes it.',
  },
  'UNKNOWN-NAME-TYPE': {
    clause: 'WIRE-4',
    meaning: 'The type of a name is none of IVMS101.',
  },
  'IVMS101-FLAW': {
    clause: 'WIRE-4',
    meaning: 'IVMS101 forbids it.',
  },
  'THRESHOLD-WRONG': {
    clause: 'REF-2.2',
    meaning: '`isExceedingThreshold` contradicts `tradePrice`.',
  },
  'STATUS-CONTRADICTS-CHAIN': {
    clause: 'REF-3',
    meaning: 'The status answer says something else than the chain.',
  },
  'REPORT-LATE': {
    clause: 'WIRE-2.7',
    meaning: 'The transaction report came after the robot had to ask for the status.',
  },
  'REPORT-REPEATED': {
    clause: 'D-14',
    meaning: 'The same transaction report came again.',
  },
} as const satisfies Record<string, RemarkRow>;

export type RemarkCode = keyof typeof REMARKS;
export const REMARK_CODES = Object.keys(REMARKS) as [RemarkCode, ...RemarkCode[]];
