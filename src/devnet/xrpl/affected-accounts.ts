import { accountId } from './addresses.ts';
import { ACCOUNT_FIELDS } from './definitions.ts';
import type { Metadata } from './metadata.ts';
import type { TokenAmount } from './quantities.ts';
import type { TransactionJson } from './transaction.ts';

/** An issuer in one of these fields of an entry has the transaction in its history, too. */
const AMOUNT_FIELDS = ['LowLimit', 'HighLimit', 'TakerPays', 'TakerGets'];

/** The accounts that have a transaction in their history: those in the entries that it changed. */
export const affectedAccounts = (meta: Metadata): Set<string> =>
  new Set(
    meta.AffectedNodes.flatMap(wrapped => Object.values(wrapped))
      .flatMap(node => [node.NewFields ?? {}, node.FinalFields ?? {}])
      .flatMap(fields => [...addressesIn(fields), ...issuersIn(AMOUNT_FIELDS.map(name => fields[name]))]),
  );

/** The accounts in a transaction's own fields. They are notified of it before it is in a ledger. */
export const mentionedAccounts = (json: TransactionJson): Set<string> =>
  new Set([...addressesIn(json), ...issuersIn(Object.values(json))]);

const addressesIn = (fields: Readonly<Record<string, unknown>>): string[] =>
  ACCOUNT_FIELDS.map(name => fields[name]).filter(
    (address): address is string => accountId(address) !== undefined,
  );

const issuersIn = (values: readonly unknown[]): string[] =>
  values.filter(isTokenAmount).map(({ issuer }) => issuer);

const isTokenAmount = (value: unknown): value is TokenAmount =>
  value !== null && typeof value === 'object' && 'issuer' in value;
