import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import type { Customer, Customers } from '../contract/customers.ts';
import type { Ledger } from './ledgers/port.ts';

/** The fixed customers of the reference VASP. Their accounts follow from its keys. */
export const CUSTOMERS: readonly DistributiveOmit<Customer, 'accounts'>[] = [
  {
    id: 'main',
    kind: 'natural',
    names: { lastName: 'Barnes', firstName: 'Robert' },
    dateOfBirth: '1990-02-28',
    placeOfBirth: 'Seoul',
    kyc: true,
  },
  {
    id: 'company',
    kind: 'legal',
    names: { legalName: 'Han River Trading', representatives: [{ lastName: 'Moss', firstName: 'Kate' }] },
    dateOfBirth: '1984-11-03',
    placeOfBirth: 'Busan',
    kyc: true,
  },
  {
    id: 'without-kyc',
    kind: 'natural',
    names: { lastName: 'Okafor', firstName: 'Chidi' },
    dateOfBirth: '1995-07-19',
    placeOfBirth: 'Lagos',
    kyc: false,
  },
  {
    id: 'hangul',
    kind: 'natural',
    names: { lastName: '홍', firstName: '길동' },
    dateOfBirth: '1988-05-01',
    placeOfBirth: '부산',
    kyc: true,
  },
];

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type Ledgers = Readonly<Record<AssetSymbol, Ledger>>;

/** The number of an account whose key the VASP has, but which is no customer's. */
const NOBODY = 1_000;

export function customersOf(ledgers: Ledgers): Customers {
  const accounts = (index: number) =>
    Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, ledgers[symbol].accountOf(index)]));
  return {
    customers: CUSTOMERS.map((customer, index) => ({ ...customer, accounts: accounts(index) })) as Customer[],
    nobody: accounts(NOBODY),
  };
}

/** An account number as a message has it -> the customer. REF-4.6.4: XRP needs the right tag. */
export function ownerOf({ customers }: Customers, symbol: AssetSymbol, account: string): Customer | undefined {
  return customers.find(customer => isSameAccount(symbol, customer.accounts[symbol]!, account));
}

/** D-08: ETH addresses may be in lower case; in mixed case the checksum counts. */
export function isSameAccount(symbol: AssetSymbol, own: string, account: string): boolean {
  if (own === account) return true;
  return symbol === 'ETH' && account === own.toLowerCase();
}
