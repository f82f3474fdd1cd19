import type { Quotas } from '../../contract/tenancy.ts';
import { allClosing, isClosing } from '../../db/closing.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { tenants } from '../../db/schema/tenants.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';

export type Tenant = typeof tenants.$inferSelect;
export type TenantStore = ReturnType<typeof tenantStore>;

/** The SQL of tenants: VASPs of the hosted mode. Every request asks for one, so they are kept in memory too. */
export function tenantStore(db: Db) {
  const byId = new Map<string, Tenant>();
  for (const row of db.orm.select().from(tenants).all()) byId.set(row.vaspId, row);

  return {
    find: (vaspId: string): Tenant | undefined => byId.get(vaspId),
    /** VASPs that are neither closing nor forgotten, in the order of their registration. */
    all(): Tenant[] {
      const closing = new Set(allClosing(db));
      return [...byId.values()].filter(({ vaspId }) => !closing.has(vaspId)).sort(inOrder);
    },
    /** It is being forgotten. */
    isClosing: (vaspId: string): boolean => byId.get(vaspId)?.forgottenAt === null && isClosing(db, vaspId),
    /** Those that are being forgotten. */
    closing: (): string[] => allClosing(db).filter(vaspId => byId.get(vaspId)?.forgottenAt === null),
    insert(tx: Tx, vaspId: string, registeredAt: number) {
      const row = insertRow(tx, tenants, { vaspId, registeredAt, quotas: {} });
      afterCommit(tx, () => byId.set(vaspId, row));
    },
    save(tx: Tx, row: Tenant) {
      upsertRow(tx, tenants, ['vaspId'], row);
      afterCommit(tx, () => byId.set(row.vaspId, row));
    },
    change(tx: Tx, vaspId: string, values: Partial<Omit<Tenant, 'vaspId'>>) {
      updateRows(tx, tenants, { vaspId }, values);
      const changed = { ...byId.get(vaspId)!, ...values };
      afterCommit(tx, () => byId.set(vaspId, changed));
    },
    quotasOf: (vaspId: string): Partial<Quotas> => byId.get(vaspId)?.quotas ?? {},
  };
}

/** Several may register in one millisecond. */
export const inOrder = (one: Tenant, other: Tenant): number =>
  one.registeredAt - other.registeredAt || (one.vaspId < other.vaspId ? -1 : Number(one.vaspId !== other.vaspId));
