import type { SandboxAnswers } from '../../client/answers.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { userRequest } from '../../sandbox/scenarios/requests.ts';
import type { DemoEnvironment } from '../environment.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import type { Wallet } from '../wallets.ts';

/** Input of a scene: the environment and one asset. */
export interface SceneContext extends DemoEnvironment {
  symbol: AssetSymbol;
  wallet: Wallet;
}

export const requestFor = (context: SceneContext, userId: string, amount: string): VerifyUserRequest =>
  userRequest({
    robotVaspId: context.info.robot.vaspId,
    user: context.user(userId),
    symbol: context.symbol,
    amount,
    from: context.wallet.address,
  });

export interface Verification {
  uuid: string;
  amount: string;
  /** Address of the beneficiary. */
  to: string;
}

/** Step: a user verification that ends VERIFIED. */
export async function verify(
  log: StepLog,
  context: SceneContext,
  userId: string,
  amount: string,
): Promise<Verification> {
  const request = requestFor(context, userId, amount);
  const [to = ''] = request.payload.ivms101.beneficiary.accountNumber;
  const uuid = await log.step(
    `user verification of ${amount} ${context.symbol} for ${userId}: VERIFIED / OK by callback`,
    async () => {
      const { verificationUuid } = await context.api.verifyUser(request);
      const { verificationResult, reason } = await context.vasp.callbackOf(
        verificationUuid,
        'VERIFICATION_RESULT',
      );
      expectEqual('the callback', [verificationResult, reason], ['VERIFIED', 'OK']);
      return verificationUuid;
    },
    uuid => `verificationUuid ${uuid}`,
  );
  return { uuid, amount, to };
}

/** Step: pays on the ledger. Returns the hash. */
export const pay = (log: StepLog, context: SceneContext, { amount, to }: Verification): Promise<string> =>
  log.step(
    `we pay ${amount} ${context.symbol}: the payment is in the ledger`,
    () => context.wallet.pay(to, amount),
    txHash => `to ${to}\ntransaction ${txHash}`,
  );

export const balanceAt = async ({ api, info, symbol }: SceneContext, address: string): Promise<string> =>
  (await api.balance(info.vasp.vaspId, symbol, address)).value;

/** The fired status queries of a verification, in minutes after `since`. */
export const queriesIn = (fired: SandboxAnswers['advance']['fired'], uuid: string, since: string): number[] =>
  fired
    .filter(timer => timer.kind === 'robot.deposit.inquire' && timer.key === uuid)
    .map(timer => Math.round((Date.parse(timer.dueAt) - Date.parse(since)) / 60_000));
