import type { LedgerResponse } from 'xrpl';
import {
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type Head,
  type IncomingPage,
  type IncomingTransfer,
} from '../port.ts';
import { type AccountEntry, deliveriesOf, readAccount } from './account.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';

const LEDGERS_PER_STEP = 2_000;
/** Behind a load balancer the newest ledger may go back by this many. */
const LAG = 16;

export async function readIncoming(
  connection: XrplConnection,
  cursor: Cursor | null,
  accounts: ReadonlySet<string>,
): Promise<{ page: IncomingPage; head: Head }> {
  const head = await validatedLedger(connection);
  if (!cursor) {
    const { height, hash } = head;
    const page = { transfers: [], cursor: { height, hash, genesis: await genesisOf(connection) }, caughtUp: true };
    return { page, head };
  }
  if (await isAtHead(connection, cursor, head)) return { page: { transfers: [], cursor, caughtUp: true }, head };

  const last = Math.min(head.height, cursor.height + LEDGERS_PER_STEP);
  const range = { ledger_index_min: cursor.height + 1, ledger_index_max: last };
  const transfers: IncomingTransfer[] = [];
  for (const account of accounts)
    for (const entry of await readAccount(connection, account, range)) transfers.push(...transfersOf(entry, account));
  const end = last === head.height ? head : await ledgerAt(connection, last);
  if (!end) throw new ChainUnreachable(`the server does not have ledger ${last}`);
  const page = {
    transfers: transfers.sort((one, other) => one.height - other.height),
    cursor: { height: end.height, hash: end.hash, genesis: cursor.genesis },
    caughtUp: last === head.height,
  };
  return { page, head };
}

/** Also checks that the cursor belongs to this chain: validated ledgers are never replaced. */
async function isAtHead(connection: XrplConnection, cursor: Cursor, head: Head): Promise<boolean> {
  if (cursor.height > head.height) {
    if (isAnotherGenesis(cursor.genesis, await genesisOf(connection)))
      throw new ChainReset('the ledger has another beginning');
    if (cursor.height - head.height > LAG)
      throw new ChainReset(`the newest ledger is ${head.height}, far before ${cursor.height}`);
    return true;
  }
  const read = cursor.height === head.height ? head : await ledgerAt(connection, cursor.height);
  if (!read) throw new ChainUnreachable(`the server does not have ledger ${cursor.height}, ${NONE_SKIPPED}`);
  if (read.hash !== cursor.hash) throw new ChainReset(`ledger ${cursor.height} is another one`);
  return cursor.height === head.height;
}

/** A server deletes old ledgers, and the robot was stopped for longer. */
const NONE_SKIPPED =
  'which was read last, and none may be skipped: start once with an XRPL_URL whose server still has it';

function transfersOf(entry: AccountEntry, account: string): IncomingTransfer[] {
  if (entry.validated !== true) return [];
  return deliveriesOf(entry.tx_json, entry.meta ?? {})
    .filter(({ to }) => to.account === account)
    .map(delivery => ({
      ...delivery,
      txHash: entry.hash,
      height: entry.ledger_index,
      blockHash: entry.ledger_hash,
      at: Date.parse(entry.close_time_iso),
      final: true,
    }));
}

type LedgerResult = Partial<LedgerResponse['result']> & Pick<LedgerResponse['result'], 'ledger'>;

const RIPPLE_EPOCH_SECONDS = 946_684_800;

const epochMs = (rippleSeconds: number): number => (rippleSeconds + RIPPLE_EPOCH_SECONDS) * 1000;

/** A validated ledger; undefined: the server does not have it. */
export async function ledgerAt(connection: XrplConnection, which: number | 'validated'): Promise<Head | undefined> {
  try {
    const result = await connection.request<LedgerResult>('ledger', { ledger_index: which }, ['lgrNotFound']);
    if (!result.validated || !result.ledger_hash || !result.ledger_index) return undefined;
    return { height: result.ledger_index, hash: result.ledger_hash, at: epochMs(result.ledger.close_time) };
  } catch (error) {
    if (error instanceof XrplRefusal) return undefined;
    throw error;
  }
}

export async function validatedLedger(connection: XrplConnection): Promise<Head> {
  const ledger = await ledgerAt(connection, 'validated');
  if (!ledger) throw new ChainUnreachable('the server has no validated ledger');
  return ledger;
}

/** Ledger 1 is equal on every stand-alone network; ledger 2 carries the time of the start. */
const FIRST_DISTINCT_LEDGER = 2;
const NOT_KEPT = 'ledger 2 is not kept';

/** Hash of ledger 2. Servers of a long-lived network no longer have it: all of them give the same text instead. */
export async function genesisOf(connection: XrplConnection): Promise<string> {
  return (await ledgerAt(connection, FIRST_DISTINCT_LEDGER))?.hash ?? NOT_KEPT;
}

/** A ledger up to this length is read from its beginning. */
const SHORT_CHAIN_LEDGERS = 1_000;

export async function beginningOf(connection: XrplConnection): Promise<Cursor> {
  const head = await validatedLedger(connection);
  const first = await ledgerAt(connection, FIRST_DISTINCT_LEDGER);
  const start = first && head.height <= SHORT_CHAIN_LEDGERS ? first : head;
  return { height: start.height, hash: start.hash, genesis: first?.hash ?? NOT_KEPT };
}

const isAnotherGenesis = (one: string, other: string): boolean =>
  one !== other && one !== NOT_KEPT && other !== NOT_KEPT;
