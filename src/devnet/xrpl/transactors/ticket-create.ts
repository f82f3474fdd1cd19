import { ticketKey } from '../entries.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { addOwned, changeTicketCount } from './owned-entries.ts';
import { type ApplyContext, canOwn, sourceAccount, type Transactor } from './transactor.ts';

const MAX_TICKETS = 250;

export const ticketCreate: Transactor = { preflight, preclaim, apply };

const countOf = (tx: Transaction): number => tx.json.TicketCount as number;

function preflight(tx: Transaction): Result {
  return countOf(tx) >= 1 && countOf(tx) <= MAX_TICKETS ? 'tesSUCCESS' : 'temINVALID_COUNT';
}

function preclaim(context: ApplyContext): Result {
  const { tx } = context;
  const account = sourceAccount(context);
  const used = tx.ticket === undefined ? 0 : 1;
  return (account.TicketCount ?? 0) + countOf(tx) - used > MAX_TICKETS ? 'tecDIR_FULL' : 'tesSUCCESS';
}

function apply(context: ApplyContext): Result {
  const { tx, view } = context;
  const count = countOf(tx);
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
  return 'tesSUCCESS';
}
