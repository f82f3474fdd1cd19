import type { Store } from '../store.ts';

/** The request of an assessment before the payment. */
export const add = (store: Store, withdrawal: string, kind: string, requestId: string): boolean =>
  store.run('INSERT OR IGNORE INTO screenings VALUES (?, ?, ?)', withdrawal, kind, requestId);

export const find = (store: Store, withdrawal: string, kind: string): string | undefined =>
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
  store.get<{ result: string } | undefined>('SELECT result FROM assessments WHERE request_id = ?', requestId)
    ?.result;
