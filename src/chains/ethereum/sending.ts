import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { Outgoing, OutgoingPayment } from '../payments.ts';
import type { Sender, Sending } from '../port.ts';
import { type Confirmations, finalHeight, headOf, requireBlock } from './blocks.ts';
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
  numbers: account =>
    nodes.ask(async node => {
      const height = await finalOf(node, confirmations);
      const finalized = height < 0 ? 0 : await sequenceAt(node, account, hex(height));
      return { next: await sequenceAt(node, account, 'pending'), finalized, height };
    }),
  findTransactionByNonce: sender =>
    nodes.ask(async node => findTransactionByNonce(node, sender, (await headOf(node)).height)),
  outgoing: (account, sequence, after) =>
    nodes.ask(async node => {
      const final = await finalOf(node, confirmations);
      return outgoing(node, { account, sequence }, { after, final });
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
  return isPrecompile ? `${account} is a contract of the network itself, and nobody can spend what it has` : undefined;
}

const sequenceAt = async (node: EthereumNode, account: string, block: string): Promise<number> =>
  Number(await node.call<string>('eth_getTransactionCount', account, block));

const finalOf = async (node: EthereumNode, confirmations: Confirmations): Promise<number> =>
  finalHeight(node, confirmations, (await headOf(node)).height);

/** Of one part. */
const BLOCKS_AT_ONCE = 64;

async function outgoing(
  node: EthereumNode,
  sender: Sender,
  { after, final }: { after: number; final: number },
): Promise<Outgoing> {
  const before = await blockBefore(node, sender, after, final);
  const upTo = Math.min(before + BLOCKS_AT_ONCE, final);
  const payments: OutgoingPayment[] = [];
  for (let height = before + 1; height <= upTo; height++)
    for (const transaction of ofSender((await requireBlock(node.fullBlock(height), height)).transactions, sender))
      if (Number(transaction.nonce) >= sender.sequence) payments.push(paymentOf(transaction));
  return { payments, upTo };
}

const ofSender = (transactions: readonly BlockTransaction[], { account }: Sender): BlockTransaction[] =>
  transactions.filter(({ from }) => from.toLowerCase() === account);

const paymentOf = (transaction: BlockTransaction): OutgoingPayment => ({
  sequence: Number(transaction.nonce),
  next: Number(transaction.nonce) + 1,
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

/** Some nodes keep the states of about 128 blocks only. */
const STATES_KEPT = 120;

/**
 * A block from `after` on, up to `last`, before which the number is not used: the one just before its use, as far as the
 * node has the states. A node that lags cannot hide a use.
 */
async function blockBefore(
  node: EthereumNode,
  { account, sequence }: Sender,
  after: number,
  last: number,
): Promise<number> {
  const isUsedAt = async (height: number) =>
    Number(await node.ask<string>('eth_getTransactionCount', account, hex(height))) > sequence;
  let [before, at] = [after, last];
  let middle = last - STATES_KEPT;
  try {
    if (at <= before || !(await isUsedAt(at))) return Math.max(before, at);
    while (at - before > 1) {
      if (middle <= before || middle >= at) middle = Math.floor((before + at) / 2);
      if (await isUsedAt(middle)) at = middle;
      else before = middle;
    }
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
  }
  return before;
}

async function findTransactionByNonce(node: EthereumNode, sender: Sender, head: number) {
  const height = (await blockBefore(node, sender, -1, head)) + 1;
  const block = height > head ? null : await node.fullBlock(height);
  const found = ofSender(block?.transactions ?? [], sender);
  return found.find(({ nonce }) => Number(nonce) === sender.sequence)?.hash;
}
