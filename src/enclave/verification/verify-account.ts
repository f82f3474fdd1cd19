import { refusals } from '../../contract/refusals.ts';
import type { VerifyAccountRequest, VerifyAccountResponse } from '../../contract/requests.ts';
import type { VaspVerifyAccountAnswer } from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import { requireActiveVasp } from '../vasps/store.ts';

/** WIRE-2.3: does the address belong to that VASP? Late is a refusal here (408): there is no row to keep an ERROR in. */
export async function verifyAccount(
  deps: EnclaveDeps,
  request: VerifyAccountRequest,
  caller: string,
): Promise<VerifyAccountResponse> {
  const { vaspId } = requireActiveVasp(deps.vasps, request.beneficiaryVaspId);
  if (vaspId === caller) throw refusals.invalidField('beneficiaryVaspId', 'should be another VASP');
  try {
    const answer = await deps.directory.find(vaspId)!.verifyAccount({
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
    const verifiedAt = toIso(deps.clock.now(clockOwner(deps, caller, vaspId)));
    return {
      accountVerificationResult: 'DENIED',
      reason: 'UNDEFINED-ERROR',
      message: error.message,
      verifiedAt,
    };
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
