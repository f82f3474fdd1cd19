import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { OutgoingPayment } from '../payments.ts';
import type { Sender, Sending } from '../port.ts';
import { type Confirmations, finalHeight, headOf } from './blocks.ts';
import { broadcastEthereum } from './broadcast.ts';
import { type Market, partsOf, quoteFee } from './fees.ts';
import { type BlockTransaction, type EthereumNode, hex } from './node.ts';
import type { EthereumNodes } from './nodes.ts';
import type { EthereumWallet } from './wallet.ts';

interface SendingNode {
  node: EthereumNode;
  market(): Promise<Market>;
}

/** `feeCap`: of a bid, in wei per gas. */
export const ethereumSending = (
  nodes: EthereumNodes<SendingNode>,
  own: EthereumWallet,
  confirmations: Confirmations,
  feeCap: bigint,
): Sending => ({
  balanceOf: account =>
    nodes.ask(async node => {
      const total = BigInt(await node.call<string>('eth_getBalance', account, 'latest'));
      return { total, spendable: total };
    }),
  nextSequence: account => nodes.ask(node => sequenceAt(node, account, 'pending')),
  finalizedSequence: account =>
    nodes.ask(async node => {
      const { final } = await headAndFinal(node, confirmations);
      return final < 0 ? 0 : sequenceAt(node, account, hex(final));
    }),
  findTransactionByNonce: (sender, upTo = 'final') =>
    nodes.ask(async node => {
      const { head, final } = await headAndFinal(node, confirmations);
      return findTransactionByNonce(node, sender, { head, last: upTo === 'head' ? head : final });
    }),
  outgoing: (account, fromSequence, after) =>
    nodes.ask(async node => {
      const { final } = await headAndFinal(node, confirmations);
      return outgoing(node, { account, fromSequence, after }, final);
    }),
  quoteFee: (payment, replaced) =>
    nodes.decide(({ node, market }) => quoteFee(node, market(), feeCap, payment, replaced)),
  whyUnpayable: async ({ account }) => precompileText(account),
  isFor: () => true,
  costOf: fee => partsOf(fee).maxFeePerGas * partsOf(fee).gasLimit,
  sign: own.sign,
  broadcast: bytes => nodes.ask(node => broadcastEthereum(node, bytes)),
});

/** Up to the newest rules of the network: the contracts 1 to 17, and 256. */
const LAST_PRECOMPILES = [0x11n, 0x100n] as const;

/** D-49: money that is sent to such a contract is lost, and some of them refuse it. */
function precompileText(account: string): string | undefined {
  const address = BigInt(account);
  const [last, beside] = LAST_PRECOMPILES;
  const isPrecompile = (address > 0n && address <= last) || address === beside;
  return isPrecompile
    ? `${account} is a contract of the network itself, and nobody can spend what it has`
    : undefined;
}

const sequenceAt = async (node: EthereumNode, account: string, block: string): Promise<number> =>
  Number(await node.call<string>('eth_getTransactionCount', account, block));

/** Heights. */
async function headAndFinal(node: EthereumNode, confirmations: Confirmations) {
  const { height: head } = await headOf(node);
  return { head, final: await finalHeight(node, confirmations, head) };
}

/** Blocks that are read without a known beginning. */
const REACH = 120;

/** Transactions of `account` in the blocks after `after`, up to `final`. */
export async function outgoing(
  node: EthereumNode,
  { account, fromSequence, after }: { account: string; fromSequence: number; after: number | undefined },
  final: number,
): Promise<OutgoingPayment[]> {
  const found: OutgoingPayment[] = [];
  for (let height = Math.max(after ?? final - REACH, -1) + 1; height <= final; height++) {
    const block = await node.fullBlock(height);
    for (const transaction of block?.transactions ?? [])
      if (transaction.from.toLowerCase() === account && Number(transaction.nonce) >= fromSequence)
        found.push(paymentOf(transaction));
  }
  return found;
}

const paymentOf = (transaction: BlockTransaction): OutgoingPayment => ({
  sequence: Number(transaction.nonce),
  hash: transaction.hash,
  to: { account: transaction.to?.toLowerCase() ?? '' },
  amount: BigInt(transaction.value),
  fee: {
    gasLimit: String(BigInt(transaction.gas)),
    ...(transaction.maxFeePerGas === undefined
      ? { gasPrice: String(BigInt(transaction.gasPrice ?? 0)) }
      : {
          maxFeePerGas: String(BigInt(transaction.maxFeePerGas)),
          maxPriorityFeePerGas: String(BigInt(transaction.maxPriorityFeePerGas ?? 0)),
        }),
  },
});

/** Nodes keep the states of about 128 blocks; nothing is proven before them. */
const STATES_KEPT = 120;

/**
 * Hash of the transaction with this nonce in a block up to `last`. Searches the block in which the account's
 * transaction count passes the nonce, so a lagging node cannot hide it. Undefined: not found.
 */
export async function findTransactionByNonce(
  node: EthereumNode,
  { account, sequence }: Sender,
  { head, last }: { head: number; last: number },
): Promise<string | undefined> {
  const isUsedAt = async (height: number) =>
    Number(await node.ask<string>('eth_getTransactionCount', account, hex(height))) > sequence;
  let [before, at] = [Math.max(head - STATES_KEPT, 0), last];
  try {
    if (at <= before || !(await isUsedAt(at)) || (await isUsedAt(before))) return undefined;
    while (at - before > 1) {
      const middle = Math.floor((before + at) / 2);
      if (await isUsedAt(middle)) at = middle;
      else before = middle;
    }
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
  const block = await node.fullBlock(at);
  const transaction = block?.transactions.find(
    transaction => transaction.from.toLowerCase() === account && Number(transaction.nonce) === sequence,
  );
  return transaction?.hash;
}
