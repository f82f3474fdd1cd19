import { refusals } from '../../contract/refusals.ts';
import type { VerifyAccountAnswer, VerifyAccountRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VaspVerifyAccountAnswer } from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { type EnclaveDeps, nowFor } from '../deps.ts';
import { requireBeneficiaryVasp } from '../vasps/require-beneficiary-vasp.ts';

/** WIRE-2.3: asks the beneficiary VASP at once. A late answer is refused with 408: there is no row to hold an ERROR. */
export async function verifyAccount(
  deps: EnclaveDeps,
  request: VerifyAccountRequest,
  caller: CallerId,
): Promise<VerifyAccountAnswer> {
  const { vaspId } = requireBeneficiaryVasp(deps.vasps, request.beneficiaryVaspId, caller);
  try {
    const answer = await deps.directory
      .find(vaspId)!
      .verifyAccount({
        originatingVaspId: caller,
        symbol: request.symbol,
        ...(request.network === undefined ? {} : { network: request.network }),
        version: request.payload.version,
        ivms101: { beneficiary: request.payload.ivms101.beneficiary },
      });
    return present(answer);
  } catch (error) {
    if (error instanceof NoAnswer) throw refusals.noAnswer(error.timeoutMs);
    if (!(error instanceof BadAnswer)) throw error;
    const verifiedAt = toIso(nowFor(deps, caller, vaspId));
    return { accountVerificationResult: 'DENIED', reason: 'UNDEFINED-ERROR', message: error.message, verifiedAt };
  }
}

function present({ accountVerificationResult, reason, message, verifiedAt }: VaspVerifyAccountAnswer) {
  return {
    accountVerificationResult,
    ...(reason === undefined || reason === 'OK' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    verifiedAt,
  };
}
