import { Wallet as EthersWallet, parseEther } from 'ethers';
import { Client, type Payment, Wallet as XrplWallet } from 'xrpl';
import { type EthereumNode, startEthereumNode } from '../../src/devnet/ethereum.ts';
import { startXrplLedger, XRPL_DEFAULTS } from '../../src/devnet/xrpl/ledger.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { until } from '../support/until.ts';

/** Transfers per second of the nodes themselves: from one account, signed before, sent at once, until all are final. */

const CHAIN_ID = 31_337;
const STUCK_AFTER_MS = 1_000;

const MAX_ROUNDS = 5;

/** The embedded Ethereum node alone. It gets slower with every account, so it is measured round by round beside ours. */
export interface BareEthereum {
  rate(count: number): Promise<number>;
  close(): Promise<void>;
}

export async function bareEthereum(): Promise<BareEthereum> {
  let node = await startNode();
  return {
    /** The node leaves a transaction in its queue now and then although it is the next one. Then a new node begins anew. */
    async rate(count) {
      for (let n = 0; n < MAX_ROUNDS; n++) {
        const rate = await ethereumRound(node, count);
        if (rate !== undefined) return rate;
        await node.close();
        node = await startNode();
      }
      throw new Error(`the node has left a transaction in its queue in ${MAX_ROUNDS} rounds`);
    },
    close: () => node.close(),
  };
}

const startNode = (): Promise<EthereumNode> =>
  startEthereumNode({ statePath: undefined, chainId: CHAIN_ID, blockTimeSeconds: 0, log: silentLog });

/** Undefined: a transaction stays in the queue. */
async function ethereumRound(node: EthereumNode, count: number): Promise<number | undefined> {
  const rpc = jsonRpc(node.url, 30_000);
  try {
    const wallet = EthersWallet.createRandom();
    await node.fund(wallet.address, parseEther('1000'));
    const signed = await Promise.all(
      Array.from({ length: count }, (_, nonce) =>
        wallet.signTransaction({
          to: freshAddress('ETH'),
          value: parseEther('1.25'),
          nonce,
          chainId: CHAIN_ID,
          type: 2,
          gasLimit: 21_000,
          maxFeePerGas: 10_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        }),
      ),
    );
    const startedAt = performance.now();
    const hashes = await Promise.all(signed.map(bytes => rpc.call<string>('eth_sendRawTransaction', bytes)));
    for (const hash of hashes) if (!(await isMined(rpc, hash))) return undefined;
    return count / ((performance.now() - startedAt) / 1000);
  } finally {
    await rpc.close();
  }
}

/** False: it stays in the queue. */
async function isMined(rpc: JsonRpc, hash: string): Promise<boolean> {
  const askedAt = performance.now();
  let receipt: unknown = null;
  await until(async () => {
    receipt = await rpc.call('eth_getTransactionReceipt', hash);
    return receipt !== null || performance.now() - askedAt > STUCK_AFTER_MS;
  });
  return receipt !== null;
}

export async function ledgerRate(count: number, closeIntervalMs: number): Promise<number> {
  const ledger = await startXrplLedger({
    ...XRPL_DEFAULTS,
    databasePath: ':memory:',
    closeIntervalMs,
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  });
  const client = new Client(ledger.url!);
  try {
    await client.connect();
    const wallet = XrplWallet.generate();
    await ledger.fund(wallet.classicAddress, 1_000_000_000n);
    const filled = (await client.autofill({
      TransactionType: 'Payment',
      Account: wallet.classicAddress,
      Destination: wallet.classicAddress,
      Amount: '1250000',
    })) as Payment;
    const signed = Array.from({ length: count }, (_, i) =>
      wallet.sign({ ...filled, Destination: freshAddress('XRP').split(':')[0]!, Sequence: filled.Sequence! + i }),
    );
    const startedAt = performance.now();
    await Promise.all(signed.map(({ tx_blob }) => client.submit(tx_blob)));
    for (const { hash } of signed)
      await until(async () => (await client.request({ command: 'tx', transaction: hash })).result.validated === true);
    return count / ((performance.now() - startedAt) / 1000);
  } finally {
    await client.disconnect();
    await ledger.close();
  }
}
