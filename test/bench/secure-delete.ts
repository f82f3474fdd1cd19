import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Db, openDb } from '../../src/db/open.ts';
import { section, show } from './report.ts';
import { medianOf } from './samples.ts';

/** Words of a removed verification leave the file at once. What that costs: a report and a removal both remove words. */

const COUNT = 4_000;
const ROUNDS = 3;

const HELD = {
  status: 'VERIFIED',
  key_type: 'PerVasp',
  required_beneficiary_info: '',
  symbol: 'ETH',
  amount: '0.024',
  is_exceeding_threshold: 1,
  trade_price: '1',
  trade_currency: 'KRW',
  trade_iso_datetime: '',
  originating_vasp_id: '15952089931162058999',
  beneficiary_vasp_id: '17104899575711300402',
  payload_version: '1.0',
  ivms101_originator: '{}',
  originating_vasp_name: '',
  ivms101_beneficiary: '{}',
  beneficiary_vasp_name: '',
  created_at: 0,
};
const hex = (n: number, digits: number): string => ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(digits, '0');

export async function benchSecureDelete(folder: string): Promise<void> {
  section(`Search with and without secure-delete (${COUNT} verifications, median of ${ROUNDS})`);
  const rounds = Array.from({ length: ROUNDS }, () => ({ with: measured(folder, 1), without: measured(folder, 0) }));
  for (const what of ['report', 'removal'] as const)
    for (const kind of ['with', 'without'] as const)
      show({ what: `a ${what}, ${kind}`, ...medianOf(rounds.map(each => each[kind][what])), unit: 'µs CPU' });
}

/** Microseconds of each. */
function measured(folder: string, secureDelete: number): { report: number; removal: number } {
  const db = openDb(join(folder, `${randomUUID()}.sqlite`));
  try {
    db.sqlite.exec(`INSERT INTO enclave_search (enclave_search, rank) VALUES ('secure-delete', ${secureDelete})`);
    insertAll(db);
    return {
      report: timeOf(db, 'UPDATE enclave_verifications SET tx_hash = uuid WHERE id = ?'),
      removal: timeOf(db, 'DELETE FROM enclave_verifications WHERE id = ?'),
    };
  } finally {
    db.close();
  }
}

function insertAll({ sqlite }: Db): void {
  const columns = [...Object.keys(HELD), 'uuid', 'person_names'];
  for (const side of ['originator', 'beneficiary']) columns.push(`${side}_account_number`, `${side}_account_key`);
  const row = sqlite.prepare(`INSERT INTO enclave_verifications (${columns}) VALUES (${columns.map(() => '?')})`);
  const [from, to] = [1, 2];
  sqlite.transaction(() => {
    for (let n = 1; n <= COUNT; n++) {
      const accounts = [from, to].flatMap(side => [hex(n * side, 40), hex(n * side, 40)]);
      row.run(...Object.values(HELD), hex(n, 32), `Person${n % 100} Family${n % 77}`, ...accounts);
    }
  })();
}

/** Ten in a transaction, as under load. */
function timeOf({ sqlite }: Db, change: string): number {
  const statement = sqlite.prepare(change);
  const ten = sqlite.transaction((from: number) => {
    for (let id = from; id < from + 10; id++) statement.run(id);
  });
  const before = process.cpuUsage();
  for (let from = 1; from <= COUNT; from += 10) ten(from);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / COUNT;
}
