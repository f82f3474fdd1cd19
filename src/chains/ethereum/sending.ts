import type { Sending } from '../port.ts';
import { broadcastEthereum } from './broadcast.ts';
import { type Market, partsOf, quoteFee } from './fees.ts';
import { type Confirmations, finalHeight, headOf } from './finality.ts';
import { findTransactionByNonce } from './find-transaction-by-nonce.ts';
import { type EthereumNode, hex } from './node.ts';
import type { EthereumNodes } from './nodes.ts';
import { outgoing } from './outgoing.ts';
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
  whyUnpayable: async () => undefined,
  isFor: () => true,
  costOf: fee => partsOf(fee).maxFeePerGas * partsOf(fee).gasLimit,
  sign: own.sign,
  broadcast: bytes => nodes.ask(node => broadcastEthereum(node, bytes)),
});

const sequenceAt = async (node: EthereumNode, account: string, block: string): Promise<number> =>
  Number(await node.call<string>('eth_getTransactionCount', account, block));

/** Heights. */
async function headAndFinal(node: EthereumNode, confirmations: Confirmations) {
  const { height: head } = await headOf(node);
  return { head, final: await finalHeight(node, confirmations, head) };
}
