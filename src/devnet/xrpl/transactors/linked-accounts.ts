import { type AccountRoot, accountKey, type Entry, type TrustLine } from '../entries.ts';
import type { EntryChange, ReadView } from '../ledger-view.ts';

export interface LinkedAccount {
  readonly key: string;
  readonly account: AccountRoot;
}

/** The accounts behind created and deleted entries that the transaction has not changed. */
export function linkedAccounts(view: ReadView, changes: readonly EntryChange[]): LinkedAccount[] {
  const changed = new Set(changes.map(({ key }) => key));
  const owners = changes
    .filter(({ before, after }) => !before || !after)
    .flatMap(({ before, after }) => ownersOf((after ?? before)!));
  return [...new Set(owners)].flatMap(address => {
    const key = accountKey(address);
    const account = changed.has(key) ? undefined : (view.read(key) as AccountRoot | undefined);
    return account ? [{ key, account }] : [];
  });
}

function ownersOf(entry: Entry): string[] {
  const { LedgerEntryType: type } = entry;
  if (type === 'AccountRoot') return [];
  if (type === 'RippleState') {
    const { LowLimit, HighLimit } = entry as TrustLine;
    return [LowLimit.issuer, HighLimit.issuer];
  }
  return [entry.Account, entry.Destination].filter(address => typeof address === 'string');
}
