import type { AssetSymbol } from '../../contract/assets.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { userRequest } from '../../sandbox/scenarios/requests.ts';
import type { Stage } from '../stage.ts';
import { expectEqual, type Story } from '../story.ts';
import type { Wallet } from '../wallets.ts';

/** What a scene plays with: the stage, and the asset that it is about. */
export interface SceneSet extends Stage {
  symbol: AssetSymbol;
  wallet: Wallet;
}

export const requestFor = (set: SceneSet, userId: string, amount: string): VerifyUserRequest =>
  userRequest({
    robotVaspId: set.info.robot.vaspId,
    user: set.user(userId),
    symbol: set.symbol,
    amount,
    from: set.wallet.address,
  });

export interface Verification {
  uuid: string;
  amount: string;
  /** Where the money belongs. */
  to: string;
}

/** Step: a user verification that ends VERIFIED. */
export async function verify(
  story: Story,
  set: SceneSet,
  userId: string,
  amount: string,
): Promise<Verification> {
  const request = requestFor(set, userId, amount);
  const [to = ''] = request.payload.ivms101.beneficiary.accountNumber;
  const uuid = await story.step(
    `user verification of ${amount} ${set.symbol} for ${userId}: VERIFIED / OK by callback`,
    async () => {
      const { verificationUuid } = await set.api.verifyUser(request);
      const { verificationResult, reason } = await set.vasp.callbackOf(
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

/** Step: the money goes its way. Answers the hash. */
export const pay = (story: Story, set: SceneSet, { amount, to }: Verification): Promise<string> =>
  story.step(
    `we pay ${amount} ${set.symbol}, and it is in the ledger`,
    () => set.wallet.pay(to, amount),
    txHash => `to ${to}\ntransaction ${txHash}`,
  );

export const balanceAt = async ({ api, info, symbol }: SceneSet, address: string): Promise<string> =>
  (await api.balance(info.vasp.vaspId, symbol, address)).value;

/** The status queries of a verification that fired while time was advanced, in minutes after `since`. */
export const queriesIn = (
  fired: readonly { kind: string; key: string; dueAt: string }[],
  uuid: string,
  since: string,
): number[] =>
  fired
    .filter(timer => timer.kind === 'robot.deposit.inquire' && timer.key === uuid)
    .map(timer => Math.round((Date.parse(timer.dueAt) - Date.parse(since)) / 60_000));
