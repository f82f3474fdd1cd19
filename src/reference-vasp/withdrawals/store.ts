import type { Signed } from '../ledgers/port.ts';
import type { Store } from '../store.ts';
import type { Order, Withdrawal, WithdrawalState } from './withdrawal.ts';

export const add = (store: Store, id: string, order: Order, state: WithdrawalState): boolean =>
  store.run(
    'INSERT INTO withdrawals (id, state, order_json) VALUES (?, ?, ?)',
    id,
    state,
    JSON.stringify(order),
  );

export const find = (store: Store, id: string) =>
  withdrawalOf(store.get('SELECT * FROM withdrawals WHERE id = ?', id));

export const findFor = (store: Store, uuid: string) =>
  withdrawalOf(store.get('SELECT * FROM withdrawals WHERE uuid = ?', uuid));

export const all = (store: Store): Withdrawal[] =>
  store.all<WithdrawalRow>('SELECT * FROM withdrawals ORDER BY rowid').map(row => withdrawalOf(row)!);

export const move = (store: Store, id: string, state: WithdrawalState, note = ''): boolean =>
  store.run('UPDATE withdrawals SET state = ?, note = ? WHERE id = ?', state, note, id);

export const opened = (store: Store, id: string, uuid: string): boolean =>
  store.run("UPDATE withdrawals SET state = 'AWAITS-RESULT', uuid = ? WHERE id = ?", uuid, id);

export const signed = (store: Store, id: string, { hash, bytes }: Signed): boolean =>
  store.run("UPDATE withdrawals SET state = 'SIGNED', hash = ?, bytes = ? WHERE id = ?", hash, bytes, id);

/** The first result stays. */
export const addResult = (store: Store, uuid: string, result: string, reason: string): boolean =>
  store.run('INSERT OR IGNORE INTO results VALUES (?, ?, ?)', uuid, result, reason);

export const resultOf = (store: Store, uuid: string): { result: string; reason: string } | undefined =>
  store.get('SELECT result, reason FROM results WHERE uuid = ?', uuid);

interface WithdrawalRow {
  id: string;
  state: WithdrawalState;
  uuid: string | null;
  order_json: string;
  hash: string | null;
  bytes: string | null;
  note: string;
}

function withdrawalOf(row: WithdrawalRow | undefined): Withdrawal | undefined {
  if (!row) return undefined;
  const { id, state, uuid, order_json, hash, bytes, note } = row;
  const signed = hash === null || bytes === null ? undefined : { hash, bytes };
  return { id, state, uuid: uuid ?? undefined, order: JSON.parse(order_json) as Order, signed, note };
}
