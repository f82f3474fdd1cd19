import { Wallet as EthersWallet, JsonRpcProvider, NonceManager, parseEther } from 'ethers';
import { Client, Wallet as XrplWallet, xrpToDrops } from 'xrpl';
import type { AssetSymbol } from '../contract/assets.ts';

/** Wallets of the tested VASP: unmodified clients of both ledgers, through the port of the sandbox. */
export interface Wallet {
  readonly symbol: AssetSymbol;
  /** Address in the format of the messages. */
  readonly address: string;
  /** Pays decimal `amount` to `0x…`, `r…` or `r…:tag`; returns the hash when the payment is in the ledger. */
  pay(to: string, amount: string): Promise<string>;
  close(): Promise<void>;
}

/** `url` of the sandbox. */
export async function ethereumWallet(url: string): Promise<Wallet> {
  const provider = new JsonRpcProvider(`${url}/devnet/ethereum`, undefined, {
    pollingInterval: 20,
    cacheTimeout: -1,
    batchMaxCount: 1,
  });
  const wallet = EthersWallet.createRandom(provider);
  const signer = new NonceManager(wallet);
  return {
    symbol: 'ETH',
    address: wallet.address,
    async pay(to, amount) {
      const sent = await signer.sendTransaction({ to, value: parseEther(amount) });
      await sent.wait();
      return sent.hash;
    },
    close: async () => provider.destroy(),
  };
}

/** `url` of the sandbox. */
export async function xrplWallet(url: string): Promise<Wallet> {
  const client = new Client(`${url.replace(/^http/, 'ws')}/devnet/xrpl`);
  await client.connect();
  const wallet = XrplWallet.generate();
  return {
    symbol: 'XRP',
    address: wallet.classicAddress,
    async pay(to, amount) {
      const [account = '', tag] = to.split(':');
      const payment = {
        TransactionType: 'Payment',
        Account: wallet.classicAddress,
        Destination: account,
        ...(tag === undefined ? {} : { DestinationTag: Number(tag) }),
        Amount: xrpToDrops(amount),
      } as const;
      const { result } = await client.submitAndWait(payment, { autofill: true, wallet });
      const outcome = typeof result.meta === 'object' ? result.meta.TransactionResult : undefined;
      if (outcome !== 'tesSUCCESS') throw new Error(`the payment ended as ${outcome}`);
      return result.hash;
    },
    close: () => client.disconnect(),
  };
}
