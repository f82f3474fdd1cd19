import { formatUnits, toUnits } from '../kernel/decimal.ts';
import { withChecksum } from './eip55.ts';

/** REF-4.6.3: the assets of the robot. The compiler names what another one needs. */
export const ASSETS = {
  ETH: {
    chain: 'ethereum',
    /** D-07: the accepted values of `network`, case-insensitive. The first one is canonical. */
    networks: ['Ethereum'],
    decimals: 18,
    /** REF-4.6.4 */
    destinationTag: false,
    /** D-08: ETH addresses are case-insensitive, XRP addresses are not. */
    addressIgnoresCase: true,
  },
  XRP: {
    chain: 'xrpl',
    networks: ['Ripple', 'XRP Ledger'],
    decimals: 6,
    destinationTag: true,
    addressIgnoresCase: false,
  },
} as const;

export type AssetSymbol = keyof typeof ASSETS;
export const ASSET_SYMBOLS = Object.keys(ASSETS) as [AssetSymbol, ...AssetSymbol[]];

export const isAssetSymbol = (symbol: string): symbol is AssetSymbol => Object.hasOwn(ASSETS, symbol);

/** D-07 */
export const isNetworkOf = (symbol: AssetSymbol, network: string): boolean =>
  ASSETS[symbol].networks.some(name => name.toLowerCase() === network.toLowerCase());

/** Decimal text in whole coins -> base units. Throws `RangeError` for other text. */
export const toBaseUnits = (symbol: AssetSymbol, coins: string): bigint => toUnits(coins, ASSETS[symbol].decimals);
/** Base units -> the shortest decimal text in whole coins. */
export const toCoins = (symbol: AssetSymbol, units: bigint): string => formatUnits(units, ASSETS[symbol].decimals);

/** D-08: all spellings of an account have the same key. For an unknown symbol every spelling has a key of its own. */
export function accountKey(symbol: string, accountNumber: string): string {
  return isAssetSymbol(symbol) && ASSETS[symbol].addressIgnoresCase ? accountNumber.toLowerCase() : accountNumber;
}

/** A transaction hash as the nodes print it. */
export const nodeHash = (symbol: AssetSymbol, txHash: string): string =>
  symbol === 'XRP' ? txHash.toUpperCase() : txHash.toLowerCase();

/** An account with its tag, as people copy it: `0x…` with the checksum of EIP-55, `r…`, `r…:tag`. */
export function addressText(account: string, tag?: number | null): string {
  if (tag !== null && tag !== undefined) return `${account}:${tag}`;
  return /^0x[0-9a-f]{40}$/.test(account) ? withChecksum(account) : account;
}

/** The account and the tag of `r…:tag`. */
export function splitAddress(address: string): [account: string, tag: string | undefined] {
  const [account = '', tag] = address.split(':');
  return [account, tag];
}
