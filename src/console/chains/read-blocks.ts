import type { Client } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Block } from '../pictures/last-blocks.tsx';

const SHOWN = 6;

/** The last blocks of an embedded chain, oldest first, and its pool. None while it does not answer. */
export const readBlocks = (api: Client, symbol: AssetSymbol, url: string, head: number): Promise<Block[]> =>
  READERS[symbol](api, url, heights(head));

const heights = (head: number): number[] =>
  Array.from({ length: SHOWN }, (_, index) => head - SHOWN + 1 + index).filter(height => height >= 0);

const READERS: Record<AssetSymbol, (api: Client, url: string, heights: number[]) => Promise<Block[]>> = {
  async ETH(api, url, wanted) {
    const calls = [...wanted.map(height => `0x${height.toString(16)}`), 'pending'].map((block, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBlockByNumber',
      params: [block, false],
    }));
    const { body } = await api.call<{ id: number; result?: EthereumBlock | null }[]>('POST', url, calls);
    if (!Array.isArray(body)) return [];
    return body
      .sort((a, b) => a.id - b.id)
      .flatMap(({ id, result }) => {
        if (!result) return [];
        const height = wanted[id];
        const at = height === undefined ? null : new Date(Number(result.timestamp) * 1000).toISOString();
        return [{ height: height ?? null, at, hashes: result.transactions }];
      });
  },
  async XRP(api, url, wanted) {
    const ledgers = await Promise.all(
      wanted.map(async height => {
        const body = { method: 'ledger', params: [{ ledger_index: height, transactions: true }] };
        const answer = await api.call<{ result?: { ledger?: XrplLedger } }>('POST', url, body);
        const ledger = answer.body?.result?.ledger;
        return ledger && { height, at: ledger.close_time_iso ?? null, hashes: ledger.transactions ?? [] };
      }),
    );
    return ledgers.filter(each => each !== undefined);
  },
};

interface EthereumBlock {
  timestamp: string;
  transactions: string[];
}
interface XrplLedger {
  close_time_iso?: string;
  transactions?: string[];
}
