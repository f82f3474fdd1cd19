import { accountId } from './addresses.ts';
import type { Metadata } from './metadata.ts';
import type { TokenAmount } from './quantities.ts';
import type { TransactionJson } from './transaction.ts';

const ACCOUNT_FIELDS = ['Account', 'Owner', 'RegularKey', 'NFTokenMinter', 'Authorize', 'Destination'];
/** An issuer in one of these fields of an entry has the transaction in its history, too. */
const AMOUNT_FIELDS = ['LowLimit', 'HighLimit', 'TakerPays', 'TakerGets'];

/** The accounts that have a transaction in their history: those in the entries that it changed. */
export function affectedAccounts(meta: Metadata): Set<string> {
  const accounts = new Set<string>();
  for (const node of meta.AffectedNodes.flatMap(wrapped => Object.values(wrapped)))
    for (const fields of [node.NewFields, node.FinalFields])
      for (const name of ACCOUNT_FIELDS) {
        const address = fields?.[name];
        if (typeof address === 'string' && accountId(address)) accounts.add(address);
      }
  for (const { issuer } of amountsIn(meta)) accounts.add(issuer);
  return accounts;
}

function amountsIn(meta: Metadata): TokenAmount[] {
  return meta.AffectedNodes.flatMap(wrapped => Object.values(wrapped))
    .flatMap(node => [node.NewFields, node.FinalFields])
    .flatMap(fields => AMOUNT_FIELDS.map(name => fields?.[name]))
    .filter(isTokenAmount);
}

const isTokenAmount = (value: unknown): value is TokenAmount =>
  value !== null && typeof value === 'object' && 'issuer' in value;

/** The accounts in a transaction's own fields. They are notified of it before it is in a ledger. */
export function mentionedAccounts(json: TransactionJson): Set<string> {
  const named = [
    json.Account,
    json.Destination,
    json.RegularKey,
    json.NFTokenMinter,
    json.Authorize,
    json.Unauthorize,
    json.Owner,
    ...Object.values(json)
      .filter(isTokenAmount)
      .map(({ issuer }) => issuer),
  ];
  return new Set(named.filter((address): address is string => accountId(address) !== undefined));
}
