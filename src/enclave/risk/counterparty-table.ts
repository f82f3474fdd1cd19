import { type Direction, KYT_API_TYPE, type KytApiType } from '../../contract/risk.ts';
import type { Verification } from '../verification/store.ts';
import type { AssessmentKind } from './store.ts';

/** REF-4.1, REF-4.2, REF-4.3: the caller assesses its counterparty. The values name columns of the verification. */
interface Counterparty {
  readonly direction: Direction;
  readonly vaspId: 'originatingVaspId' | 'beneficiaryVaspId';
  /** The account that is assessed. */
  readonly address: 'originatorAccountNumber' | 'beneficiaryAccountNumber';
  readonly party: 'originator' | 'beneficiary';
}
interface Monitored extends Counterparty {
  readonly apiType: KytApiType;
  /** REF-2.6: the output of the transaction is the account that is paid, in both directions. */
  readonly outputAddress: 'beneficiaryAccountNumber';
}
export interface Counterparties {
  readonly sanction: Counterparty;
  /** Null: UNSUPPORTED-RISK-ASSESSMENT. */
  readonly kyt: Monitored | null;
  readonly wco: Counterparty;
}
type Role = 'originating' | 'beneficiary';
type Reported = 'unreported' | 'reported';

const beneficiary = {
  direction: 'OUTGOING',
  vaspId: 'beneficiaryVaspId',
  address: 'beneficiaryAccountNumber',
  party: 'beneficiary',
} as const;
const originator = {
  direction: 'INCOMING',
  vaspId: 'originatingVaspId',
  address: 'originatorAccountNumber',
  party: 'originator',
} as const;
const outputAddress = 'beneficiaryAccountNumber';
const apiType = KYT_API_TYPE;

/** By the role of the caller, and by whether the transaction is reported. */
const COUNTERPARTY_TABLE: { readonly [R in Role]: { readonly [W in Reported]: Counterparties } } = {
  originating: {
    unreported: {
      sanction: beneficiary,
      kyt: { ...beneficiary, outputAddress, apiType: apiType.originating.unreported },
      wco: beneficiary,
    },
    reported: {
      sanction: beneficiary,
      kyt: { ...beneficiary, outputAddress, apiType: apiType.originating.reported },
      wco: beneficiary,
    },
  },
  beneficiary: {
    unreported: { sanction: originator, kyt: apiType.beneficiary.unreported, wco: originator },
    reported: {
      sanction: originator,
      kyt: { ...originator, outputAddress, apiType: apiType.beneficiary.reported },
      wco: originator,
    },
  },
};

/** Undefined: the caller is neither of the two VASPs. */
export function counterpartyOf<K extends AssessmentKind>(
  row: Verification,
  caller: string,
  kind: K,
): Counterparties[K] | undefined {
  const reported = row.txHash === null ? 'unreported' : 'reported';
  if (row.originatingVaspId === caller) return COUNTERPARTY_TABLE.originating[reported][kind];
  if (row.beneficiaryVaspId === caller) return COUNTERPARTY_TABLE.beneficiary[reported][kind];
  return undefined;
}
