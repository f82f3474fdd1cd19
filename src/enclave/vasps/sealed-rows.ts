import type { vasps } from '../../db/schema/enclave.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { RegisteredVasp } from './registered-vasp.ts';

export type VaspRow = typeof vasps.$inferSelect;

/** Between a VASP and its row, in which addresses, token and provider keys are encrypted. */
export function sealedRows(box: SecretBox) {
  const sealed = (vaspId: string, column: string, value: string | undefined): string | null =>
    value === undefined ? null : box.seal(value, `${vaspId} ${column}`);

  /** `isSealed` false: something of the row is in clear, or encrypted with an earlier key. */
  function read({ authorizationHeader, authorizationToken, providerKeys, endpoints, ...row }: VaspRow): {
    vasp: RegisteredVasp;
    isSealed: boolean;
  } {
    let isSealed = true;
    const opened = (column: string, stored: string | null): string | undefined => {
      if (stored === null) return undefined;
      const { text, isCurrent } = box.read(stored, `${row.vaspId} ${column}`);
      isSealed &&= isCurrent;
      return text;
    };
    const keys = opened('providerKeys', providerKeys);
    const vasp = {
      ...row,
      endpoints: JSON.parse(opened('endpoints', endpoints)!),
      providerKeys: keys === undefined ? undefined : JSON.parse(keys),
      authorization: { header: authorizationHeader, token: opened('token', authorizationToken) },
    };
    return { vasp, isSealed };
  }

  return {
    read,
    fromRow: (row: VaspRow): RegisteredVasp => read(row).vasp,
    toRow: ({ authorization, providerKeys, endpoints, ...vasp }: RegisteredVasp): VaspRow => ({
      ...vasp,
      endpoints: sealed(vasp.vaspId, 'endpoints', JSON.stringify(endpoints))!,
      providerKeys: sealed(vasp.vaspId, 'providerKeys', providerKeys && JSON.stringify(providerKeys)),
      authorizationHeader: authorization.header,
      authorizationToken: sealed(vasp.vaspId, 'token', authorization.token),
    }),
  };
}
