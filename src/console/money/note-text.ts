import { TRANSACTION_STATUSES } from '../../contract/transaction-status.ts';
import type { Texts } from '../texts/english.ts';

interface Money {
  kind: 'deposit' | 'transfer';
  status: string;
  note: string;
}

/** The note of a payment in the language of the page. A transfer that waits or failed has a note of its own. */
export function moneyNote({ kind, status, note }: Money, { moneyNotes }: Texts): string {
  const ordinary: Readonly<Record<string, string>> = TRANSACTION_STATUSES;
  const hasOwn = kind === 'transfer' && note !== ordinary[status];
  return (hasOwn ? undefined : moneyNotes[`${kind}.${status}`]) ?? note;
}
