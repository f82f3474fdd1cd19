import type { VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { Store } from '../store.ts';

/** OPEN: the money is awaited. */
export type DepositState = 'OPEN' | 'NOT-VERIFIED' | 'CREDITED' | 'CANCELED';
export interface Deposit {
  readonly uuid: string;
  readonly state: DepositState;
  readonly request: VaspVerifyUserRequest;
  readonly answer: VaspVerifyUserAnswer;
  /** Id of the customer. Null: the address belongs to nobody. */
  readonly customer: string | null;
  /** Epoch ms. */
  readonly inquireAt: number;
  readonly inquireUntil: number;
}

/** A transaction that the originating VASP has named, by report or by status answer. */
export interface NamedTransaction {
  readonly uuid: string;
  readonly hash: string;
  readonly vout: string | null;
  readonly state: 'OPEN' | 'CREDITED' | 'WRONG';
  readonly note: string;
}

export const add = (
  store: Store,
  { uuid, state, request, answer, customer, inquireAt, inquireUntil }: Deposit,
): boolean =>
  store.run(
    'INSERT OR IGNORE INTO deposits VALUES (?, ?, ?, ?, ?, ?, ?)',
    uuid,
    state,
    JSON.stringify(request),
    JSON.stringify(answer),
    customer,
    inquireAt,
    inquireUntil,
  );

type Row = Omit<Deposit, 'request' | 'answer'> & { request: string; answer: string };

export function find(store: Store, uuid: string): Deposit | undefined {
  const row = store.get<Row | undefined>(
    'SELECT *, inquire_at AS inquireAt, inquire_until AS inquireUntil FROM deposits WHERE uuid = ?',
    uuid,
  );
  if (!row) return undefined;
  const { request, answer, ...rest } = row;
  return { ...rest, request: JSON.parse(request), answer: JSON.parse(answer) };
}

/** The newest block when it was verified. */
export const keepHead = (store: Store, uuid: string, height: number): boolean =>
  store.run('INSERT OR IGNORE INTO heads VALUES (?, ?)', uuid, height);

export const headOf = (store: Store, uuid: string): number =>
  store.get<{ height: number } | undefined>('SELECT height FROM heads WHERE uuid = ?', uuid)?.height ?? -1;

/** The uuids of those that await their money. */
export const open = (store: Store): string[] =>
  store.all<{ uuid: string }>("SELECT uuid FROM deposits WHERE state = 'OPEN' ORDER BY rowid").map(({ uuid }) => uuid);

/** False: it is no longer OPEN. */
export const close = (store: Store, uuid: string, state: DepositState): boolean =>
  store.run("UPDATE deposits SET state = ? WHERE uuid = ? AND state = 'OPEN'", state, uuid);

export const inquireLater = (store: Store, uuid: string, at: number): boolean =>
  store.run('UPDATE deposits SET inquire_at = ? WHERE uuid = ?', at, uuid);

export const nameTransaction = (store: Store, uuid: string, hash: string, vout: string | null): boolean =>
  store.run(
    "INSERT OR IGNORE INTO named_transactions (uuid, hash, vout, state) VALUES (?, ?, ?, 'OPEN')",
    uuid,
    hash,
    vout,
  );

export const namedTransactions = (store: Store, uuid: string): NamedTransaction[] =>
  store.all('SELECT * FROM named_transactions WHERE uuid = ? ORDER BY rowid', uuid);

export const judgeTransaction = (
  store: Store,
  uuid: string,
  hash: string,
  state: NamedTransaction['state'],
  note: string,
): boolean =>
  store.run('UPDATE named_transactions SET state = ?, note = ? WHERE uuid = ? AND hash = ?', state, note, uuid, hash);
