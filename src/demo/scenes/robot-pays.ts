import { robotUserRequest } from '../../sandbox/scenarios/requests.ts';
import { pause } from '../../timers/loop.ts';
import { expectEqual, type Story } from '../story.ts';
import { balanceAt, pay, type SceneSet, verify } from './set.ts';

/** Steps of the deposit test: the robot is the originator, we are the beneficiary. */

const LOOK_AGAIN_MS = 20;

export interface Deposit {
  uuid: string;
  amount: string;
  /** The robot's address that pays. */
  from: string;
  to: string;
}

/** Where we want to be paid. */
export const ourAddress = ({ symbol, wallet }: SceneSet): string =>
  symbol === 'XRP' ? `${wallet.address}:1` : wallet.address;

/** The withdrawal test, which must precede: what the robot has received it can pay. */
export async function robotReceives(
  story: Story,
  set: SceneSet,
  userId: string,
  amount: string,
): Promise<void> {
  const verification = await verify(story, set, userId, amount);
  const txHash = await pay(story, set, verification);
  await story.step(`we report it: the robot has ${amount} ${set.symbol} of ours`, async () => {
    await set.api.reportTransaction(verification.uuid, txHash);
    await set.api.advance('0s');
    expectEqual('the balance', await balanceAt(set, verification.to), amount);
  });
}

/** Step: the robot verifies a transfer to us, and we answer VERIFIED. */
export async function robotVerifies(
  story: Story,
  set: SceneSet,
  userId: string,
  amount: string,
): Promise<Deposit> {
  const { api, info, symbol } = set;
  const user = set.user(userId);
  const to = ourAddress(set);
  const uuid = await story.step(
    `the robot verifies ${amount} ${symbol} from ${userId} to us: we answer VERIFIED`,
    async () => {
      const request = robotUserRequest({ vaspId: info.vasp.vaspId, user, symbol, amount, to });
      const { verificationUuid } = await api.letRobotVerifyUser(request);
      await api.advance('0s');
      const { result, originatingVaspId } = await api.verification(verificationUuid);
      expectEqual('result, originator', [result, originatingVaspId], ['VERIFIED', info.robot.vaspId]);
      return verificationUuid;
    },
    told => `verificationUuid ${told}`,
  );
  return { uuid, amount, from: user.accounts[symbol], to };
}

/** Asks until the status is this one; answers the last. */
export async function statusOf({ api }: SceneSet, { uuid }: Deposit, wanted: string) {
  for (;;) {
    const status = await api.inquireTransaction(uuid);
    if (status.transactionStatus === wanted) return status;
    await pause(LOOK_AGAIN_MS);
  }
}

/** Step: `act` is answered 400 with this code. */
export const refused = (
  story: Story,
  title: string,
  path: string,
  body: object,
  set: SceneSet,
  code: string,
) =>
  story.step(
    `${title}: 400 ${code}`,
    async () => {
      const answer = await set.api.call<{ code: string; message: string }>('POST', path, body);
      expectEqual('the answer', [answer.status, answer.body.code], [400, code]);
      return answer.body.message;
    },
    message => message,
  );
