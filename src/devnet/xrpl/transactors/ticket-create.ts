import type { TicketCreate } from 'xrpl';
import { ticketKey } from '../entries.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { addOwned, changeTicketCount } from './owned-entries.ts';
import { type ApplyContext, canOwn, sourceAccount, type Transactor } from './transactor.ts';

const MAX_TICKETS = 250;

export const ticketCreate: Transactor<TicketCreate> = { preflight, preclaim, apply };

function preflight({ json: { TicketCount } }: Transaction<TicketCreate>): Failure {
  return TicketCount >= 1 && TicketCount <= MAX_TICKETS ? undefined : 'temINVALID_COUNT';
}

function preclaim(context: ApplyContext<TicketCreate>): Failure {
  const { tx } = context;
  const account = sourceAccount(context);
  const used = tx.ticket === undefined ? 0 : 1;
  return (account.TicketCount ?? 0) + tx.json.TicketCount - used > MAX_TICKETS ? 'tecDIR_FULL' : undefined;
}

function apply(context: ApplyContext<TicketCreate>): Failure {
  const { tx, view } = context;
  const count = tx.json.TicketCount;
  const { Sequence: first } = sourceAccount(context);
  if (!canOwn(context, count)) return 'tecINSUFFICIENT_RESERVE';
  for (let sequence = first; sequence < first + count; sequence++)
    addOwned(view, tx.account, ticketKey(tx.account, sequence), {
      LedgerEntryType: 'Ticket',
      Flags: 0,
      Account: tx.account,
      TicketSequence: sequence,
    });
  changeTicketCount(view, tx.account, count);
  view.writeAccount({ ...sourceAccount(context), Sequence: first + count });
}
