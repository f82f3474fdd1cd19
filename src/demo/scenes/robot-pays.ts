import { personsOf, robotAccountRequest, robotUserRequest } from '../../sandbox/scenarios/requests.ts';
import { pause } from '../../timers/loop.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { customerOf, ourAddress, type SceneContext } from './context.ts';

/** Steps of the deposit test: the robot is the originator, we are the beneficiary. */

const LOOK_AGAIN_MS = 20;

export interface Deposit {
  uuid: string;
  amount: string;
  /** The robot's address that pays. */
  from: string;
  to: string;
}

/** Our customer, as a message of the robot names him. */
const beneficiaryOf = (context: SceneContext) => ({
  beneficiaryPersons: personsOf(customerOf(context)),
  accountNumber: [ourAddress(context)],
});

export function robotVerifiesAccount(context: SceneContext) {
  const { api, info, symbol } = context;
  const request = robotAccountRequest({ vaspId: info.vasp.vaspId, symbol, to: ourAddress(context) });
  request.payload.ivms101.beneficiary = beneficiaryOf(context);
  return api.letRobotVerifyAccount(request);
}

/** Step: the robot verifies a transfer to us, and we answer VERIFIED. */
export async function robotVerifies(
  log: StepLog,
  context: SceneContext,
  userId: string,
  amount: string,
): Promise<Deposit> {
  const { api, info, symbol } = context;
  const user = context.user(userId);
  const to = ourAddress(context);
  const uuid = await log.step(
    `the robot verifies ${amount} ${symbol} from ${userId} to us: we answer VERIFIED`,
    async () => {
      const request = robotUserRequest({ vaspId: info.vasp.vaspId, user, symbol, amount, to });
      request.payload.ivms101.beneficiary = beneficiaryOf(context);
      const { verificationUuid } = await api.letRobotVerifyUser(request);
      await api.advance('0s');
      const { result, originatingVaspId } = await api.verification(verificationUuid);
      expectEqual('result, originator', [result, originatingVaspId], ['VERIFIED', info.robot.vaspId]);
      return verificationUuid;
    },
    verificationUuid => `verificationUuid ${verificationUuid}`,
  );
  return { uuid, amount, from: user.accounts[symbol], to };
}

/** Asks until the status is `expected`. Returns the last answer. */
export async function statusOf({ api }: SceneContext, { uuid }: Deposit, expected: string) {
  for (;;) {
    const status = await api.inquireTransaction(uuid);
    if (status.transactionStatus === expected) return status;
    await pause(LOOK_AGAIN_MS);
  }
}

/** Step: the request is refused with 400 and this code. */
export const refused = (
  log: StepLog,
  title: string,
  path: string,
  body: object,
  context: SceneContext,
  code: string,
) =>
  log.step(
    `${title}: 400 ${code}`,
    async () => {
      const answer = await context.api.call<{ code: string; message: string }>('POST', path, body);
      expectEqual('the answer', [answer.status, answer.body.code], [400, code]);
      return answer.body.message;
    },
    message => message,
  );
