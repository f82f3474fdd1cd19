import { isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserAnswer, VerifyUserRequest } from '../../contract/requests.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { RobotDeps } from '../deps.ts';
import { once } from '../idempotency-store.ts';

/** REF-4.6 POST /action/verifications, D-22: one of the robot's users wants to pay the caller. One verification per `key`. */
export async function verifyUser(
  deps: RobotDeps,
  request: VerifyUserRequest,
  caller: CallerId,
  key: string | undefined,
): Promise<VerifyUserAnswer> {
  if (request.beneficiaryVaspId !== caller) throw refusals.unknownVasp();
  const { symbol } = request.assetInfo;
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(caller);
  const areOurs = request.payload.ivms101.originator.accountNumber.every(account => users.find(symbol, account));
  if (!areOurs) throw refusals.unknownAddress('payload.ivms101.originator.accountNumber');
  return once(deps, { caller, key, body: request }, keep => deps.enclave.verifyUser(request, deps.vaspId, keep));
}
