import type { vasps } from '../../db/schema/enclave.ts';
import type { SecretBox } from '../../kernel/secrets.ts';
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
