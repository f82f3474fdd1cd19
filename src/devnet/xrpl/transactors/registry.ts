import { accountSet } from './account-set.ts';
import { payment } from './payment.ts';
import { setRegularKey } from './set-regular-key.ts';
import { ticketCreate } from './ticket-create.ts';
import type { Transactor } from './transactor.ts';

/** The transaction types that this ledger offers. Every other type is answered with temDISABLED. */
export const TRANSACTORS: Readonly<Record<string, Transactor>> = {
  Payment: payment,
  AccountSet: accountSet,
  SetRegularKey: setRegularKey,
  TicketCreate: ticketCreate,
};
