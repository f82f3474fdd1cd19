import { setTimeout as delay } from 'node:timers/promises';
import { Wallet as EthWallet, getAddress, JsonRpcProvider, keccak256, Transaction, toUtf8Bytes } from 'ethers';
import { Client, Wallet as XrpWallet } from 'xrpl';

/** What the independent VASP sees of its two ledgers, in units. */
export interface Ledger {
  accountOf(index: number): string;
  /** Bytes that wait, and their hash. */
  sign(
    index: number,
    to: string,
    units: bigint,
    how?: Signing,
  ): Promise<{ hash: string; nonce?: number; send(): Promise<void> }>;
  /** In a block, or waiting for one. */
  knows(hash: string): Promise<boolean>;
  /** Undefined: in no block. */
  mined(hash: string): Promise<Mined | undefined>;
  head(): Promise<number>;
  /** Payments that are there already are not new any more, except those of the newest blocks of Ethereum. */
  skip(exceptNewest?: number): Promise<void>;
  /** New payments to the VASP since the last call. */
  incoming(confirmations?: number): Promise<(Mined & { hash: string })[]>;
  close(): Promise<void>;
}

/**
 * `latest`: only what a block holds counts for its number. `plain`: with the gas of a payment to an account without code.
 * `blind`: with a gas of its own where the node refuses the estimate. A number: in place of the payment with this nonce, for twice the fee.
 */
export type Signing = 'latest' | 'plain' | 'blind' | number | undefined;

export interface Mined {
  /** Of Ethereum. */
  block?: string;
  height: number;
  isFailed: boolean;
  from?: string;
  to: string;
  units: bigint;
  /** An event that a contract has written. */
  token?: { to: string; units: bigint };
}

export interface Payment {
  hash: string;
  symbol: string;
  nonce?: number | undefined;
  isSent: boolean;
  wasMined?: boolean;
  /** Only one of the two gets into a block. */
  replaces?: Payment;
}

export function ethereum(url: string, seed: string): Ledger {
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 });
  const wallets = new Map<number, EthWallet>();
  const walletOf = (index: number) => {
    const wallet = wallets.get(index) ?? new EthWallet(keccak256(toUtf8Bytes(`${seed}/${index}`)), provider);
    wallets.set(index, wallet);
    return wallet;
  };
  let next: number | undefined;
  const paymentIn = (transaction: { from: string; to: string | null; value: bigint }) => ({
    from: transaction.from,
    to: transaction.to ?? '',
    units: transaction.value,
  });
  return {
    accountOf: index => walletOf(index).address,
    async sign(index, to, units, how) {
      const wallet = walletOf(index);
      const fixed = {
        ...(how === 'latest' ? { nonce: await wallet.getNonce('latest') } : {}),
        ...(typeof how === 'number' ? { nonce: how } : {}),
        ...(how === 'plain' ? { gasLimit: 21_000n } : {}),
      };
      const order = { to: to.toLowerCase(), value: units, ...fixed };
      const filled = await wallet.populateTransaction(order).catch(error => {
        if (how !== 'blind') throw error;
        return wallet.populateTransaction({ ...order, gasLimit: 100_000n });
      });
      if (typeof how === 'number') {
        filled.maxFeePerGas = BigInt(filled.maxFeePerGas!) * 2n;
        filled.maxPriorityFeePerGas = BigInt(filled.maxPriorityFeePerGas!) * 2n;
      }
      const bytes = await wallet.signTransaction(filled);
      return {
        hash: Transaction.from(bytes).hash!,
        nonce: filled.nonce!,
        send: async () => void (await provider.broadcastTransaction(bytes)),
      };
    },
    knows: async hash => (await provider.getTransaction(hash)) !== null,
    async mined(hash) {
      const receipt = await provider.getTransactionReceipt(hash);
      const transaction = receipt && (await provider.getTransaction(hash));
      const [event] = receipt?.logs ?? [];
      const token = event && { to: getAddress(`0x${event.topics[2]!.slice(26)}`), units: BigInt(event.data) };
      return transaction
        ? {
            block: receipt.blockHash,
            height: receipt.blockNumber,
            isFailed: receipt.status === 0,
            ...paymentIn(transaction),
            ...(token ? { token } : {}),
          }
        : undefined;
    },
    head: () => provider.getBlockNumber(),
    async skip(exceptNewest = 0) {
      next = (await provider.getBlockNumber()) + 1 - exceptNewest;
    },
    async incoming(confirmations = 1) {
      const head = (await provider.getBlockNumber()) - confirmations + 1;
      const from = next ?? head + 1;
      const own = new Set([...wallets.values()].map(({ address }) => address));
      const found = [];
      const numbers = Array.from({ length: Math.max(head - from + 1, 0) }, (_, index) => from + index);
      for (const block of await Promise.all(numbers.map(number => provider.getBlock(number, true)))) {
        for (const transaction of block?.prefetchedTransactions ?? [])
          if (own.has(transaction.to ?? '')) {
            const receipt = await provider.getTransactionReceipt(transaction.hash);
            found.push({
              hash: transaction.hash,
              ...(block?.hash ? { block: block.hash } : {}),
              height: block?.number ?? 0,
              ...paymentIn(transaction),
              isFailed: receipt?.status === 0,
            });
          }
      }
      next = Math.max(from, head + 1);
      return found;
    },
    close: async () => provider.destroy(),
  };
}

const CONNECTS_MS = 50;
const MAX_TRIES = 20;

/**
 * A new client for each connection. The library connects a client again by itself after a moment, and for that it closes a
 * connection that is there already: the calls that wait on it would be lost.
 */
async function stayConnected(url: string) {
  let client = await connect(url);
  let connecting: Promise<Client> | undefined;
  async function connectAgain(): Promise<Client> {
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      const found = await connect(url).catch(() => delay(CONNECTS_MS));
      if (found) return found;
    }
    return connect(url);
  }
  return {
    async connected(): Promise<Client> {
      if (client.isConnected()) return client;
      connecting ??= connectAgain().finally(() => {
        connecting = undefined;
      });
      client = await connecting;
      return client;
    },
    close: () => client.disconnect(),
  };
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => {});
  // It ends the timer of the library, which is set after this event.
  client.on('disconnected', () => queueMicrotask(() => void client.disconnect()));
  await client.connect();
  return client;
}

/** Any other error is one of the node. */
const unlessIs =
  (...names: string[]) =>
  (error: { data?: { error?: string } }): undefined => {
    if (!names.includes(error.data?.error ?? '')) throw error;
  };

interface XrpEntry {
  hash?: string;
  validated?: boolean;
  ledger_index?: number;
  tx_json?: {
    Account?: string;
    Destination?: string;
    DestinationTag?: number;
    DeliverMax?: unknown;
    ledger_index?: number;
  };
  meta?: { TransactionResult: string; delivered_amount?: unknown };
}

export async function xrpLedger(url: string, seed: string): Promise<Ledger> {
  const { connected, close } = await stayConnected(url);
  const wallet = XrpWallet.fromEntropy(Buffer.from(keccak256(toUtf8Bytes(seed)).slice(2, 34), 'hex'));
  const account = wallet.classicAddress;
  const paymentIn = ({ tx_json: tx = {}, meta, ledger_index: height = 0 }: XrpEntry) => {
    const { Account: from = '', Destination = '', DestinationTag, DeliverMax } = tx;
    const isFailed = meta?.TransactionResult !== 'tesSUCCESS';
    const amount = isFailed ? DeliverMax : meta?.delivered_amount;
    return {
      height,
      from,
      to: DestinationTag === undefined ? Destination : `${Destination}:${DestinationTag}`,
      units: typeof amount === 'string' ? BigInt(amount) : 0n,
      isFailed,
    };
  };
  async function lookUp(hash: string): Promise<XrpEntry | undefined> {
    const found = await (await connected())
      .request({ command: 'tx', transaction: hash })
      .catch(unlessIs('txnNotFound', 'notImpl', 'invalidParams'));
    return found?.result as XrpEntry | undefined;
  }
  const seen = new Set<string>();
  /** The last ledger that was read. */
  let readTo = -1;
  async function incoming() {
    const found = await (await connected())
      .request({ command: 'account_tx', account, ledger_index_min: readTo, limit: 30 })
      .catch(unlessIs('actNotFound'));
    readTo = found?.result.ledger_index_max ?? readTo;
    const entries = ((found?.result.transactions ?? []) as XrpEntry[]).filter(
      ({ hash = '', validated, tx_json }) => validated && tx_json?.Destination === account && !seen.has(hash),
    );
    for (const { hash = '' } of entries) seen.add(hash);
    return entries.map(each => ({ hash: each.hash!, ...paymentIn(each) }));
  }
  return {
    accountOf: index => `${account}:${index + 11}`,
    async sign(index, to, units, how) {
      const [Destination = '', tag] = to.split(':');
      const order = { command: 'account_info', account, ledger_index: 'validated' } as const;
      const validated = how === 'latest' ? (await (await connected()).request(order)).result : undefined;
      const filled = await (await connected()).autofill({
        TransactionType: 'Payment',
        Account: account,
        SourceTag: index + 11,
        Destination,
        ...(tag === undefined ? {} : { DestinationTag: Number(tag) }),
        Amount: String(units),
        ...(validated ? { Sequence: validated.account_data.Sequence } : {}),
      });
      const { tx_blob, hash } = wallet.sign(filled);
      return { hash, send: async () => void (await (await connected()).submit(tx_blob)) };
    },
    async mined(hash) {
      const found = await lookUp(hash);
      return found?.validated ? paymentIn(found) : undefined;
    },
    knows: async hash => (await lookUp(hash)) !== undefined,
    incoming,
    async head() {
      const { result } = await (await connected()).request({ command: 'ledger', ledger_index: 'validated' });
      return result.ledger_index;
    },
    async skip() {
      while (!(await incoming().catch(() => undefined))) await delay(CONNECTS_MS);
    },
    close,
  };
}
