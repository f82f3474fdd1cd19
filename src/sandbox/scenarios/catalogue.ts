import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { REASON_CODES, REASONS, type Reason } from '../../contract/reasons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../contract/requests.ts';
import { BEHAVIOURS } from '../../robot/users/behaviours.ts';
import type { UserDirectory } from '../../robot/users/directory.ts';
import type { User } from '../../robot/users/user.ts';
import type { SandboxDeps } from '../deps.ts';
import { FOREIGN, PROVOCATIONS } from './provocations.ts';
import { userRequest } from './requests.ts';

export const AMOUNT = '0.024';
export const ORDINARY_USER = 'taylor-robbins';
/** What an account verification looks at: the rules before the information (D-06). */
const OF_ACCOUNTS: ReadonlySet<Reason> = new Set([
  'OK',
  'UNKNOWN-SYMBOL',
  'UNKNOWN-NETWORK',
  'UNKNOWN-ADDRESS',
  'MISMATCHED-NAME',
  'UNVERIFIED-KYC',
]);

/** Every result and reason and every special behaviour, each with the exact input that provokes it. */
export async function listScenarios(deps: SandboxDeps) {
  const users = await deps.robot.users();
  return {
    scenarios: [
      ...REASON_CODES.map(reason => userVerification(deps, users, reason)),
      ...REASON_CODES.filter(reason => OF_ACCOUNTS.has(reason)).map(reason =>
        accountVerification(deps, users, reason),
      ),
      ...users
        .all()
        .filter(user => user.behaviour !== 'ORDINARY')
        .map(behaviour),
      ...deps.enclave.risk.scenarios.map(({ operation, outcome, user, expect }) => ({
        id: `${operation}: ${outcome}`,
        operation,
        user,
        how: `assess a verification with ${user}`,
        expect,
      })),
    ],
  };
}

function userVerification(deps: SandboxDeps, users: UserDirectory, reason: Reason) {
  const { how, user = ORDINARY_USER } = PROVOCATIONS[reason];
  return {
    id: `verify-user: ${reason}`,
    operation: 'verify-user',
    user,
    how,
    clause: REASONS[reason].clause,
    path: '/v1/verifications',
    ...(reason === 'REQUEST-TIMEOUT' ? { advance: '5s' } : {}),
    requests: perSymbol(symbol => changedRequest(deps, users, reason, symbol)),
    expect: { verificationResult: REASONS[reason].result, reason },
  };
}

function accountVerification(deps: SandboxDeps, users: UserDirectory, reason: Reason) {
  const { how, user = ORDINARY_USER } = PROVOCATIONS[reason];
  const isVerified = reason === 'OK';
  return {
    id: `verify-account: ${reason}`,
    operation: 'verify-account',
    user,
    how,
    clause: REASONS[reason].clause,
    path: '/v1/verifications/account',
    requests: perSymbol(symbol => asAccountRequest(changedRequest(deps, users, reason, symbol))),
    expect: isVerified
      ? { accountVerificationResult: 'VERIFIED' }
      : { accountVerificationResult: 'DENIED', reason },
  };
}

const behaviour = ({ id, behaviour }: User) => ({
  id: `behaviour: ${id}`,
  operation: BEHAVIOURS[behaviour].operation,
  user: id,
  how: BEHAVIOURS[behaviour].meaning,
  clause: BEHAVIOURS[behaviour].clause,
});

function changedRequest(
  deps: SandboxDeps,
  users: UserDirectory,
  reason: Reason,
  symbol: AssetSymbol,
): VerifyUserRequest {
  const { user: id = ORDINARY_USER, change } = PROVOCATIONS[reason];
  const user = users.byId(id)!;
  const request = structuredClone(
    userRequest({
      robotVaspId: deps.robot.vaspId,
      user: { ...user, accounts: users.accounts(user) },
      symbol,
      amount: AMOUNT,
      from: FOREIGN[symbol],
    }),
  );
  change?.(request);
  return request;
}

/** The same input as far as an account verification has it. */
function asAccountRequest({
  beneficiaryVaspId,
  keyType,
  assetInfo,
  payload,
}: VerifyUserRequest): VerifyAccountRequest {
  const { version, ivms101 } = payload;
  const { symbol, network } = assetInfo;
  return {
    keyType,
    beneficiaryVaspId,
    symbol,
    network,
    payload: { version, ivms101: { beneficiary: ivms101.beneficiary } },
  };
}

const perSymbol = <T>(make: (symbol: AssetSymbol) => T) =>
  Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, make(symbol)])) as Record<AssetSymbol, T>;
