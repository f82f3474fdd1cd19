import type { Chain, Head } from '../chains/port.ts';
import { type AssetSymbol, isAssetSymbol, splitAddress, toBaseUnits, toCoins } from '../contract/assets.ts';
import type { Callback, CallbackData } from '../contract/callbacks.ts';
import type { Beneficiary } from '../contract/ivms101.ts';
import { wantedPersons } from '../contract/persons.ts';
import { keptOutcomes } from '../contract/plan-list.ts';
import { parseRequiredInfo } from '../contract/required-info.ts';
import type { VaspVerifyAccountAnswer, VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { recordOnce } from '../db/history.ts';
import { type Tx, write } from '../db/transaction.ts';
import { recordBegin, transition } from '../db/transition.ts';
import { firstWithin, toIso } from '../kernel/clock.ts';
import { formatDuration } from '../kernel/duration.ts';
import { type Effects, type Postponed, TAKEN, type Vasp } from '../vasps/port.ts';
import * as cursors from './deposit/cursor-store.ts';
import { addErrorAfterPayment, noteConduct } from './deposit/findings.ts';
import { nameTransaction } from './deposit/inquire.ts';
import { releaseDeposits } from './deposit/lifecycle.ts';
import type { Deposit } from './deposit/store.ts';
import * as deposits from './deposit/store.ts';
import type { RobotDeps } from './deps.ts';
import { expectationMachine, expectationStatus } from './expectation/machine.ts';
import { endInquiries, endTimers, inquiryFrom, orderFirstInquiry } from './expectation/schedule.ts';
import type { Expectation } from './expectation/store.ts';
import * as expectations from './expectation/store.ts';
import { type Judgement, judge } from './judge/judge.ts';
import { accountSubject, userSubject } from './judge/subject.ts';
import { isSamePayment } from './report/judge-report.ts';
import { transactionStatus } from './transfer/lifecycle.ts';
import { postponementMs, type User } from './users/user.ts';

/** REF-8, D-17: a report ends the status queries. A deposit with its hash is credited, now or when it is final. */
export function receiveTransactionReport(
  deps: RobotDeps,
  { verificationUuid, txHash, vout }: CallbackData<'TX_REPORT'>,
): void {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    addLateReport(deps, tx, expectation, txHash);
    endInquiries(deps, tx, verificationUuid);
    nameTransaction(deps, tx, expectation, { txHash, vout: vout ?? null, txHashSource: 'report' });
  });
}

/** D-27: the robot had seen the payment, and waited for its report until the time of the first status query. */
function addLateReport(deps: RobotDeps, tx: Tx, expectation: Expectation, txHash: string): void {
  const { vaspId, symbol, createdAt } = expectation;
  const at = deps.clock.now(vaspId);
  const isLate = (deposit: Deposit): boolean =>
    deposits.isFor(deposit, vaspId) &&
    isSamePayment(expectation, deposit) &&
    deposit.awaitedAt !== null &&
    at >= Math.max(deposit.awaitedAt, createdAt) + deps.inquiry.waitMs;
  if (!deposits.waitingOfTx(tx, { symbol, txHash }).some(isLate)) return;
  noteConduct(deps, tx, expectation, {
    code: 'REPORT-LATE',
    field: 'txHash',
    expected: `a report within ${formatDuration(deps.inquiry.waitMs)} of the payment`,
    got: 'a report after the first status query was due',
  });
}

/** REF-4.6.11: after an error report the robot stops its status queries. `head`: the newest block, if it is known. */
export function receiveErrorReport(
  deps: RobotDeps,
  { verificationUuid, reason }: CallbackData<'ERROR_REPORT'>,
  head: { height: number } | undefined,
): void {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    endTimers(deps, tx, verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    const cause = `error report: ${reason}`;
    transition(tx, expectationStatus, expectation, 'error-reported', { at, cause });
    expectations.patch(tx, verificationUuid, { endedHeight: head?.height ?? null });
    const paid = deposits.waitingOf(tx, expectation).find(deposit => deposits.isFor(deposit, expectation.vaspId));
    releaseDeposits(deps, tx, expectation);
    if (paid && deposits.byId(tx, paid.id)?.status === 'UNATTRIBUTED')
      addErrorAfterPayment(deps, tx, expectation, paid);
  });
}

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

  verifyUser: (request, effects) => verifyUser(deps, request, effects),

  transactionStatus: request => transactionStatus(deps, request),

  async callback(callback) {
    await receive(deps, callback);
    return TAKEN;
  },
});

/** Reads all that the answer needs, a chain's newest block included. A repeated request is recorded once. */
async function verifyUser(
  deps: RobotDeps,
  request: VaspVerifyUserRequest,
  effects: Effects,
): Promise<VaspVerifyUserAnswer | Postponed> {
  const users = await deps.users.of(request.originatingVaspId);
  const now = deps.clock.now(request.originatingVaspId);
  const judgement = judge(userSubject(request, users, { listed: deps.listedOriginators, now }));
  const { user, verdict } = judgement;
  const postponedMs = user && postponementMs(user.behaviour, deps.userTimeoutMs);
  const isInTime = (postponedMs ?? 0) < deps.userTimeoutMs;
  const { symbol } = request.assetInfo;
  const chain = isAssetSymbol(symbol) ? await deps.chain(symbol) : undefined;
  const isExpected = verdict.result === 'VERIFIED' && isInTime;
  const head = isExpected ? await newestBlock(deps, chain!, request.originatingVaspId) : undefined;
  effects.push(tx => {
    const isFirst = recordOnce(tx, judgementEntry(deps, request, judgement));
    if (isExpected && (isFirst || !expectations.find(tx, request.verificationUuid)))
      openExpectation(deps, tx, request, user!, chain!, head);
  });
  const { requiredBeneficiaryInfo, version, ivms101 } = request;
  const answer: VaspVerifyUserAnswer = { version, ...verdict };
  if (verdict.result === 'VERIFIED' && user)
    answer.ivms101 = { beneficiary: answerBeneficiary(user, requiredBeneficiaryInfo, ivms101.beneficiary) };
  return postponedMs === undefined ? answer : { postponedMs, answer };
}

/** For the timeline: the verdict with every rule that was tried. */
function judgementEntry(
  deps: RobotDeps,
  request: VaspVerifyUserRequest,
  { verdict, user, steps, nearMiss }: Judgement,
) {
  return {
    machine: 'judge',
    rowKey: request.verificationUuid,
    verificationUuid: request.verificationUuid,
    from: null,
    event: 'judged',
    to: verdict.result,
    at: deps.clock.now(request.originatingVaspId),
    cause: verdict.reason,
    detail: { user: user?.id, steps: keptOutcomes(steps), nearMiss },
  } as const;
}

async function receive(deps: RobotDeps, callback: Callback): Promise<void> {
  switch (callback.callbackType) {
    case 'TX_REPORT':
      return receiveTransactionReport(deps, callback.data);
    case 'ERROR_REPORT':
      return receiveErrorReport(deps, callback.data, await newestBlockFor(deps, callback.data.verificationUuid));
    case 'VERIFICATION_RESULT':
    case 'PROVIDER_A_KYT_RESULT':
    case 'PROVIDER_B_WCO_RESULT':
      return;
  }
}

/** Undefined also where the robot awaits nothing any more: no block is of interest. */
async function newestBlockFor(deps: RobotDeps, verificationUuid: string) {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return undefined;
  return newestBlock(deps, await deps.chain(expectation.symbol), expectation.vaspId);
}

/** A VASP waits at most this long for a chain that does not answer. */
const PATIENCE_MS = 1_000;

/**
 * D-18: the newest block before VERIFIED. The chain is asked: what it says now holds every block that a payer could have
 * seen. Where it does not answer, the newest block that was read counts. Undefined: none was read yet.
 */
async function newestBlock(
  deps: RobotDeps,
  chain: Chain,
  vaspId: string,
): Promise<Pick<Head, 'height' | 'hash'> | undefined> {
  const asking = chain.onBehalfOf(vaspId, () => deps.headOf(chain.symbol)).catch(() => undefined);
  const head = await firstWithin(PATIENCE_MS, [asking]);
  const known = [head, chain.seenHead].filter(block => block !== undefined);
  if (known.length === 0) return cursors.find(deps.db, chain.symbol) ?? undefined;
  return known.reduce((newest, each) => (each.height > newest.height ? each : newest));
}

/** D-17: the robot expects the deposit from now on. `head`: the newest block, read after the request (D-18). */
function openExpectation(
  deps: RobotDeps,
  tx: Tx,
  request: VaspVerifyUserRequest,
  user: User,
  chain: Chain,
  head: Pick<Head, 'height' | 'hash'> | undefined,
): void {
  const { verificationUuid, originatingVaspId: vaspId, assetInfo, ivms101 } = request;
  const symbol = assetInfo.symbol as AssetSymbol;
  const to = chain.parseAddress(ivms101.beneficiary.accountNumber[0]!)!;
  const createdAt = deps.clock.now(vaspId);
  const row = expectations.insert(tx, {
    verificationUuid,
    status: expectationMachine.initial,
    vaspId,
    userId: user.id,
    symbol,
    account: to.account,
    tag: to.tag ?? null,
    amount: toCoins(symbol, toBaseUnits(symbol, assetInfo.amount)),
    originatorAccounts: ivms101.originator.accountNumber.map(text => chain.parseAddress(text)?.account ?? text),
    verifiedHeight: head?.height ?? null,
    verifiedHash: head?.hash ?? null,
    inquireUntil: inquiryFrom(deps, createdAt).until,
    createdAt,
  });
  recordBegin(tx, expectationStatus, row, createdAt, `${row.amount} ${symbol} for ${user.id}`);
  orderFirstInquiry(deps, tx, row);
}

/**
 * The beneficiary of a VERIFIED answer: only the requested personal data, and the account numbers as received. For a
 * user with CHANGES-ACCOUNT-NUMBER the account numbers change, which leads to BENEFICIARY-ACCOUNT-NOT-MATCHED.
 * `requiredBeneficiaryInfo`: the comma list of the request. `received`: its beneficiary.
 */
export function answerBeneficiary(user: User, requiredBeneficiaryInfo: string, received: Beneficiary): Beneficiary {
  return {
    beneficiaryPersons: wantedPersons(user, parseRequiredInfo(requiredBeneficiaryInfo), received.beneficiaryPersons),
    accountNumber:
      user.behaviour === 'CHANGES-ACCOUNT-NUMBER'
        ? received.accountNumber.map(anotherAccount)
        : [...received.accountNumber],
  };
}

/** Another account of the same form: another tag, or another last hex digit. */
function anotherAccount(account: string): string {
  const [parent, tag] = splitAddress(account);
  if (tag !== undefined) return `${parent}:${Number(tag) % 2 === 0 ? Number(tag) + 1 : Number(tag) - 1}`;
  const last = Number.parseInt(account.slice(-1), 16);
  return `${account.slice(0, -1)}${(last ^ 1).toString(16)}`.toLowerCase();
}
