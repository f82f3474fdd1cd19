import { TELLINGS, type TimerKind } from './registry.ts';
import type { TimerRow } from './store.ts';

/** The verification in whose story the timer stands; null: in none. */
export const verificationOf = ({ kind, payload }: Pick<TimerRow, 'kind' | 'payload'>): string | null =>
  TELLINGS[kind as TimerKind].verificationOf(JSON.parse(payload) as never);
