import { ticketKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { ZERO_HASH } from '../hash.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { addToOwnerDirectory } from './owner-directory.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

const MAX_TICKETS = 250;

export const ticketCreate: Transactor = {
  fields: { TicketCount: 'required' },
  flags: 0,
  preflight,
  preclaim,
  apply,
};

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
  const { tx, view, priorBalance, fees } = context;
  const count = countOf(tx);
  const account = sourceAccount(context);
  if (priorBalance < accountReserve(fees, account.OwnerCount + count)) return 'tecINSUFFICIENT_RESERVE';
  const first = account.Sequence;
  for (let sequence = first; sequence < first + count; sequence++) {
    const key = ticketKey(tx.account, sequence);
    const page = addToOwnerDirectory(view, tx.account, key);
    view.write(key, {
      LedgerEntryType: 'Ticket',
      Flags: 0,
      Account: tx.account,
      OwnerNode: page,
      TicketSequence: sequence,
      PreviousTxnID: ZERO_HASH,
      PreviousTxnLgrSeq: 0,
    });
  }
  view.writeAccount({
    ...account,
    Sequence: first + count,
    OwnerCount: account.OwnerCount + count,
    TicketCount: (account.TicketCount ?? 0) + count,
  });
  return 'tesSUCCESS';
}
