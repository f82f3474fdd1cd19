import type * as z from 'zod';
import { ASSET_SYMBOLS, accountKey, isAssetSymbol } from '../../contract/assets.ts';
import { FINDINGS } from '../../contract/findings.ts';
import { REPORT_VERDICTS } from '../../contract/plan-list.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { MAX_COUNTED } from '../../contract/text.ts';
import type { ListedVerification } from '../../enclave/control.ts';
import { type Finding, findingsAmong } from '../../findings/store.ts';
import { toIso } from '../../kernel/clock.ts';
import type { ListedExpectation, ListedTransfer, RobotUsers } from '../../robot/control.ts';
import type { SandboxDeps } from '../deps.ts';
import { whyOf } from '../transfers.ts';
import type { DepositState, VerificationEntry, VerificationsQuery } from './schema.ts';

/** Verifications of this VASP with the state of their payment. */
export async function listVerifications(
  deps: SandboxDeps,
  { search = '', ...query }: z.output<typeof VerificationsQuery>,
  caller: CallerId,
) {
  const users = await deps.robot.usersOf(caller);
  const words = search
    .normalize('NFC')
    .split(/[\s\p{Cc}]+/u)
    .filter(word => word !== '')
    .map(text => ({ text, accounts: accountsOfUsers(users, text) }));
  const sought = { ...query, words };
  const { rows, next } = deps.enclave.listVerifications(sought, caller);
  const isWhole = next === null && query.before === undefined;
  const uuids = rows.map(({ uuid }) => uuid);
  const expectations = deps.robot.findExpectations(uuids);
  const transfers = deps.robot.findTransfers(uuids);
  const findings = findingsAmong(deps.db, uuids, caller);
  const partsOf = ({ uuid }: ListedVerification): Parts => ({
    users,
    expectation: expectations.get(uuid),
    transfer: transfers.get(uuid),
    findings: findings.get(uuid) ?? [],
  });
  return {
    verifications: rows.map(row => present(deps, partsOf(row), row, caller)),
    next: next === null ? null : String(next),
    total: deps.enclave.countVerifications(sought, caller, MAX_COUNTED + 1) ?? (isWhole ? rows.length : null),
  };
}

/** Account keys of the users whose id contains the text. */
const accountsOfUsers = (users: RobotUsers, text: string): string[] =>
  users
    .all()
    .filter(({ id }) => id.includes(text.toLowerCase()))
    .flatMap(user => ASSET_SYMBOLS.map(symbol => accountKey(symbol, user.accounts[symbol])));

/** The data of other stores about one verification. */
interface Parts {
  users: RobotUsers;
  expectation: ListedExpectation | undefined;
  transfer: ListedTransfer | undefined;
  findings: readonly Finding[];
}

function present(
  deps: SandboxDeps,
  parts: Parts,
  row: ListedVerification,
  caller: CallerId,
): z.output<typeof VerificationEntry> {
  const { users, expectation } = parts;
  const role = row.originatingVaspId === caller ? ('originating' as const) : ('beneficiary' as const);
  const counterparty = role === 'originating' ? row.beneficiaryVaspId : row.originatingVaspId;
  const isOpen = row.status === 'OPEN';
  return {
    verificationUuid: row.uuid,
    role,
    counterparty: { vaspId: counterparty, name: deps.enclave.vaspName(counterparty) },
    symbol: row.symbol,
    network: row.network,
    amount: row.amount,
    status: isOpen ? ('OPEN' as const) : ('COMPLETED' as const),
    result: row.status === 'OPEN' ? null : row.status,
    reason: row.reason,
    message: row.message,
    txHash: row.txHash,
    originatorAddress: row.originatorAccountNumber,
    beneficiaryAddress: row.beneficiaryAccountNumber,
    userId: counterparty === deps.robot.vaspId ? userOf(users, row, role) : null,
    money: moneyOf(row, parts),
    report: reportOf(expectation),
    findings: parts.findings.map(({ code, field, expected, got }) => ({
      code,
      clause: FINDINGS[code].clause,
      field,
      expected,
      got,
    })),
    createdAt: toIso(row.createdAt),
    verifiedAt: row.verifiedAt === null ? null : toIso(row.verifiedAt),
    orderedAt: row.orderedAt === null ? null : toIso(row.orderedAt),
  };
}

function userOf(users: RobotUsers, row: ListedVerification, role: 'originating' | 'beneficiary'): string | null {
  const address = role === 'originating' ? row.beneficiaryAccountNumber : row.originatorAccountNumber;
  return isAssetSymbol(row.symbol) ? (users.idAt(row.symbol, address) ?? null) : null;
}

function moneyOf(row: ListedVerification, { expectation, transfer }: Parts) {
  if (transfer) return { kind: 'transfer' as const, status: transfer.status, note: whyOf(transfer) };
  if (!expectation) return null;
  const deposit = (status: DepositState, note: string) => ({ kind: 'deposit' as const, status, note });
  if (expectation.status !== 'OPEN') return deposit(expectation.status, '');
  if (row.status === 'OPEN') return deposit('AWAITED', 'the verification has no result yet');
  if (row.status !== 'VERIFIED') return deposit('STOPPED', `the verification ended as ${row.status}`);
  const { txHash, txHashSource, verdict } = expectation;
  if (txHash === null) return deposit('AWAITED', 'no transaction hash is known yet');
  const state = verdict === null ? 'is looked up' : `${verdict}: ${REPORT_VERDICTS[verdict].meaning}`;
  return deposit('AWAITED', `${txHash} (from the ${txHashSource}): ${state}`);
}

function reportOf(expectation: ListedExpectation | undefined) {
  const { verdict, verdictExpected, verdictGot, verdictAt } = expectation ?? {};
  return verdict ? { verdict, expected: verdictExpected!, got: verdictGot!, at: toIso(verdictAt!) } : null;
}
