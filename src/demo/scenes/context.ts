import type { SandboxAnswers } from '../../client/answers.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { DriverAction } from '../../contract/driver.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { userRequest } from '../../sandbox/scenarios/requests.ts';
import { driveWith } from '../drive.ts';
import type { DemoEnvironment } from '../environment.ts';
import { callbackOf, verificationOf } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';

/** Input of a scene: the environment and one asset. */
export interface SceneContext extends DemoEnvironment {
  symbol: AssetSymbol;
}

/** The person whose VASP we are. */
export const customerOf = ({ vasp }: SceneContext) => vasp.customers.customers[0]!;
export const ourAddress = (context: SceneContext): string => customerOf(context).accounts[context.symbol]!;

export const requestFor = (context: SceneContext, userId: string, amount: string): VerifyUserRequest =>
  userRequest({
    robotVaspId: context.info.robot.vaspId,
    user: context.user(userId),
    symbol: context.symbol,
    amount,
    from: ourAddress(context),
  });

export interface Order {
  /** Id of the robot's user who is paid. */
  user: string;
  /** Each amount is ordered once, so that its verification is found by it. */
  amount: string;
}

export interface Ordered extends Order {
  uuid: string;
  /** Address of the beneficiary. */
  to: string;
}

/** Step: our VASP begins `action`, and its user verification ends VERIFIED. */
export async function order(
  log: StepLog,
  context: SceneContext,
  action: DriverAction,
  { user, amount }: Order,
): Promise<Ordered> {
  const { api, vasp, symbol } = context;
  const uuid = await log.step(
    `user verification of ${amount} ${symbol} for ${user}: VERIFIED / OK by callback`,
    async () => {
      await driveWith(api, vasp)({ action, symbol, amount, user });
      const row = await verificationOf(api, symbol, amount, () => true);
      const data = await callbackOf(api, row.verificationUuid, 'VERIFICATION_RESULT');
      expectEqual('the callback', [data.verificationResult, data.reason], ['VERIFIED', 'OK']);
      return row.verificationUuid;
    },
    uuid => `verificationUuid ${uuid}`,
  );
  return { uuid, user, amount, to: context.user(user).accounts[symbol] };
}

/** Two steps: our VASP pays the robot and reports it. Answers verification and hash. */
export async function withdraw(
  log: StepLog,
  context: SceneContext,
  wanted: Order,
): Promise<Ordered & { txHash: string }> {
  const { api, symbol } = context;
  const ordered = await order(log, context, 'withdraw', wanted);
  const { amount, to } = ordered;
  const txHash = await log.step(
    `we pay ${amount} ${symbol}, and report the transaction: it is credited`,
    async () => {
      const row = await verificationOf(api, symbol, amount, each => each.report?.verdict === 'CREDITED');
      return row.txHash!;
    },
    hash => `to ${to}\ntransaction ${hash}`,
  );
  return { ...ordered, txHash };
}

export const balanceAt = async ({ api, info, symbol }: SceneContext, address: string): Promise<string> =>
  (await api.balance(info.vasp.vaspId, symbol, address)).value;

/** The fired status queries of a verification, in minutes after `since`. */
export const queriesIn = (fired: SandboxAnswers['advance']['fired'], uuid: string, since: string): number[] =>
  fired
    .filter(timer => timer.kind === 'robot.deposit.inquire' && timer.key === uuid)
    .map(timer => Math.round((Date.parse(timer.dueAt) - Date.parse(since)) / 60_000));
