import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';

export const HOSTED = {
  MODE: 'hosted',
  OPERATOR_KEY: 'operator-key-of-the-bench-0123456789',
  PUBLIC_URL: 'https://sandbox.example',
  DATA_KEY: '0f'.repeat(32),
};
const VASPS = 10_000;

export const keyOf = (vasp: number): string => `rv_main_bench-${vasp}`;
const idOf = (vasp: number): string => String(1_000_000 + vasp);

export function fillVasps(path: string): void {
  const db = new Sqlite(path);
  const now = Date.now();
  const tenant = db.prepare("INSERT INTO tenants_vasps (vasp_id, registered_at, quotas) VALUES (?, ?, '{}')");
  const key = db.prepare(
    "INSERT INTO tenants_keys (id, vasp_id, name, scope, hash, created_at) VALUES (?, ?, 'bench', 'full', ?, ?)",
  );
  const vasp = db.prepare(
    `INSERT INTO enclave_vasps (vasp_id, name, endpoints, authorization_header, is_active, health, created_at, updated_at)
     VALUES (?, ?, '{}', 'Authorization', 1, 'UP', ?, ?)`,
  );
  db.transaction(() => {
    for (let at = 0; at < VASPS; at++) {
      const id = idOf(at);
      tenant.run(id, now);
      vasp.run(id, `VASP ${at}`, now, now);
      key.run(`key-${at}`, id, createHash('sha256').update(keyOf(at)).digest('hex'), now);
    }
  })();
  db.close();
}
