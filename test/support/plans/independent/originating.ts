import type { Any, Owner } from './judge.ts';
import type { Ledger } from './ledgers.ts';
import type { Variant } from './variants.ts';
import type { Is } from './wrongs.ts';

/** What the independent VASP as originator needs of the rest of it. */
export interface Originating {
  is: Is;
  variant(): Variant;
  ledgers: Record<string, Ledger>;
  owners: readonly Owner[];
  post(path: string, body: object): Promise<{ status: number; body: Any }>;
  get(path: string): Promise<Any>;
  isStopped(): boolean;
  /** Epoch ms, by the clock of its timers. */
  now(): number;
  debit(owner: string, symbol: string, units: bigint): void;
}
