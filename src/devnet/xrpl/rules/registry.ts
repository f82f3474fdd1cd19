import { accountSet } from './account-set.ts';
import { payment } from './payment.ts';
import type { TransactionRule } from './rule.ts';
import { setRegularKey } from './set-regular-key.ts';
import { ticketCreate } from './ticket-create.ts';

export type { Presence } from './rule.ts';

/** Every transaction type that this ledger offers. Any other one answers temDISABLED. */
export const RULES: Readonly<Record<string, TransactionRule>> = {
  Payment: payment,
  AccountSet: accountSet,
  SetRegularKey: setRegularKey,
  TicketCreate: ticketCreate,
};
