import type { AlertLevel, Direction, MatchStrength } from '../contract/risk.ts';

/**
 * The screening providers, as the enclave uses them: A for sanctions and monitoring, B for persons. Every call is given
 * the key of the VASP that asks and throws `AccessRefused`, `GroupNotFound` or `ProviderFailed`; nothing else.
 */
export interface Screening {
  sanction: SanctionScreening;
  kyt: TransactionMonitoring;
  wco: PersonScreening;
}

/** What a VASP has agreed with the providers. Never shown, never logged. */
export interface ProviderKeys {
  sanctionApiKey: string;
  kytApiKey: string;
  wcoApiKey: string;
  wcoGroupId: string;
}

/** REF-2.5. Answers at once. */
export interface SanctionScreening {
  screen(keys: ProviderKeys, subject: ScreenedAddress): Promise<SanctionFinding>;
}

export interface ScreenedAddress {
  asset: string;
  /** As the verification has it: with its second part, where the ledger knows one. */
  address: string;
}

export type SanctionFinding = { listing: Listing | null };
export interface Listing {
  name: string;
  description: string;
  url: string;
}

/** A provider that takes its time: `register` first, then `result` until there is one. */
export interface AsyncScreening<Subject, Finding> {
  register(keys: ProviderKeys, subject: Subject, attempt: number): Promise<Registered>;
  /** `reference`: as `register` has answered. `subject` is given again, for a provider that keeps nothing. */
  result(
    keys: ProviderKeys,
    reference: string,
    subject: Subject,
    attempt: number,
  ): Promise<Finding | StillWorking>;
}

export interface Registered {
  /** The provider's own identifier of the request. */
  reference: string;
  /** When it is worth asking for the result, in ms from now. */
  readyInMs: number;
}

export interface StillWorking {
  readyInMs: number;
}
export const isStillWorking = (answer: object): answer is StillWorking => 'readyInMs' in answer;

/** REF-2.6, REF-2.7. `attempt` counts from 1 the calls for one assessment, failed ones and the one that is made. */
export type TransactionMonitoring = AsyncScreening<MonitoredTransfer, MonitoringFinding>;

export interface MonitoredTransfer {
  direction: Direction;
  asset: string;
  amount: string;
  /** Decimal text; null where no rate is known. */
  usdPrice: string | null;
  network: string;
  outputAddress: string;
  /** Undefined before a withdrawal: the address alone is assessed. */
  transferRef?: string | undefined;
  /** Whom the risk is about. A real provider finds the sender of a deposit on the chain itself. */
  counterpartyAddress: string;
}

export interface MonitoringFinding {
  alerts: Alert[];
}
export interface Alert {
  alertId: string;
  alertLevel: AlertLevel;
  entityCategory: string;
  /** Null when not identified, or when the exposure is INDIRECT. */
  serviceName: string | null;
  exposureType: ExposureType;
  /** USD, decimal text. */
  alertAmount: string;
}
export type ExposureType = 'DIRECT' | 'INDIRECT';

/** REF-2.8. `attempt` as above. */
export type PersonScreening = AsyncScreening<ScreenedParty, PersonFinding>;

/** A natural person; or an organisation, followed by its representatives. */
export interface ScreenedParty {
  persons: ScreenedPerson[];
  /** The account of the party: a reference for the case. */
  asset: string;
  address: string;
}
export interface ScreenedPerson {
  kind: 'INDIVIDUAL' | 'ORGANISATION';
  /** Every name that is known, each as one text. */
  names: string[];
  dateOfBirth?: string | undefined;
  placeOfBirth?: string | undefined;
}

export interface PersonFinding {
  /** The highest among the matching entries; null when none matches. */
  matchStrength: MatchStrength | null;
  /** A JSON text. */
  aggregatedSummaryResult: string;
}

/** The key is wrong, or may not do this. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused';
}
/** The key is right; the group is unknown, or not for this key. */
export class GroupNotFound extends Error {
  override readonly name = 'GroupNotFound';
}
/** The provider could not be reached, or has answered with an error: worth trying again. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
}
