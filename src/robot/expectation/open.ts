import type { Chain, Head } from '../../chains/port.ts';
import { type AssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordBegin } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import type { User } from '../users/user.ts';
import { expectationMachine, expectationStatus } from './machine.ts';
import { inquiryFrom, orderFirstInquiry } from './schedule.ts';
import * as expectations from './store.ts';

/** D-17: the robot expects the deposit from now on. `head`: the newest block, read after the request (D-18). */
export function openExpectation(
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
