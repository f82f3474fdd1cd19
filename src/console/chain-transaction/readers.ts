import { type Answer, type Client, Refused } from '../../client/client.ts';
import { ASSETS, type AssetSymbol, addressText } from '../../contract/assets.ts';
import { formatUnits } from '../../kernel/decimal.ts';

/** A transaction as the embedded chain's own API answers it. */
export interface ChainTransaction {
  outcome: 'WAITING' | 'SUCCEEDED' | 'FAILED';
  code?: string | undefined;
  height: number | undefined;
  from: string;
  to: string | undefined;
  /** Decimal text. */
  amount: string | undefined;
  fee: string | undefined;
  /** The unchanged answers. */
  raw: Record<string, unknown>;
}

/** Undefined: unknown transaction. Throws `Refused` when the chain does not answer. */
export const READERS: Record<
  AssetSymbol,
  (api: Client, url: string, txHash: string) => Promise<ChainTransaction | undefined>
> = { ETH: readEthereum, XRP: readXrpl };

interface EthereumTransaction {
  from: string;
  to: string | null;
  value: string;
}
interface EthereumReceipt {
  status: string;
  blockNumber: string;
  gasUsed: string;
  effectiveGasPrice: string;
}

async function readEthereum(api: Client, url: string, txHash: string): Promise<ChainTransaction | undefined> {
  const ask = <T>(method: string) => resultOf<T | null>(api, url, { jsonrpc: '2.0', id: 1, method, params: [txHash] });
  const [transaction, receipt] = await Promise.all([
    ask<EthereumTransaction>('eth_getTransactionByHash'),
    ask<EthereumReceipt>('eth_getTransactionReceipt'),
  ]);
  if (!transaction) return undefined;
  const { decimals } = ASSETS.ETH;
  return {
    outcome: !receipt ? 'WAITING' : receipt.status === '0x1' ? 'SUCCEEDED' : 'FAILED',
    height: receipt ? Number(receipt.blockNumber) : undefined,
    from: addressText(transaction.from),
    to: transaction.to === null ? undefined : addressText(transaction.to),
    amount: formatUnits(BigInt(transaction.value), decimals),
    fee: receipt ? formatUnits(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice), decimals) : undefined,
    raw: { transaction, receipt },
  };
}

interface XrplTransaction {
  hash?: string;
  Account: string;
  Destination?: string;
  DestinationTag?: number;
  Fee: string;
  validated?: boolean;
  ledger_index?: number;
  meta?: { TransactionResult: string; delivered_amount?: unknown };
}

async function readXrpl(api: Client, url: string, txHash: string): Promise<ChainTransaction | undefined> {
  const body = { method: 'tx', params: [{ transaction: txHash }] };
  const result = await resultOf<XrplTransaction>(api, url, body);
  if (result?.hash === undefined) return undefined;
  const { decimals } = ASSETS.XRP;
  const { meta, Destination: to, DestinationTag: tag } = result;
  const delivered = meta?.delivered_amount;
  const hasSucceeded = meta?.TransactionResult === 'tesSUCCESS';
  return {
    outcome: !result.validated ? 'WAITING' : hasSucceeded ? 'SUCCEEDED' : 'FAILED',
    code: meta?.TransactionResult,
    height: result.ledger_index,
    from: result.Account,
    to: to && addressText(to, tag),
    amount: typeof delivered === 'string' ? formatUnits(BigInt(delivered), decimals) : undefined,
    fee: formatUnits(BigInt(result.Fee), decimals),
    raw: { ...result },
  };
}

async function resultOf<T>(api: Client, url: string, body: object): Promise<T | undefined> {
  const answer = await api.call<{ result?: T }>('POST', url, body);
  if (answer.status !== 200) throw new Refused(`POST ${url}`, answer as Answer<never>);
  return answer.body.result;
}
