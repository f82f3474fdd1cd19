import { Wallet as EthersWallet, JsonRpcProvider, parseEther, Transaction } from 'ethers';
import { Client, type SubmittableTransaction, Wallet as XrplWallet, xrpToDrops } from 'xrpl';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { until } from '../until.ts';

/** The tested VASP's own money: unmodified clients. One payment at a time. */
export interface Wallet {
  readonly address: string;
  /** Signs a payment of decimal `amount` to `0x…`, `r…` or `r…:tag`. Nobody knows of it before `send`. */
  prepare(to: string, amount: string): Promise<Prepared>;
  /** Prepares and sends; answers the hash when the payment is in the ledger. */
  pay(to: string, amount: string): Promise<string>;
  close(): Promise<void>;
}

export interface Prepared {
  hash: string;
  /** Resolves when it is in the ledger, and has succeeded. */
  send(): Promise<void>;
}

/** The sandbox's own port: where the embedded chains are. */
export const devnetAt = (symbol: AssetSymbol, url: string): string =>
  symbol === 'ETH' ? `${url}/devnet/ethereum` : `${url.replace(/^http/, 'ws')}/devnet/xrpl`;

/** `url`: of the chain's own interface. */
export const openWallet = (symbol: AssetSymbol, url: string): Promise<Wallet> =>
  symbol === 'ETH' ? ethereumWallet(url) : xrplWallet(url);

async function ethereumWallet(url: string): Promise<Wallet> {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 20, cacheTimeout: -1, batchMaxCount: 1 });
  const wallet = EthersWallet.createRandom(provider);
  return withPay(
    wallet.address,
    async () => provider.destroy(),
    async (to, amount) => {
      const filled = await wallet.populateTransaction({ to, value: parseEther(amount) });
      const signed = await wallet.signTransaction(filled);
      return {
        hash: Transaction.from(signed).hash!,
        async send() {
          const { hash } = await provider.broadcastTransaction(signed);
          // `wait` of ethers asks at new blocks, and there is none after a block that came while it began to look.
          const statusOf = async () => (await provider.getTransactionReceipt(hash))?.status;
          await until(async () => (await statusOf()) !== undefined);
          if ((await statusOf()) !== 1) throw new Error(`the payment ${hash} has failed`);
        },
      };
    },
  );
}

async function xrplWallet(url: string): Promise<Wallet> {
  const client = new Client(url);
  await client.connect();
  await client.request({ command: 'subscribe', streams: ['ledger'] });
  const wallet = XrplWallet.generate();
  return withPay(
    wallet.classicAddress,
    () => client.disconnect(),
    async (to, amount) => {
      const [account = '', tag] = to.split(':');
      const payment: SubmittableTransaction = {
        TransactionType: 'Payment',
        Account: wallet.classicAddress,
        Destination: account,
        ...(tag === undefined ? {} : { DestinationTag: Number(tag) }),
        Amount: xrpToDrops(amount),
      };
      const { tx_blob, hash } = wallet.sign(await client.autofill(payment));
      return {
        hash,
        async send() {
          await client.submit(tx_blob);
          const outcome = await outcomeOf(client, hash);
          if (outcome !== 'tesSUCCESS') throw new Error(`the payment ended as ${outcome}`);
        },
      };
    },
  );
}

/** `submitAndWait` would look once a second; this looks whenever a ledger closes. */
async function outcomeOf(client: Client, hash: string): Promise<string> {
  for (;;) {
    const closed = new Promise(resolve => client.once('ledgerClosed', resolve));
    const { result } = await client.request({ command: 'tx', transaction: hash });
    if (result.validated && typeof result.meta === 'object') return result.meta.TransactionResult;
    await closed;
  }
}

const withPay = (
  address: string,
  close: () => Promise<void>,
  prepare: (to: string, amount: string) => Promise<Prepared>,
): Wallet => ({
  address,
  close,
  prepare,
  async pay(to, amount) {
    const { hash, send } = await prepare(to, amount);
    await send();
    return hash;
  },
});
