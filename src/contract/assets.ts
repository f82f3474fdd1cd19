/** REF-4.6.3: the assets of the robot, as facts. An asset on a known ledger is one row here and nothing else. */
export const ASSETS = {
  ETH: {
    chain: 'ethereum',
    /** D-07: names that the `network` field may carry, without regard to case; the first is the canonical one. */
    networks: ['Ethereum'],
    decimals: 18,
    /** REF-4.6.4 */
    destinationTag: false,
    /** D-08: ETH without regard to case, XRP exact. */
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
export const ASSET_SYMBOLS = Object.keys(ASSETS) as AssetSymbol[];

export const isAssetSymbol = (symbol: string): symbol is AssetSymbol => Object.hasOwn(ASSETS, symbol);

/** The form under which two spellings of one account are equal (D-08); unknown symbols compare exactly. */
export function accountKey(symbol: string, accountNumber: string): string {
  return isAssetSymbol(symbol) && ASSETS[symbol].addressIgnoresCase
    ? accountNumber.toLowerCase()
    : accountNumber;
}

/** An account and its tag as messages write them: `0x…`, `r…`, `r…:tag`. */
export const addressText = (account: string, tag: number | null | undefined): string =>
  tag === null || tag === undefined ? account : `${account}:${tag}`;
