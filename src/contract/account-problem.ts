import { isValidClassicAddress } from 'ripple-address-codec';
import type { AssetSymbol } from './assets.ts';
import { withChecksum } from './eip55.ts';

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
