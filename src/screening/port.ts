import type { Direction, MatchStrength, ProviderAKYTAlert } from '../contract/risk.ts';

/**
 * The screening providers as the enclave uses them: A for sanctions and monitoring, B for persons. `keys` are those of
 * the calling VASP. Every call throws `ProviderError`, and nothing else.
 */
export interface Screening {
  /** REF-2.5: answers at once. */
  sanction: { screen(keys: ProviderKeys, subject: ScreenedAddress): Promise<SanctionFinding> };
  /** REF-2.6, REF-2.7 */
  kyt: AsyncScreening<MonitoredTransfer, MonitoringFinding>;
  /** REF-2.8 */
  wco: AsyncScreening<ScreenedParty, PersonFinding>;
}

/** A VASP's keys at the providers. Never shown, never logged. */
export interface ProviderKeys {
  sanctionApiKey: string;
  kytApiKey: string;
  wcoApiKey: string;
  wcoGroupId: string;
}

export interface ScreenedAddress {
  asset: string;
  /** As in the verification, with its tag where the ledger has tags. */
  address: string;
}

export interface SanctionFinding {
  listing: { name: string; description: string; url: string } | null;
}

/**
 * A provider whose result comes later: `register` the subject first, then ask for the `result` until there is one.
 * `attempt` counts all calls for one assessment from 1, failed ones included.
 */
export interface AsyncScreening<Subject, Finding> {
  register(keys: ProviderKeys, subject: Subject, attempt: number): Promise<Registered>;
  /** `reference` comes from `register`. `subject` is repeated for a provider that stores nothing. */
  result(keys: ProviderKeys, reference: string, subject: Subject, attempt: number): Promise<Finding | StillWorking>;
}

export interface Registered {
  /** The provider's own identifier of the request. */
  reference: string;
  /** When to ask for the result, in ms from now. */
  readyInMs: number;
}

export interface StillWorking {
  readyInMs: number;
  /** D-42. PAYMENT: no block holds the transaction, or it does not pay `outputAddress`. LEDGER: that is not known now. */
  waitsFor?: 'PAYMENT' | 'LEDGER';
}
export const isStillWorking = (answer: object): answer is StillWorking => 'readyInMs' in answer;

export interface MonitoredTransfer {
  direction: Direction;
  asset: string;
  amount: string;
  /** Decimal text; null without a rate. */
  usdPrice: string | null;
  network: string;
  outputAddress: string;
  /** Both undefined before a withdrawal: only the address is assessed. */
  transferRef?: string | undefined;
  txHash?: string | undefined;
  /** The assessed account. A real provider finds the sender of a deposit on the chain. */
  counterpartyAddress: string;
}

export interface MonitoringFinding {
  alerts: Alert[];
  /** D-42: epoch milliseconds of the block of the transaction. Undefined: without a transaction, or without its ledger. */
  transferredAt?: number;
}
export type Alert = Omit<ProviderAKYTAlert, 'counterpartyVaspId' | 'externalId' | 'direction' | 'createdAt'>;

/** A natural person; or an organisation, followed by its representatives. */
export interface ScreenedParty {
  persons: ScreenedPerson[];
  asset: string;
  /** The account of the party. */
  address: string;
}
export interface ScreenedPerson {
  kind: 'INDIVIDUAL' | 'ORGANISATION';
  /** All names of the person, each as one text. */
  names: string[];
  dateOfBirth?: string | undefined;
  placeOfBirth?: string | undefined;
}

export interface PersonFinding {
  /** Of the best matching entry; null when none matches. */
  matchStrength: MatchStrength | null;
  /** JSON text. */
  aggregatedSummaryResult: string;
}

const ERRORS = {
  'ACCESS-REFUSED': 'the provider refuses the API key',
  /** An unknown group, or one of another key. */
  'GROUP-NOT-FOUND': 'the provider does not find the group',
  /** Another attempt may succeed. */
  FAILED: 'the provider answered with an error',
} as const;
/** Why a provider has no answer. The message is for the timeline. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly why: keyof typeof ERRORS;
  constructor(why: keyof typeof ERRORS) {
    super(ERRORS[why]);
    this.why = why;
  }
}

/** The only keys that the simulated providers accept (REF-7). */
export const DEVELOPMENT_KEYS: ProviderKeys = {
  sanctionApiKey: 'development-sanction-key',
  kytApiKey: 'development-kyt-key',
  wcoApiKey: 'development-wco-key',
  wcoGroupId: 'development-group',
};
