import type { Receiving } from './deposits.ts';
import type { Owner } from './judge.ts';
import { inFloats, unitsOf } from './units.ts';

/** Does a payment that the independent VASP sees fit a verification? */

export interface Verified {
  uuid: string;
  owner: Owner;
  symbol: string;
  amount: string;
  account: string;
  sender: string;
  /** Of the verification. */
  at: number;
  /** By the clock of its timers. */
  expectedSince: number;
  /** The newest block before its verification. */
  head: number;
  state: 'open' | 'credited' | 'canceled' | 'denied';
  askedAt: number;
  isReported?: boolean;
  isAsking?: boolean;
  isAnswered?: boolean;
  isGivenUp?: boolean;
  named: Set<string>;
}
export interface Seen {
  symbol: string;
  hash: string;
  to: string;
  units: bigint;
  from?: string;
  isFailed: boolean;
  height: number;
  at: number;
  since?: number;
  isUsed: boolean;
  block?: string;
}

/** A time-out of a wrong VASP. */
const LATER_MS = 3_000;

export function matching({ is, owners }: Pick<Receiving, 'is' | 'owners'>) {
  const sameAccount = (symbol: string, one: string, other: string) =>
    symbol === 'ETH' ? one.toLowerCase() === other.toLowerCase() : one === other;
  const isOwn = ({ symbol, to }: Seen) => owners.some(owner => sameAccount(symbol, accountOf(owner, symbol), to));
  const accountOf = (owner: Owner, symbol: string) => owner.accounts[symbol as 'ETH' | 'XRP'];

  function fits({ symbol, amount, account, sender, owner, head }: Verified, payment: Seen): boolean {
    if (payment.symbol !== symbol) return false;
    if (payment.height <= head && !is('credits a payment that is older than the verification')) return false;
    const isFromOriginator = sameAccount(symbol, sender.split(':')[0]!, payment.from ?? '');
    if (is('credits only from the address of the originator') && !isFromOriginator) return false;
    if (payment.isFailed && !is('credits a failed transaction')) return false;
    const isAlike =
      (symbol === 'XRP' &&
        is('compares the ends of a tag that is paid') &&
        account.slice(-1) === payment.to.slice(-1)) ||
      (symbol === 'ETH' &&
        is('compares the ends of an address that is paid') &&
        account.slice(0, 12).toLowerCase() === payment.to.slice(0, 12).toLowerCase());
    const isUntagged =
      is('takes a payment without a tag') && account.includes(':') && account.split(':')[0] === payment.to;
    const isRecipient =
      sameAccount(symbol, account, payment.to) ||
      isAlike ||
      isUntagged ||
      is('credits a payment to a stranger') ||
      (is('credits a failed transaction') && payment.isFailed) ||
      (is('credits another customer') && isOwn(payment) && accountOf(owner, symbol) !== payment.to);
    const units = unitsOf(symbol, is('takes a whole amount without its zeros') ? amount.replace(/0+$/, '') : amount);
    const isSameText = !is('compares amounts as texts') || !amount.endsWith('0');
    const isAmount =
      (payment.units === units && isSameText) ||
      (is('credits more than verified') && payment.units > units) ||
      (is('credits too little some seconds later') && payment.units < units && Date.now() - payment.at > LATER_MS) ||
      (is('credits a unit less') && payment.units === units - 1n) ||
      (is('credits in floating point') && Number(payment.units) === Number(inFloats(symbol, amount)));
    return isRecipient && isAmount;
  }

  return { fits, sameAccount, accountOf };
}
