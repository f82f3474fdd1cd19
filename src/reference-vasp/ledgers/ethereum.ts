import { getAddress, id, isError, JsonRpcProvider, Transaction, type TransactionReceipt, Wallet } from 'ethers';
import { oneAtATime } from '../../kernel/turns.ts';
import { CannotPay, type Ledger } from './port.ts';

/** What a payment uses where no contract runs. */
const PLAIN_GAS = 21_000n;

/** A call of a contract, with the calls that it made. */
interface Frame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  error?: string;
  calls?: Frame[];
}

/** A DELEGATECALL and a CALLCODE run the code of `to`, and their value stays where it is. */
const MOVES_VALUE = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/** In order of execution. A call that was reverted moves nothing, and to itself an account moves nothing. */
function transfersIn({ type, from, to, value = '0x0', error, calls = [] }: Frame): { to: string; units: bigint }[] {
  if (error !== undefined) return [];
  const units = MOVES_VALUE.has(type) && to !== from ? BigInt(value) : 0n;
  return [...(units > 0n && to ? [{ to: getAddress(to), units }] : []), ...calls.flatMap(transfersIn)];
}

/** Every customer has an account of its own. */
export function ethereumLedger(url: string, secret: string, confirmations: number): Ledger {
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 });
  const walletOf = (customer: number) => new Wallet(id(`${secret} ETH ${customer}`), provider);
  return {
    symbol: 'ETH',
    inTurn: oneAtATime(),
    accountOf: customer => walletOf(customer).address,
    balanceOf: customer => provider.getBalance(walletOf(customer).address),
    head: () => provider.getBlockNumber(),
    sign: (customer, to, units) => sign(walletOf(customer), to, units),
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
      // Also one that has failed: in another block it may pay.
      if (!(await isFinal(receipt, confirmations))) return 'WAIT-CONFIRM';
      return receipt.status === 0 ? 'CANCELED' : 'CONFIRMED';
    },
    paymentsOf: hash => paymentsOf(provider, confirmations, hash),
    close: async () => provider.destroy(),
  };
}

async function sign(wallet: Wallet, to: string, value: bigint) {
  try {
    const bytes = await wallet.signTransaction(
      await wallet.populateTransaction({ to: getAddress(to.toLowerCase()), value }),
    );
    return { hash: Transaction.from(bytes).hash!, bytes };
  } catch (error) {
    if (isError(error, 'INSUFFICIENT_FUNDS') || isError(error, 'INVALID_ARGUMENT'))
      throw new CannotPay(error.shortMessage);
    throw error;
  }
}

/** The block of the receipt is the first confirmation. */
const isFinal = async (receipt: TransactionReceipt, confirmations: number): Promise<boolean> =>
  confirmations <= 1 || (await receipt.confirmations()) >= confirmations;

async function paymentsOf(provider: JsonRpcProvider, confirmations: number, hash: string) {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined;
  const receipt = await provider.getTransactionReceipt(hash);
  if (!receipt || !(await isFinal(receipt, confirmations))) return undefined;
  if (receipt.status === 0) return [];
  const transaction = await provider.getTransaction(hash);
  if (!transaction) return undefined;
  const { to, value } = transaction;
  const plain = to === null ? [] : [{ to, units: value }];
  const payments = receipt.gasUsed === PLAIN_GAS ? plain : ((await traced(provider, hash)) ?? plain);
  return payments.map((payment, index) => ({ index, height: receipt.blockNumber, ...payment }));
}

/** Undefined: this node does not trace. One that is busy, or away, is asked again: without its answer nothing is judged. */
const traced = (provider: JsonRpcProvider, hash: string) =>
  provider
    .send('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
    .then(transfersIn, (error: { error?: { code?: unknown } }) => {
      if (isError(error, 'UNSUPPORTED_OPERATION') || REFUSES.has(error.error?.code)) return undefined;
      throw error;
    });

/** Codes of JSON-RPC and EIP-1474: the method does not exist, or it is not supported. */
const REFUSES = new Set<unknown>([-32601, -32004]);
