import type { Signed } from '../ledgers/port.ts';
import type { Store } from '../store.ts';
import type { Order, Withdrawal, WithdrawalState } from './withdrawal.ts';

export const add = (store: Store, id: string, order: Order, state: WithdrawalState): boolean =>
  store.run('INSERT INTO withdrawals (id, state, order_json) VALUES (?, ?, ?)', id, state, JSON.stringify(order));

export const find = (store: Store, id: string) => withdrawalOf(store.get('SELECT * FROM withdrawals WHERE id = ?', id));

export const findFor = (store: Store, uuid: string) =>
  withdrawalOf(store.get('SELECT * FROM withdrawals WHERE uuid = ?', uuid));

export const all = (store: Store): Pick<Withdrawal, 'id' | 'state'>[] =>
  store.all('SELECT id, state FROM withdrawals ORDER BY rowid');

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

type Row = Pick<Withdrawal, 'id' | 'state' | 'note'> &
  Record<'uuid' | 'hash' | 'bytes', string | null> & { order_json: string };

function withdrawalOf(row: Row | undefined): Withdrawal | undefined {
  if (!row) return undefined;
  const { id, state, uuid, order_json, hash, bytes, note } = row;
  const signed = hash === null || bytes === null ? undefined : { hash, bytes };
  return { id, state, uuid: uuid ?? undefined, order: JSON.parse(order_json), signed, note };
}

/** The request of an assessment before the payment. */
export const addScreening = (store: Store, withdrawal: string, kind: string, requestId: string): boolean =>
  store.run('INSERT OR IGNORE INTO screenings VALUES (?, ?, ?)', withdrawal, kind, requestId);

export const screening = (store: Store, withdrawal: string, kind: string): string | undefined =>
  store.get<{ request_id: string } | undefined>(
    'SELECT request_id FROM screenings WHERE withdrawal = ? AND kind = ?',
    withdrawal,
    kind,
  )?.request_id;

/** A later result takes the place of an earlier one, but none of REGISTERED that of PROCESSED. */
export const addAssessment = (store: Store, requestId: string, uuid: string, result: object): boolean =>
  store.run(
    `INSERT INTO assessments VALUES (?, ?, ?) ON CONFLICT (request_id)
         DO UPDATE SET result = excluded.result WHERE coalesce(json_extract(assessments.result, '$.providerAKYT.status'),
           json_extract(assessments.result, '$.providerBWCO.status')) IS NOT 'PROCESSED'`,
    requestId,
    uuid,
    JSON.stringify(result),
  );

export const assessment = (store: Store, requestId: string): string | undefined =>
  store.get<{ result: string } | undefined>('SELECT result FROM assessments WHERE request_id = ?', requestId)?.result;
