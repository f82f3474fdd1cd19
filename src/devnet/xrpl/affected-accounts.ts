import { accountId } from './addresses.ts';
import type { Metadata } from './metadata.ts';
import type { TransactionJson } from './transaction.ts';

const ACCOUNT_FIELDS = ['Account', 'Owner', 'RegularKey', 'NFTokenMinter', 'Authorize'];

/** The accounts that have a transaction in their history: those in the entries that it changed. */
export function affectedAccounts(meta: Metadata): Set<string> {
  const accounts = new Set<string>();
  for (const node of meta.AffectedNodes.flatMap(wrapped => Object.values(wrapped)))
    for (const fields of [node.NewFields, node.FinalFields])
      for (const name of ACCOUNT_FIELDS) {
        const address = fields?.[name];
        if (typeof address === 'string' && accountId(address)) accounts.add(address);
      }
  return accounts;
}

/** The accounts in a transaction's own fields. They are notified of it before it is in a ledger. */
export function mentionedAccounts(json: TransactionJson): Set<string> {
  const named = [
    json.Account,
    json.Destination,
    json.RegularKey,
    json.NFTokenMinter,
    json.Authorize,
    json.Unauthorize,
  ];
  return new Set(named.filter((address): address is string => accountId(address) !== undefined));
}
