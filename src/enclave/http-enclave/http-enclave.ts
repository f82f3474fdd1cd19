import { createEnclave } from '../enclave.ts';
import type { Enclave } from '../port.ts';
import { refuseTooManyDecimals } from '../verification/new-verification.ts';
import { type CopyDeps, openSent } from './copies.ts';

/**
 * The enclave of somebody else, for the resident VASP. Questions go there at once. The VASP reads its own copies of its
 * verifications and reports on them, and the outbox hands the reports on, in order, until they are taken or refused.
 */
export function httpEnclave(deps: CopyDeps): Enclave {
  const { foreign, residentVaspId } = deps;
  const about = (verificationUuid: string | null, vaspId: string = residentVaspId) => ({ vaspId, verificationUuid });
  return {
    ...createEnclave(deps),
    vasps: ({ protocol }) => foreign.call('list-vasps', about(null), { protocol }),
    verifyAccount: request => foreign.call('verify-account', about(null, request.beneficiaryVaspId), request),
    async verifyUser(request, _, inSameTransaction) {
      refuseTooManyDecimals(request);
      const opened = await foreign.call('verify-user', about(null, request.beneficiaryVaspId), request);
      return openSent(deps, request, opened, inSameTransaction);
    },
    assessSanction: request => foreign.call('assess-sanction', about(request.verificationUuid), request),
    assessKyt: request => foreign.call('assess-kyt', about(request.verificationUuid), request),
    assessWco: request => foreign.call('assess-wco', about(request.verificationUuid), request),
  };
}
