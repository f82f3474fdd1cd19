import { ChainUnreachable, type Cursor, type Head } from '../port.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';

interface LedgerResult {
  ledger_hash?: string;
  ledger_index?: number;
  validated?: boolean;
  ledger: { close_time: number };
}

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

export const isAnotherGenesis = (one: string, other: string): boolean =>
  one !== other && one !== NOT_KEPT && other !== NOT_KEPT;
