import { ASSETS, type AssetSymbol, isAssetSymbol } from '../contract/assets.ts';
import type { Callback, CallbackData } from '../contract/callbacks.ts';
import type {
  VaspVerifyAccountAnswer,
  VaspVerifyUserAnswer,
  VaspVerifyUserRequest,
} from '../contract/vasp-api.ts';
import { groupCommit } from '../db/group-commit.ts';
import { recordOnce } from '../db/history.ts';
import { type Tx, write } from '../db/transaction.ts';
import { begin, transition } from '../db/transition.ts';
import { toIso } from '../kernel/clock.ts';
import { formatUnits, toUnits } from '../kernel/decimal.ts';
import type { Postponed, Vasp } from '../vasps/port.ts';
import { attributeNamed, releaseDeposits, scheduleInquiry } from './deposit/attribute.ts';
import type { RobotDeps } from './deps.ts';
import { expectationMachine, expectationStatus } from './expectation/machine.ts';
import { answerBeneficiary } from './judge/answer.ts';
import { type Judgement, judge } from './judge/judge.ts';
import { accountSubject, userSubject } from './judge/subject.ts';
import { transactionStatus } from './transfer/transaction-status.ts';
import { postponementMs } from './users/behaviours.ts';
import type { User } from './users/user.ts';

/** The robot as a VASP: what it answers the enclave. */
export const robotVasp = (deps: RobotDeps): Vasp => ({
  async verifyAccount(request): Promise<VaspVerifyAccountAnswer> {
    const users = await deps.users.of(request.originatingVaspId);
    const { verdict } = judge(accountSubject(request, users));
    const verifiedAt = toIso(deps.clock.now(request.originatingVaspId));
    if (verdict.result === 'VERIFIED') return { accountVerificationResult: 'VERIFIED', verifiedAt };
    return {
      accountVerificationResult: 'DENIED',
      reason: verdict.reason as VaspVerifyAccountAnswer['reason'],
      ...(verdict.message === '' ? {} : { message: verdict.message }),
      verifiedAt,
    };
  },

  async verifyUser(request): Promise<VaspVerifyUserAnswer | Postponed> {
    const users = await deps.users.of(request.originatingVaspId);
    const judgement = judge(userSubject(request, users, deps.listedOriginators));
    const user = judgement.user;
    const postponedMs = user && postponementMs(user.behaviour, deps.userTimeoutMs);
    const isInTime = (postponedMs ?? 0) < deps.userTimeoutMs;
    const chain = isAssetSymbol(request.assetInfo.symbol)
      ? await deps.chain(request.assetInfo.symbol)
      : undefined;
    await groupCommit(deps.db, tx => {
      recordJudgement(deps, tx, request, judgement);
      if (judgement.verdict.result === 'VERIFIED' && isInTime)
        openExpectation(deps, tx, request, user!, chain!);
    });
    const answer = answerOf(request, judgement);
    return postponedMs === undefined ? answer : { postponedMs, answer };
  },

  transactionStatus: async request => transactionStatus(deps, request),

  async callback(callback) {
    receive(deps, callback);
    return { status: 200, body: JSON.stringify({ result: true }) };
  },
});

function answerOf(request: VaspVerifyUserRequest, { verdict, user }: Judgement): VaspVerifyUserAnswer {
  const { requiredBeneficiaryInfo, version, ivms101 } = request;
  return {
    ...verdict,
    version,
    ...(verdict.result === 'VERIFIED' && user
      ? { ivms101: { beneficiary: answerBeneficiary(user, requiredBeneficiaryInfo, ivms101.beneficiary) } }
      : {}),
  };
}

/** What decided, for the timeline. The enclave may ask again: it is told once. */
function recordJudgement(
  deps: RobotDeps,
  tx: Tx,
  request: VaspVerifyUserRequest,
  judgement: Judgement,
): void {
  const { result, reason } = judgement.verdict;
  recordOnce(tx, {
    machine: 'judge',
    rowKey: request.verificationUuid,
    verificationUuid: request.verificationUuid,
    from: null,
    event: 'judged',
    to: result,
    at: deps.clock.now(request.originatingVaspId),
    cause: reason,
    detail: { user: judgement.user?.id, steps: judgement.steps, nearMiss: judgement.nearMiss },
  });
}

/** D-17: from now on the robot waits for the money, and asks after ten minutes. */
function openExpectation(
  deps: RobotDeps,
  tx: Tx,
  request: VaspVerifyUserRequest,
  user: User,
  chain: Awaited<ReturnType<RobotDeps['chain']>>,
): void {
  const { verificationUuid, originatingVaspId: vaspId, assetInfo, ivms101 } = request;
  if (deps.expectations.find(verificationUuid)) return;
  const symbol = assetInfo.symbol as AssetSymbol;
  const { decimals } = ASSETS[symbol];
  const to = chain.parseAddress(ivms101.beneficiary.accountNumber[0]!)!;
  const createdAt = deps.clock.now(vaspId);
  const row = deps.expectations.insert(tx, {
    verificationUuid,
    status: expectationMachine.initial,
    vaspId,
    userId: user.id,
    symbol,
    account: to.account,
    tag: to.tag ?? null,
    amount: formatUnits(toUnits(assetInfo.amount, decimals), decimals),
    originatorAccounts: JSON.stringify(
      ivms101.originator.accountNumber.map(text => chain.parseAddress(text)?.account ?? text),
    ),
    createdAt,
  });
  begin(tx, expectationStatus, row, createdAt, `${row.amount} ${symbol} for ${user.id}`);
  scheduleInquiry(deps, tx, verificationUuid, vaspId);
}

function receive(deps: RobotDeps, callback: Callback): void {
  switch (callback.callbackType) {
    case 'TX_REPORT':
      return receiveTransactionReport(deps, callback.data);
    case 'ERROR_REPORT':
      return receiveErrorReport(deps, callback.data);
    case 'VERIFICATION_RESULT':
    case 'PROVIDER_A_KYT_RESULT':
    case 'PROVIDER_B_WCO_RESULT':
      return;
  }
}

/** REF-8, D-17: a report ends the queries; a deposit with that hash is credited, now or when it is final. */
function receiveTransactionReport(
  deps: RobotDeps,
  { verificationUuid, txHash }: CallbackData<'TX_REPORT'>,
): void {
  const expectation = deps.expectations.find(verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    const named = { txHash, txHashSource: 'report' as const };
    deps.expectations.patch(tx, verificationUuid, named);
    deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
    attributeNamed(deps, tx, { ...expectation, ...named });
    releaseDeposits(deps, tx, expectation);
  });
}

/** REF-4.6.11: after an error report the robot stops asking. */
function receiveErrorReport(
  deps: RobotDeps,
  { verificationUuid, reason }: CallbackData<'ERROR_REPORT'>,
): void {
  const expectation = deps.expectations.find(verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    transition(tx, expectationStatus, expectation, 'error-reported', {
      at,
      cause: `error report: ${reason}`,
    });
    releaseDeposits(deps, tx, expectation);
  });
}
