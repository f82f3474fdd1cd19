import { isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserRequest, VerifyUserResponse } from '../../contract/requests.ts';
import type { RobotDeps } from '../deps.ts';
import { once } from '../idempotency/once.ts';

/** REF-4.6 POST /action/verifications: the robot opens a verification towards the caller, from one of its users (D-22). `key`: opened once. */
export async function verifyUser(
  deps: RobotDeps,
  request: VerifyUserRequest,
  caller: string,
  key: string | undefined,
): Promise<VerifyUserResponse> {
  if (request.beneficiaryVaspId !== caller) throw refusals.unknownVasp();
  const { symbol } = request.assetInfo;
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(caller);
  const isOurs = request.payload.ivms101.originator.accountNumber.every(account =>
    users.find(symbol, account),
  );
  if (!isOurs) throw refusals.unknownAddress('payload.ivms101.originator.accountNumber');
  const call = { caller, key, body: request };
  return once(deps, call, () => deps.enclave.verifyUser(request, deps.vaspId));
}
