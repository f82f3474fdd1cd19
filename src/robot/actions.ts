import { accountProblem, isAssetSymbol, toBaseUnits, toCoins } from '../contract/assets.ts';
import { refusals } from '../contract/refusals.ts';
import type { VerifyUserAnswer, VerifyUserRequest, WithdrawRequest, WithdrawResponse } from '../contract/requests.ts';
import type { CallerId } from '../contract/tenancy.ts';
import type { VerificationResult } from '../contract/verification.ts';
import { groupCommit, type Tx } from '../db/transaction.ts';
import { availableAt } from './balance/store.ts';
import type { RobotDeps } from './deps.ts';
import { once } from './idempotency-store.ts';
import { beginTransfer, cancelTransfer, namedHash, scheduleWallet } from './transfer/lifecycle.ts';
import type { Transfer } from './transfer/store.ts';
import * as transfers from './transfer/store.ts';

/** D-21: a verification that the robot originated to the caller. Throws `Refusal` verification-missing, not-originator. */
export function requireOriginated(deps: RobotDeps, verificationUuid: string, caller: CallerId): VerificationResult {
  const verification = deps.enclave.get(verificationUuid, caller);
  if (verification.originatingVaspId !== deps.vaspId) throw refusals.notOriginator('The robot is');
  return verification;
}

/** REF-4.6 POST /action/withdrawal: one transfer per verification, never more than was received (REF-4.6.1, D-20, D-21). */
export async function withdraw(
  deps: RobotDeps,
  { verificationUuid, omitTxReport }: WithdrawRequest,
  caller: CallerId,
): Promise<WithdrawResponse> {
  const verification = requireOriginated(deps, verificationUuid, caller);
  const existing = transfers.find(deps.db, verificationUuid);
  if (existing) return present(deps, existing);
  const intent = await intentOf(deps, verification);
  return groupCommit(deps.db, tx => {
    // Read again: both may have changed meanwhile.
    const { result } = requireOriginated(deps, verificationUuid, caller);
    const concurrent = transfers.find(tx, verificationUuid);
    if (concurrent) return present(deps, concurrent);
    if (result !== 'VERIFIED') throw refusals.notVerified(verificationUuid);
    const { vaspId, symbol, amount } = intent;
    const available = availableAt(deps, vaspId, intent);
    if (toBaseUnits(symbol, amount) > available)
      throw refusals.insufficientBalance(symbol, amount, toCoins(symbol, available));
    const transactionStatus = reserve(deps, tx, { ...intent, verificationUuid, omitTxReport });
    return { verificationUuid, transactionStatus, txHash: null };
  });
}

type Intent = Awaited<ReturnType<typeof intentOf>>;

/** What the transfer would be. */
async function intentOf(deps: RobotDeps, verification: VerificationResult) {
  const { symbol, amount } = verification.assetInfo;
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(verification.beneficiaryVaspId);
  const chain = await deps.chain(symbol);
  const user = users.findIncludingRemoved(symbol, verification.originatorAccountNumber);
  if (!user) throw refusals.unknownAddress('originatorAccountNumber');
  const from = chain.parseAddress(verification.originatorAccountNumber)!;
  const to = chain.parseAddress(verification.beneficiaryAccountNumber);
  if (!to || to.account === from.account) {
    const problem = accountProblem(symbol, verification.beneficiaryAccountNumber);
    throw refusals.unknownAddress(
      'beneficiaryAccountNumber',
      problem ?? `is not an address of ${symbol} that can be paid`,
    );
  }
  return {
    vaspId: verification.beneficiaryVaspId,
    userId: user.id,
    behaviour: user.behaviour,
    symbol,
    account: from.account,
    walletIndex: user.walletIndex,
    tag: from.tag ?? null,
    toAccount: to.account,
    toTag: to.tag ?? null,
    amount: toCoins(symbol, toBaseUnits(symbol, amount)),
    isHeld: user.behaviour === 'TRANSFER-PENDING',
  };
}

function reserve(
  deps: RobotDeps,
  tx: Tx,
  { behaviour, ...intent }: Intent & { verificationUuid: string; omitTxReport: boolean },
): WithdrawResponse['transactionStatus'] {
  const createdAt = deps.clock.now(intent.vaspId);
  const note = intent.isHeld ? 'not sent: the user has the behaviour TRANSFER-PENDING' : '';
  const cause = `${intent.amount} ${intent.symbol} reserved`;
  const row = beginTransfer(tx, { ...intent, note, createdAt }, cause);
  if (behaviour === 'TRANSFER-CANCELED') {
    cancelTransfer(deps, tx, row, `the user has the behaviour ${behaviour}`);
    return 'CANCELED';
  }
  if (!row.isHeld) scheduleWallet(deps, tx, row);
  return 'PENDING';
}

function present(deps: RobotDeps, transfer: Transfer): WithdrawResponse {
  const { verificationUuid, status } = transfer;
  const transactionStatus = status as WithdrawResponse['transactionStatus'];
  return { verificationUuid, transactionStatus, txHash: namedHash(deps, transfer) };
}

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
