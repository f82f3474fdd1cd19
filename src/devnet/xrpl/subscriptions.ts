import type { ClosedTransaction } from './close.ts';
import type { Engine } from './engine.ts';
import type { LedgerHeader } from './hash-tree.ts';
import { mentionedAccounts } from './metadata.ts';
import { resultFields } from './results.ts';
import { ctidOf, placeIn, withDelivered, withDeliverMax } from './rpc/transaction-json.ts';
import type { Proposal } from './submission.ts';

/** The streams of `subscribe`. Those about a network of servers never send anything. */
export const STREAMS: ReadonlySet<string> = new Set([
  'book_changes',
  'consensus',
  'ledger',
  'manifests',
  'peer_status',
  'server',
  'transactions',
  'transactions_proposed',
  'validations',
]);

/** A connection with its subscriptions. */
export interface Session {
  apiVersion: 1 | 2;
  readonly streams: Set<string>;
  readonly accounts: Set<string>;
  readonly accountsProposed: Set<string>;
  send(message: object): void;
}

type Message = Record<string, unknown>;
type Sessions = ReadonlySet<Session>;

/**
 * Sends `ledgerClosed`, then that ledger's transactions by position (XRPL-1.4). As on a real server, a subscriber to
 * `transactions` and to an account receives a transaction of that account twice.
 */
export function publish(engine: Engine, sessions: Sessions): void {
  engine.on('closed', ({ header, transactions }) => {
    const message = { type: 'ledgerClosed', ...newestLedger(engine), txn_count: transactions.length };
    for (const session of sessions) if (session.streams.has('ledger')) session.send(message);
    for (const tx of transactions) publishValidated(engine, sessions, header, tx);
  });
  engine.on('proposed', proposal => publishProposed(sessions, proposal));
}

/** The newest ledger, as `subscribe` and the stream `ledger` show it. */
export function newestLedger({ closed, fees, networkId, completeLedgers }: Engine): Message {
  return {
    fee_base: Number(fees.base),
    ledger_hash: closed.hash,
    ledger_index: closed.index,
    ledger_time: closed.closeTime,
    network_id: networkId,
    reserve_base: Number(fees.reserveBase),
    reserve_inc: Number(fees.reserveIncrement),
    validated_ledgers: completeLedgers,
  };
}

function publishValidated(engine: Engine, sessions: Sessions, header: LedgerHeader, tx: ClosedTransaction) {
  const ctid = ctidOf(header.index, tx.position, engine.networkId);
  const message = (apiVersion: 1 | 2): Message => ({
    ...transactionMessage(tx, apiVersion, { date: header.closeTime }),
    ...placeIn(header),
    ...(ctid ? { ctid } : {}),
    meta: withDelivered(tx.meta, tx.json),
    status: 'closed',
    validated: true,
  });
  const render = rendered(message);
  const concerns = (watched: ReadonlySet<string>) => watched.size > 0 && intersect(watched, tx.affected);
  for (const session of sessions) {
    if (session.streams.has('transactions')) session.send(render(session));
    if (session.streams.has('transactions_proposed')) session.send(render(session));
    if (concerns(session.accounts) || concerns(session.accountsProposed)) session.send(render(session));
  }
}

function publishProposed(sessions: Sessions, { tx, result, ledgerIndex }: Proposal): void {
  const mentioned = mentionedAccounts(tx.json);
  const render = rendered(apiVersion => ({
    ...transactionMessage({ ...tx, result }, apiVersion, {}),
    ledger_current_index: ledgerIndex,
    status: 'proposed',
    validated: false,
  }));
  for (const session of sessions) {
    if (session.streams.has('transactions_proposed')) session.send(render(session));
    if (session.accountsProposed.size > 0 && intersect(session.accountsProposed, mentioned))
      session.send(render(session));
  }
}

type Shown = Pick<ClosedTransaction, 'json' | 'hash' | 'result'>;

function transactionMessage({ json, hash, result }: Shown, apiVersion: 1 | 2, place: Message) {
  const shown = { ...withDeliverMax(json, apiVersion), ...place };
  return {
    type: 'transaction',
    ...resultFields(result),
    ...(apiVersion === 1 ? { transaction: { ...shown, hash } } : { tx_json: shown, hash }),
  };
}

/** Builds each version of a message once for all sessions. */
function rendered(make: (apiVersion: 1 | 2) => Message): (session: Session) => Message {
  const made: Partial<Record<1 | 2, Message>> = {};
  return ({ apiVersion }) => {
    made[apiVersion] ??= make(apiVersion);
    return made[apiVersion];
  };
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const item of b) if (a.has(item)) return true;
  return false;
}
