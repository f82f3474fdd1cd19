import { keccak_256 } from '@noble/hashes/sha3';
import { isValidClassicAddress } from 'ripple-address-codec';
import * as z from 'zod';
import { systemClock, toIso } from '../kernel/clock.ts';
import { formatUnits, isDecimal, multiply, toUnits } from '../kernel/decimal.ts';
import { remember } from '../kernel/rate-limit.ts';
import { Amount, DecimalText, MAX_LENGTH, NetworkName, named, optional, SymbolText, text } from './text.ts';
import { InputTimestamp } from './time.ts';

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

/** The other members of the object are none of the condition's business. Some tools refuse them otherwise. */
const OTHERS = { additionalProperties: true };

/** For the API document: an amount that the asset can express, more than 0. */
export const decimalsPattern = (symbol: AssetSymbol): string =>
  `^(?=.*[1-9])(?:0|[1-9]\\d*)(?:\\.\\d{1,${ASSETS[symbol].decimals}})?$`;

/**
 * For the API document, where `symbol` and the amounts are members of one object. Generators of clients take no notice of a
 * condition, and some fail at `allOf` or `anyOf` beside members.
 */
export const decimalsOfTheAsset = (...amounts: string[]) =>
  ASSET_SYMBOLS.reduce<object>((others, symbol) => {
    const pattern = decimalsPattern(symbol);
    return {
      if: { required: ['symbol'], properties: { symbol: { const: symbol } }, ...OTHERS },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { properties: Object.fromEntries(amounts.map(amount => [amount, { pattern }])), ...OTHERS },
      else: others,
    };
  }, OTHERS);

/** REF-2.2: the asset of a transfer. `tradeISODatetime` is converted into ISO 8601 UTC with milliseconds. */
export const AssetInfo = z
  .object({
    symbol: SymbolText,
    network: optional(NetworkName),
    amount: Amount.describe('Amount to transfer: plain decimal text, more than 0.'),
    isExceedingThreshold: z
      .boolean()
      .describe('true when the amount is greater than or equal to the legal threshold that requires verification.'),
    tradePrice: DecimalText.describe('Transfer amount converted to fiat currency: plain decimal text.'),
    tradeCurrency: text(MAX_LENGTH.currency).meta({ description: 'Fiat currency symbol.', examples: ['KRW'] }),
    tradeISODatetime: InputTimestamp.describe('Time at which the conversion price was applied.'),
  })
  .meta({
    id: 'AssetInfo',
    description: 'REF-2.2: description of the virtual asset and the amount.',
    ...decimalsOfTheAsset('amount'),
  });
export type AssetInfo = z.infer<typeof AssetInfo>;

/** D-08: the form in which an account of a ledger is written. Continues "The account"; undefined: it has it. */
export const accountProblem = (symbol: AssetSymbol, text: string): string | undefined =>
  symbol === 'ETH' ? ethProblem(text) : xrpProblem(text);

function ethProblem(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'should be an address of Ethereum: 0x and 40 hexadecimal digits';
  const [lower, upper] = [text.toLowerCase(), `0x${text.slice(2).toUpperCase()}`];
  return text === lower || text === upper || withChecksum(lower) === text
    ? undefined
    : 'should have the checksum of EIP-55, or lower case only: a digit or its case is wrong';
}

const MAX_TAG = 4_294_967_295;

function xrpProblem(text: string): string | undefined {
  if (/^[XT][1-9A-HJ-NP-Za-km-z]{40,}$/.test(text))
    return 'should be a classic address with its destination tag (`r…:tag`), no X-address';
  const [account = '', tag, ...more] = text.split(':');
  if (more.length > 0 || !isValidClassicAddress(account))
    return 'should be an address of the XRP Ledger: `r…` or `r…:tag`';
  if (tag !== undefined && (!/^(0|[1-9]\d{0,9})$/.test(tag) || Number(tag) > MAX_TAG))
    return `should have a destination tag from 0 to ${MAX_TAG}, without leading zeros, after the colon`;
  return undefined;
}

/** Every request names its addresses several times. */
const MAX_REMEMBERED = 10_000;

/** An Ethereum address with its checksum in upper and lower case. `address`: `0x` and 40 lower-case digits. */
export const withChecksum = remember(MAX_REMEMBERED, address => {
  const digits = address.slice(2);
  const hash = keccak_256(digits);
  const isUpper = (index: number) => ((hash[index >> 1]! >> (index % 2 === 0 ? 4 : 0)) & 0xf) > 7;
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`;
});

/** WIRE-6.2: what is odd about the text of a reported hash. Nothing is folded: a node compares it as it stands. */
interface HashOddity {
  what: string;
  /** The hash that was probably meant. Undefined: it cannot be told. */
  shouldBe?: string;
}

const DIGITS = 64;

/** Undefined: a node may know such a hash. */
export function hashOddity(symbol: AssetSymbol, text: string): HashOddity | undefined {
  const isEthereum = symbol === 'ETH';
  if ((isEthereum ? /^0x[0-9a-f]{64}$/i : /^[0-9a-f]{64}$/i).test(text) && !text.startsWith('0X')) return undefined;
  const oddities: string[] = [];
  const note = (isOdd: boolean, what: string) => void (isOdd && oddities.push(what));
  const visible = text.replace(/[\s\p{Cf}]/gu, '');
  note(visible !== text, 'it has a blank, a line break or an invisible character');
  const bare = visible.replace(/^["'`<[(]+|["'`>\]),;.]+$/g, '');
  note(bare !== visible, 'it stands in quotes or brackets');
  const inUrl = /^[a-z]+:\/\/.*?(?:0x)?([0-9a-f]{64})(?![0-9a-f])/i.exec(bare)?.[1];
  note(inUrl !== undefined, 'it is the address of a page');
  const digits = inUrl ?? bare.replace(/^0x/i, '');
  if (inUrl === undefined) {
    note(isEthereum && !/^0x/i.test(bare), 'the `0x` is missing');
    note(isEthereum && bare.startsWith('0X'), 'it begins with `0X`');
    note(!isEthereum && /^0x/i.test(bare), 'it begins with `0x`, which a hash of the XRP Ledger does not');
  }
  const isHex = /^[0-9a-f]*$/i.test(digits);
  note(!isHex, 'it has characters that are no hexadecimal digits');
  note(isHex && digits.length !== DIGITS, `it has ${digits.length} digits, not ${DIGITS}`);
  const what = oddities.join(', and ');
  if (!isHex || digits.length !== DIGITS) return { what };
  return { what, shouldBe: isEthereum ? `0x${digits.toLowerCase()}` : digits.toUpperCase() };
}

/** Prices of one coin in the requests of the sandbox. A real VASP takes them from its market. */
const PRICES: Readonly<Record<string, Record<'KRW' | 'EUR', string>>> = {
  ETH: { KRW: '4000000', EUR: '2600' },
  XRP: { KRW: '800', EUR: '0.52' },
};
const DECIMALS = { KRW: 0, EUR: 2 } as const;

/** REF-2.2: the price of an amount, decimal text. */
export function priceOf(symbol: string, amount: string, currency: 'KRW' | 'EUR'): string {
  const price = PRICES[symbol]?.[currency] ?? '1';
  return isDecimal(amount) ? multiply(amount, price, DECIMALS[currency]) : price;
}

/** In euro every amount exceeds the threshold: the European Union has none. `now`: epoch ms. */
export const priceMembers = (
  symbol: string,
  amount: string,
  now = systemClock.now(),
): Omit<AssetInfo, 'symbol' | 'network' | 'amount'> => ({
  isExceedingThreshold: true,
  tradePrice: priceOf(symbol, amount, 'EUR'),
  tradeCurrency: 'EUR',
  tradeISODatetime: toIso(now),
});

const whole = (min: number, max: number) => z.int().min(min).max(max);
const none = named('NoParameters', 'No parameters.', {});
const hold = named('HoldRequest', {
  on: z.boolean().describe('true: blocks and ledgers stay empty until `false` is sent.'),
});

export const CONTROLS = {
  ETH: {
    mine: named('MineRequest', { blocks: optional(whole(1, 1_000)).describe('Number of empty blocks. Default: 1.') }),
    reorg: named('ReorgRequest', {
      depth: whole(1, 128).describe(
        'Number of the newest blocks that are replaced: at most those since the last start of the program.',
      ),
      moved: optional(z.boolean()).describe(
        'true: the new blocks contain the same transactions. Default: the transactions are lost.',
      ),
    }),
    drop: named('DropRequest', {
      txHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, { error: 'should be a transaction hash' }),
    }),
    hold,
    'fee-spike': named('FeeSpikeRequest', {
      baseFee: z
        .string()
        .regex(/^[1-9]\d{0,18}$/, { error: 'should be decimal text of at most 19 digits: wei per gas' })
        .describe('Base fee of the next block. It shrinks by an eighth with every empty block.'),
    }),
    'start-over': none,
  },
  XRP: {
    close: none,
    hold,
    drop: none,
    delay: named('DelayRequest', {
      closes: whole(1, 1_000).describe('Number of ledgers by which the next submission is late.'),
    }),
    reorder: none,
    'load-factor': named('LoadFactorRequest', {
      factor: whole(1, 1_000_000).describe('Minimum fee = base fee × factor. 1 is the normal load.'),
    }),
    'forget-history': named('ForgetHistoryRequest', {
      upTo: whole(1, 4_294_967_295).describe(
        'Index of the last ledger to delete from the history. What the robot has read last stays.',
      ),
    }),
    'start-over': none,
  },
} as const;
