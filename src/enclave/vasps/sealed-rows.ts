import type { vasps } from '../../db/schema/enclave.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { RegisteredVasp } from './registered-vasp.ts';

export type VaspRow = typeof vasps.$inferSelect;

/** Between a VASP and its row, in which addresses, token and provider keys are encrypted. */
export function sealedRows(box: SecretBox) {
  const sealed = (vaspId: string, column: string, value: string | undefined): string | null =>
    value === undefined ? null : box.seal(value, `${vaspId} ${column}`);
  const opened = (vaspId: string, column: string, stored: string | null): string | undefined =>
    stored === null ? undefined : box.open(stored, `${vaspId} ${column}`);
  return {
    fromRow({
      authorizationHeader,
      authorizationToken,
      providerKeys,
      endpoints,
      ...row
    }: VaspRow): RegisteredVasp {
      const keys = opened(row.vaspId, 'providerKeys', providerKeys);
      return {
        ...row,
        endpoints: JSON.parse(opened(row.vaspId, 'endpoints', endpoints)!),
        providerKeys: keys === undefined ? undefined : JSON.parse(keys),
        authorization: {
          header: authorizationHeader,
          token: opened(row.vaspId, 'token', authorizationToken),
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
    /** False: something of the row is in clear, or encrypted with an earlier key. */
    isSealed: ({ vaspId, endpoints, authorizationToken, providerKeys }: VaspRow): boolean =>
      Object.entries({ endpoints, token: authorizationToken, providerKeys }).every(
        ([column, stored]) => stored === null || box.isCurrent(stored, `${vaspId} ${column}`),
      ),
  };
}
