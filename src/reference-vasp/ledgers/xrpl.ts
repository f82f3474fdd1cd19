import { Client, decode, Wallet } from 'xrpl';
import { addressText, splitAddress } from '../../contract/assets.ts';
import { oneAtATime } from '../../kernel/turns.ts';
import { CannotPay, type Ledger, type Payment } from './port.ts';

type Connected = () => Promise<Client>;

/** All customers share one account. The destination tag names the customer. */
export async function xrplLedger(url: string, secret: string): Promise<Ledger> {
  const { connected, close } = await stayConnected(url);
  const wallet = Wallet.fromEntropy(new TextEncoder().encode(secret).slice(0, 16));
  const account = wallet.classicAddress;
  return {
    symbol: 'XRP',
    inTurn: oneAtATime(),
    accountOf: customer => addressText(account, customer + 1),
    async balanceOf() {
      try {
        const { result } = await (await connected()).request({ command: 'account_info', account });
        return BigInt(result.account_data.Balance);
      } catch (error) {
        if ((error as { data?: { error?: string } }).data?.error === 'actNotFound') return 0n;
        throw error;
      }
    },
    head: async () => (await validated(connected)).ledger_index,
    async sign(customer, to, units) {
      const [destination, tag] = splitAddress(to);
      const payment = {
        TransactionType: 'Payment',
        Account: account,
        SourceTag: customer + 1,
        Destination: destination,
        ...(tag === undefined ? {} : { DestinationTag: Number(tag) }),
        Amount: String(units),
      } as const;
      const filled = await (await connected()).autofill(payment).catch((error: Error) => {
        throw error.name === 'ValidationError' ? new CannotPay(error.message) : error;
      });
      const { tx_blob, hash } = wallet.sign(filled);
      return { hash, bytes: tx_blob };
    },
    async send({ bytes }) {
      // The result is preliminary. `statusOf` decides.
      await (await connected()).submit(bytes);
    },
    async statusOf({ hash, bytes }) {
      // Before the search: a ledger that comes later was not searched.
      const isOver = await hasLedgersOf(connected, bytes);
      const found = await lookUp(connected, hash);
      if (found?.validated && typeof found.meta === 'object')
        return found.meta.TransactionResult === 'tesSUCCESS' ? 'CONFIRMED' : 'CANCELED';
      return isOver ? 'CANCELED' : 'PROCESSING';
    },
    async paymentsOf(hash) {
      const found = /^[0-9a-f]{64}$/i.test(hash) ? await lookUp(connected, hash) : undefined;
      if (!found?.validated || typeof found.meta !== 'object') return undefined;
      return found.meta.TransactionResult === 'tesSUCCESS' ? paymentsIn(found) : [];
    },
    close,
  };
}

/** The client of the library gives up when the server is away for a while. */
async function stayConnected(url: string): Promise<{ connected: Connected; close(): Promise<void> }> {
  let client = await connect(url);
  let connecting: Promise<Client> | undefined;
  async function connectAgain(): Promise<Client> {
    client = await connect(url);
    return client;
  }
  return {
    async connected() {
      if (client.isConnected()) return client;
      connecting ??= connectAgain().finally(() => {
        connecting = undefined;
      });
      return connecting;
    },
    close: () => client.disconnect(),
  };
}

async function lookUp(connected: Connected, hash: string) {
  try {
    return (await (await connected()).request({ command: 'tx', transaction: hash })).result;
  } catch (error) {
    if ((error as { data?: { error?: string } }).data?.error === 'txnNotFound') return undefined;
    throw error;
  }
}

/** As the library fills it in. */
const LEDGERS_TO_LIVE = 20;

/** True: the last ledger that could hold the transaction is validated, and the server has it and those before. */
async function hasLedgersOf(connected: Connected, bytes: string): Promise<boolean> {
  const { LastLedgerSequence: last = Number.POSITIVE_INFINITY } = decode(bytes) as { LastLedgerSequence?: number };
  const { info } = (await (await connected()).request({ command: 'server_info' })).result;
  return info.complete_ledgers.split(',').some(range => {
    const [from, to = from] = range.split('-').map(Number);
    return from! <= last - LEDGERS_TO_LIVE && last <= to!;
  });
}

const validated = async (connected: Connected) =>
  (await (await connected()).request({ command: 'ledger', ledger_index: 'validated' })).result;

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  // Without a listener an error of the connection would end the process.
  client.on('error', () => {});
  // After the library has set its timer to connect again: this clears it. While it connects, `disconnect` may never end.
  client.on('disconnected', () => queueMicrotask(() => void client.disconnect()));
  try {
    // As `client.connect()` does, which prints what is wrong with this call, and goes on without its result.
    await client.connection.connect();
    const { info } = (await client.request({ command: 'server_info' })).result;
    client.networkID = info.network_id;
    client.buildVersion = info.build_version;
    return client;
  } catch (error) {
    void client.disconnect();
    throw error;
  }
}

/** `Amount` may be more than what arrived, so `delivered_amount` counts. */
function paymentsIn(found: { tx_json?: unknown; meta?: unknown; ledger_index?: number }): Payment[] {
  const { TransactionType, Destination, DestinationTag } = found.tx_json as {
    TransactionType: string;
    Destination: string;
    DestinationTag?: number;
  };
  const { delivered_amount: delivered } = found.meta as { delivered_amount?: unknown };
  if (TransactionType !== 'Payment' || typeof delivered !== 'string') return [];
  const to = addressText(Destination, DestinationTag);
  return [{ index: 0, height: found.ledger_index ?? 0, to, units: BigInt(delivered) }];
}
