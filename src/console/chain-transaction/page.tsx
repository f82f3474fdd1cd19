import { type Answer, type Client, type Info, Refused } from '../../client/client.ts';
import { ASSETS, type AssetSymbol, addressText, isAssetSymbol } from '../../contract/assets.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { Json } from '../components/json.tsx';
import { Copyable, DefinitionList, Empty, Paragraph } from '../components/text.tsx';
import { Badge, VerificationLink } from '../components/values.tsx';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';

type Chain = Info['chains'][number];

export const chainTransaction: Page = {
  path: '/chain/:symbol/:txHash',
  title: 'Transaction on chain',
  parent: '/chains',
  servedBy: 'robot',
  isLive: true,
  async render({ api, params: { symbol = '', txHash = '' }, origin, texts }) {
    const chain = (await api.info()).chains.find(each => each.symbol === symbol);
    if (!chain || !isAssetSymbol(symbol)) return <Empty of={texts.chainTransaction.noChain} with={{ symbol }} />;
    const found = chain.embedded ? await READERS[symbol](api, chain.url, txHash) : undefined;
    const { verifications } = found ? await api.verifications({ search: txHash }) : { verifications: [] };
    return (
      <>
        <p class="hash">
          <Copyable text={txHash} />
        </p>
        {found ? (
          <Found of={found} symbol={symbol} namedBy={verifications.filter(each => isSame(each.txHash, txHash))} />
        ) : null}
        {!found && chain.embedded ? <Empty of={texts.chainTransaction.unknown} with={{ chain: chain.name }} /> : null}
        <Source chain={chain} origin={origin} txHash={txHash} />
        {found ? <Json of={found.raw} /> : null}
      </>
    );
  },
};

interface Found {
  of: ChainTransaction;
  symbol: string;
  /** The verifications that name it. */
  namedBy: readonly { verificationUuid: string }[];
}

const Found = ({ of: { outcome, code, height, from, to, amount, fee }, symbol, namedBy }: Found) => {
  const { chainTransaction: texts, verification, callback, pages } = useTexts();
  return (
    <DefinitionList
      of={[
        [
          texts.outcome,
          <>
            <Badge of={outcome} /> {code}
          </>,
        ],
        [texts.block, height ?? callback.noneYet],
        [verification.from, <Copyable text={from} />],
        [verification.to, to && <Copyable text={to} />],
        [verification.amount, amount && `${amount} ${symbol}`],
        [texts.fee, fee && `${fee} ${symbol}`],
        [
          pages.Verification,
          namedBy.length === 0 ? undefined : namedBy.map(each => <VerificationLink uuid={each.verificationUuid} />),
        ],
      ]}
    />
  );
};

const isSame = (hash: string | null, other: string): boolean => hash?.toLowerCase() === other.toLowerCase();

const Source = ({ chain, origin, txHash }: { chain: Chain; origin: string; txHash: string }) => {
  const texts = useTexts().chainTransaction;
  const { embedded, name, network, url, explorer } = chain;
  const page = explorer?.replace('{hash}', encodeURIComponent(txHash));
  const values = {
    chain: name,
    network,
    address: <Copyable text={embedded ? origin + url : url} />,
    explorer: page ? <a href={page}>{texts.explorer}</a> : texts.explorer,
  };
  return <Paragraph of={embedded ? texts.source : texts.outside} with={values} />;
};

/** A transaction as the embedded chain's own API answers it. */
interface ChainTransaction {
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
  const ask = <T,>(method: string) => resultOf<T | null>(api, url, { jsonrpc: '2.0', id: 1, method, params: [txHash] });
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
