import { vacuum } from '../../db/archive.ts';
import { isClosing } from '../../db/closing.ts';
import type { Db } from '../../db/open.ts';
import { findRows, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { vasps } from '../../db/schema/enclave.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import { hashOf, type SecretBox } from '../../kernel/secrets.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import type { ProviderKeys } from '../../screening/port.ts';
import type { Registration } from '../../vasps/http-client.ts';

export interface RegisteredVasp extends Registration {
  isActive: boolean;
  health: 'UP' | 'DOWN';
  apiKeyHash: string | null;
  /** Instead of the configured ones. Never shown. */
  providerKeys?: Partial<ProviderKeys> | undefined;
  createdAt: number;
}

export type VaspRow = typeof vasps.$inferSelect;

/** Between a VASP and its row, in which addresses, token and provider keys are encrypted. */
export function sealedRows(box: SecretBox) {
  const sealed = (vaspId: string, column: string, value: string | undefined): string | null =>
    value === undefined ? null : box.seal(value, `${vaspId} ${column}`);

  /** Opened when it is read first: a start with many VASPs opens none. */
  function later<T>(vaspId: string, column: string, stored: string | null, parse: (text: string) => T) {
    let value: T | undefined;
    return (): T | undefined => {
      if (stored !== null) value ??= parse(box.open(stored, `${vaspId} ${column}`));
      return value;
    };
  }

  return {
    /** False: something of the row is encrypted with an earlier key. Throws `StartProblem` for another key. */
    isSealed: ({ authorizationToken, providerKeys, endpoints }: VaspRow): boolean =>
      [authorizationToken, providerKeys, endpoints].every(stored => stored === null || box.isCurrent(stored)),
    fromRow({ authorizationHeader: header, authorizationToken, ...row }: VaspRow): RegisteredVasp {
      const token = later(row.vaspId, 'token', authorizationToken, String);
      const providerKeys = later<ProviderKeys>(row.vaspId, 'providerKeys', row.providerKeys, JSON.parse);
      const endpoints = later<RegisteredVasp['endpoints']>(row.vaspId, 'endpoints', row.endpoints, JSON.parse);
      return {
        ...row,
        get endpoints() {
          return endpoints()!;
        },
        get providerKeys() {
          return providerKeys();
        },
        get authorization() {
          return { header, token: token() };
        },
      };
    },
    toRow: ({ authorization, providerKeys, endpoints, ...vasp }: RegisteredVasp): VaspRow => ({
      ...vasp,
      endpoints: sealed(vasp.vaspId, 'endpoints', JSON.stringify(endpoints))!,
      providerKeys: sealed(vasp.vaspId, 'providerKeys', providerKeys && JSON.stringify(providerKeys)),
      authorizationHeader: authorization.header,
      authorizationToken: sealed(vasp.vaspId, 'token', authorization.token),
    }),
  };
}

export type VaspStore = ReturnType<typeof vaspStore>;

/** The SQL of VASPs. They are few and asked for by every request, so they are kept in memory too. */
export function vaspStore(db: Db, box: SecretBox) {
  const { fromRow, toRow, isSealed } = sealedRows(box);
  const byId = new Map<string, RegisteredVasp>();
  const byKeyHash = new Map<string, string>();
  const elsewhere = new Map<string, string>();

  function remember(vasp: RegisteredVasp): void {
    byId.set(vasp.vaspId, vasp);
    if (vasp.apiKeyHash !== null) byKeyHash.set(vasp.apiKeyHash, vasp.vaspId);
  }
  function keep(tx: Tx, vasp: RegisteredVasp): void {
    upsertRow(tx, vasps, ['vaspId'], toRow(vasp));
    afterCommit(tx, () => remember(vasp));
  }

  const stored = findRows(db, vasps, {});
  stored.map(fromRow).forEach(remember);
  if (!stored.every(isSealed)) {
    write(db, tx => {
      for (const vasp of byId.values()) upsertRow(tx, vasps, ['vaspId'], toRow(vasp));
    });
    vacuum(db);
  }

  return {
    find: (vaspId: string): RegisteredVasp | undefined => byId.get(vaspId),
    all: (): RegisteredVasp[] => [...byId.values()],
    /** False: the VASP is suspended, and nothing is sent to it. */
    isActive: (vaspId: string): boolean => byId.get(vaspId)?.isActive ?? true,
    nameOf: (vaspId: string): string => byId.get(vaspId)?.name ?? elsewhere.get(vaspId) ?? vaspId,
    /** Names of VASPs that are registered with another enclave. */
    learnNames(listed: readonly { vaspId: string; vaspName: string }[]) {
      for (const { vaspId, vaspName } of listed) elsewhere.set(vaspId, vaspName);
    },
    findIdByApiKey: (apiKey: string): string | undefined => byKeyHash.get(hashOf(apiKey)),
    /** `apiKey`: of a first registration; without it the stored one stays. */
    save(tx: Tx, vasp: Omit<RegisteredVasp, 'apiKeyHash' | 'health'>, apiKey?: string) {
      if (isClosing(tx, vasp.vaspId)) return;
      const { health = 'UP', apiKeyHash = null } = byId.get(vasp.vaspId) ?? {};
      keep(tx, { ...vasp, health, apiKeyHash: apiKey === undefined ? apiKeyHash : hashOf(apiKey) });
    },
    /** The registration as it is stored: its secrets are encrypted. */
    sealed: (vaspId: string): VaspRow => toRow(byId.get(vaspId)!),
    /** A registration of another database, encrypted with one of the keys of this one. Throws `StartProblem`. */
    adopt(tx: Tx, row: VaspRow): RegisteredVasp {
      const adopted: RegisteredVasp = { ...fromRow(row), apiKeyHash: null, isActive: true };
      keep(tx, adopted);
      return adopted;
    },
    /** Removes what tells of the VASP. Its id stays taken. */
    forget: (tx: Tx, vaspId: string) => keep(tx, forgotten(byId.get(vaspId)!)),
    /** D-23: health is what its last answer was. In storage trouble the next exchange records it. */
    recordHealth(vaspId: string, answered: boolean) {
      const vasp = byId.get(vaspId);
      const health = answered ? 'UP' : 'DOWN';
      if (!vasp || vasp.health === health) return;
      try {
        write(db, tx => {
          if (isClosing(tx, vaspId)) return;
          updateRows(tx, vasps, { vaspId }, { health });
          afterCommit(tx, () => {
            vasp.health = health;
          });
        });
      } catch (error) {
        if (!storageTrouble(error)) throw error;
      }
    },
  };
}

/** Nothing tells of it any more. */
const forgotten = ({ vaspId, createdAt }: RegisteredVasp): RegisteredVasp => ({
  vaspId,
  name: vaspId,
  endpoints: {},
  authorization: { header: 'Authorization' },
  apiKeyHash: null,
  isActive: false,
  health: 'DOWN',
  createdAt,
  updatedAt: createdAt,
});
