import { getAddress, id, isError, JsonRpcProvider, Transaction, Wallet } from 'ethers';
import { CannotPay, type Ledger } from './port.ts';

interface Options {
  url: string;
  secret: string;
  confirmations: number;
}

/** Every customer has an account of its own. */
export function ethereumLedger({ url, secret, confirmations }: Options): Ledger {
  const provider = new JsonRpcProvider(url, undefined, {
    staticNetwork: true,
    cacheTimeout: -1,
    batchMaxCount: 1,
  });
  const wallets = new Map<number, Wallet>();
  const walletOf = (customer: number): Wallet => {
    const wallet = wallets.get(customer) ?? new Wallet(id(`${secret} ETH ${customer}`), provider);
    wallets.set(customer, wallet);
    return wallet;
  };

  async function isFinal(blockNumber: number): Promise<boolean> {
    return (await provider.getBlockNumber()) - blockNumber + 1 >= confirmations;
  }

  return {
    symbol: 'ETH',
    accountOf: customer => walletOf(customer).address,
    balanceOf: customer => provider.getBalance(walletOf(customer).address),
    async sign(customer, to, units) {
      const wallet = walletOf(customer);
      try {
        const bytes = await wallet.signTransaction(
          await wallet.populateTransaction({ to: getAddress(to.toLowerCase()), value: units }),
        );
        return { hash: Transaction.from(bytes).hash!, bytes };
      } catch (error) {
        if (isError(error, 'INSUFFICIENT_FUNDS') || isError(error, 'INVALID_ARGUMENT'))
          throw new CannotPay(error.shortMessage);
        throw error;
      }
    },
    async send({ bytes, hash }) {
      try {
        await provider.broadcastTransaction(bytes);
      } catch (error) {
        // An unclear answer means: sent. Whether it is known decides.
        if (!(await provider.getTransaction(hash))) throw error;
      }
    },
    async statusOf({ hash }) {
      const receipt = await provider.getTransactionReceipt(hash);
      if (!receipt) return 'PROCESSING';
      if (receipt.status === 0) return 'CANCELED';
      return (await isFinal(receipt.blockNumber)) ? 'CONFIRMED' : 'WAIT-CONFIRM';
    },
    async paymentsOf(hash) {
      if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined;
      const receipt = await provider.getTransactionReceipt(hash);
      if (!receipt || !(await isFinal(receipt.blockNumber))) return undefined;
      const transaction = await provider.getTransaction(hash);
      if (!transaction?.to || receipt.status === 0) return [];
      return [{ index: 0, to: transaction.to, units: transaction.value }];
    },
    close: async () => provider.destroy(),
  };
}
