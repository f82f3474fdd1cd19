import { accountId } from '../addresses.ts';
import type { TrustLine } from '../entries.ts';
import type { ReadView } from '../ledger-view.ts';
import { amountOf } from '../quantities.ts';
import { ownedEntries } from '../transactors/owned-entries.ts';
import { balanceOf, hasFlag, limitOf, type OwnLine, ownLine } from '../transactors/trust-line.ts';
import { type Json, rpcError } from './errors.ts';
import { booleanField, type OwnedEntry, ownedPage, ownerOf } from './fields.ts';
import type { RpcRequest } from './request.ts';

/** The trust lines of an account, from its own view. */
export function accountLines(request: RpcRequest): Json {
  const { peer } = request.params;
  if (peer !== undefined && peer !== '' && !accountId(peer)) throw rpcError('actMalformed');
  const { address, ledger } = ownerOf(request);
  const ignoresDefault = booleanField(request, 'ignore_default');
  const { entries, more } = ownedPage(request, ledger.view, address);
  const lines = entries
    .flatMap(owned => lineOf(owned, address))
    .filter(line => !peer || line.peer === peer)
    .filter(line => !ignoresDefault || hasFlag(line, line.own.reserve))
    .map(shown);
  return { account: address, lines, ...ledger.named, ...more };
}

const lineOf = ({ key, entry }: OwnedEntry, address: string): OwnLine[] =>
  entry.LedgerEntryType === 'RippleState' ? [ownLine(key, entry as TrustLine, address)] : [];

function shown(line: OwnLine): Json {
  const { entry, own, theirs, peer } = line;
  const { currency } = entry.Balance;
  const text = (quantity: bigint) => amountOf({ currency, issuer: peer }, quantity).value;
  const flags = {
    authorized: own.auth,
    peer_authorized: theirs.auth,
    no_ripple: own.noRipple,
    no_ripple_peer: theirs.noRipple,
    freeze: own.freeze,
    freeze_peer: theirs.freeze,
  };
  return {
    account: peer,
    balance: text(balanceOf(line)),
    currency,
    limit: text(limitOf(line, own)),
    limit_peer: text(limitOf(line, theirs)),
    quality_in: entry[own.qualityIn] ?? 0,
    quality_out: entry[own.qualityOut] ?? 0,
    ...Object.fromEntries(
      Object.entries(flags)
        .filter(([, bit]) => hasFlag(line, bit))
        .map(([name]) => [name, true]),
    ),
  };
}

export function linesOf(view: ReadView, address: string): OwnLine[] {
  return ownedEntries(view, address).flatMap(({ key }) => {
    const entry = view.read(key);
    return entry ? lineOf({ key, entry }, address) : [];
  });
}

/** The tokens that an account can receive and send. */
export function accountCurrencies(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const lines = linesOf(ledger.view, address);
  const named = (fits: (line: OwnLine) => boolean) =>
    [...new Set(lines.filter(fits).map(({ entry }) => entry.Balance.currency))].sort();
  return {
    receive_currencies: named(line => balanceOf(line) < limitOf(line, line.own)),
    send_currencies: named(line => balanceOf(line) > 0n || -balanceOf(line) < limitOf(line, line.theirs)),
    ...ledger.named,
  };
}
