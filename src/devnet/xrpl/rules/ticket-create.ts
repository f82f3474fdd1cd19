import { type AccountRoot, accountKey, ticketKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { ZERO_HASH } from '../hash.ts';
import type { ReadView } from '../ledger-view.ts';
import { addToOwnerDirectory } from './owner-directory.ts';
import type { Result } from './results.ts';
import type { Application, TransactionRule } from './rule.ts';
import type { Transaction } from './transaction.ts';

const MAX_TICKETS = 250;

export const ticketCreate: TransactionRule = {
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

function preclaim(tx: Transaction, view: ReadView): Result {
  const account = view.read(accountKey(tx.account)) as AccountRoot;
  const used = tx.ticket === undefined ? 0 : 1;
  return (account.TicketCount ?? 0) + countOf(tx) - used > MAX_TICKETS ? 'tecDIR_FULL' : 'tesSUCCESS';
}

function apply({ tx, setting, view, priorBalance, source }: Application): Result {
  const count = countOf(tx);
  const account = source();
  if (priorBalance < accountReserve(setting.fees, account.OwnerCount + count))
    return 'tecINSUFFICIENT_RESERVE';
  const first = account.Sequence;
  for (let sequence = first; sequence < first + count; sequence++) {
    const key = ticketKey(tx.account, sequence);
    const page = addToOwnerDirectory(view, tx.account, key);
    view.write(key, {
      LedgerEntryType: 'Ticket',
      Flags: 0,
      Account: tx.account,
      OwnerNode: page.toString(16).toUpperCase(),
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
