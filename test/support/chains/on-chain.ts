import { randomBytes } from 'node:crypto';
import { Wallet as XrplWallet } from 'xrpl';
import { type AssetSymbol, addressText } from '../../../src/contract/assets.ts';
import { formatUnits } from '../../../src/kernel/decimal.ts';
import type { World } from '../world/world.ts';

/** A ledger as anybody sees it, by JSON-RPC: what really happened. */
export interface Ledger {
  /** Decimal text; '0' where there is no such account. */
  balanceOf(address: string): Promise<string>;
  /** The raw transaction by its hash; undefined: there is none. */
  transaction(hash: string): Promise<Record<string, unknown> | undefined>;
  /** The time of the block that holds the transaction, as messages write it. */
  timeOf(hash: string): Promise<string>;
  /** Grows by one with every transaction of the account that gets into the ledger (nonce, Sequence). */
  sent(address: string): Promise<number>;
  /** One more block. */
  close(): Promise<void>;
}

/** 2000-01-01, in seconds. */
const RIPPLE_EPOCH = 946_684_800;

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T | undefined>;

/** `url` of the JSON-RPC over HTTP. */
export const ledgerAt = (symbol: AssetSymbol, url: string): Ledger =>
  symbol === 'ETH' ? ethereumLedger(rpcAt(url)) : xrpLedger(rpcAt(url));

/** Of a program whose chains are the embedded ones. */
export const embeddedLedger = (symbol: AssetSymbol, url: string): Ledger =>
  ledgerAt(symbol, `${url}/devnet/${symbol === 'ETH' ? 'ethereum' : 'xrpl'}`);

/** The ledger of a world, embedded or given by URL. */
export function ledgerOf({ url, info }: Pick<World, 'url' | 'info'>, symbol: AssetSymbol): Ledger {
  const chain = info.chains.find(each => each.symbol === symbol)!;
  return ledgerAt(symbol, new URL(chain.url, url).href.replace(/^ws/, 'http'));
}

/** An address that nobody has ever paid; on the XRP Ledger with a tag. */
export const freshAddress = (symbol: AssetSymbol): string =>
  symbol === 'ETH' ? addressText(`0x${randomBytes(20).toString('hex')}`) : `${XrplWallet.generate().classicAddress}:77`;

/** Calls of the JSON-RPC at this address. Undefined: no result. */
export const rpcAt =
  (url: string, headers: Record<string, string> = {}): Ask =>
  async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return ((await answer.json()) as { result?: never }).result ?? undefined;
  };

const ethereumLedger = (ask: Ask): Ledger => ({
  balanceOf: async address => formatUnits(BigInt((await ask<string>('eth_getBalance', address, 'latest')) ?? 0), 18),
  transaction: hash => ask('eth_getTransactionByHash', hash),
  async timeOf(hash) {
    const transaction = await ask<{ blockNumber: string }>('eth_getTransactionByHash', hash);
    const block = await ask<{ timestamp: string }>('eth_getBlockByNumber', transaction!.blockNumber, false);
    return new Date(Number(block!.timestamp) * 1000).toISOString();
  },
  sent: async address => Number(await ask<string>('eth_getTransactionCount', address, 'latest')),
  close: async () => void (await ask('anvil_mine', '0x1')),
});

function xrpLedger(ask: Ask): Ledger {
  const account = async (address: string) => {
    const fields = { account: address.split(':')[0], ledger_index: 'validated' };
    const info = await ask<{ account_data?: { Balance: string; Sequence: number } }>('account_info', fields);
    return info?.account_data;
  };
  return {
    balanceOf: async address => formatUnits(BigInt((await account(address))?.Balance ?? 0), 6),
    async transaction(hash) {
      const found = await ask<{ hash?: string }>('tx', { transaction: hash });
      return found?.hash === undefined ? undefined : found;
    },
    async timeOf(hash) {
      const found = await ask<{ date: number }>('tx', { transaction: hash });
      return new Date((found!.date + RIPPLE_EPOCH) * 1000).toISOString();
    },
    sent: async address => (await account(address))?.Sequence ?? 0,
    close: async () => void (await ask('ledger_accept', {})),
  };
}
