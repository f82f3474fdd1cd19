import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../../src/contract/requests.ts';
import { robotAccountRequest, robotUserRequest } from '../../../src/contract/sample-requests.ts';
import type { TransactionStatus } from '../../../src/contract/verification.ts';
import { freshAddress } from '../chains/on-chain.ts';
import { until } from '../until.ts';
import type { World } from '../world/world.ts';
import { type Asker, type Payer, paid, verified } from './from-tested-vasp.ts';
import { balanceAt } from './inquiries.ts';

/** The deposit test: the robot is the originator, the tested VASP the beneficiary. */
export type BeneficiaryWorld = Pick<World, 'api' | 'vasp' | 'user' | 'vaspId' | 'amount'>;

export interface RobotWish {
  /** The user whose address pays. Default: taylor-robbins. */
  user?: string;
  symbol?: AssetSymbol;
  amount?: string;
  /** Default: an address that nobody has ever paid. */
  to?: string;
  change?: (request: VerifyUserRequest) => void;
}

export function robotVerificationOf(world: BeneficiaryWorld, wish: RobotWish = {}): VerifyUserRequest {
  const symbol = wish.symbol ?? 'ETH';
  const request = robotUserRequest({
    vaspId: world.vaspId,
    user: world.user(wish.user ?? 'taylor-robbins'),
    symbol,
    amount: wish.amount ?? world.amount(),
    to: wish.to ?? freshAddress(symbol),
  });
  const copy = structuredClone(request);
  wish.change?.(copy);
  return copy;
}

export const robotAccountOf = (
  world: Pick<BeneficiaryWorld, 'vaspId'>,
  symbol: AssetSymbol = 'ETH',
  to = freshAddress(symbol),
): VerifyAccountRequest => structuredClone(robotAccountRequest({ vaspId: world.vaspId, symbol, to }));

export interface RobotVerification {
  uuid: string;
  symbol: AssetSymbol;
  amount: string;
  from: string;
  to: string;
}

/** The robot has asked; the answer may still be open. */
export async function askedByRobot(world: BeneficiaryWorld, wish: RobotWish = {}): Promise<RobotVerification> {
  const request = robotVerificationOf(world, wish);
  const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
  const { symbol, amount } = request.assetInfo;
  const { originator, beneficiary } = request.payload.ivms101;
  const [[from = ''], [to = '']] = [originator.accountNumber, beneficiary.accountNumber];
  return { uuid, symbol: symbol as AssetSymbol, amount, from, to };
}

/** The robot has asked, the tested VASP has answered, the enclave has a result. */
export async function judgedForRobot(world: BeneficiaryWorld, wish: RobotWish = {}): Promise<RobotVerification> {
  const asked = await askedByRobot(world, wish);
  await world.api.advance('0s');
  return asked;
}

export async function verifiedForRobot(world: BeneficiaryWorld, wish: RobotWish = {}): Promise<RobotVerification> {
  const judged = await judgedForRobot(world, wish);
  const { result, reason } = await world.api.verification(judged.uuid);
  if (result !== 'VERIFIED') throw new Error(`${result} / ${reason}`);
  return judged;
}

/** The withdrawal test that must precede: so much is received and credited at the user's address. */
export async function received(
  world: Asker & Payer & Pick<World, 'vaspId'>,
  { user = 'taylor-robbins', symbol = 'ETH', amount }: RobotWish = {},
): Promise<string> {
  const verification = await verified(world, { user, symbol, ...(amount === undefined ? {} : { amount }) });
  const { uuid, to } = verification;
  const before = await balanceAt(world, symbol, to);
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(uuid, txHash);
  await until(async () => {
    await world.idle();
    return (await balanceAt(world, symbol, to)) !== before;
  });
  return verification.amount;
}

/** Resolves when a status query answers this. */
export async function reaches({ api }: Pick<World, 'api'>, uuid: string, status: TransactionStatus): Promise<void> {
  await until(async () => (await api.inquireTransaction(uuid)).transactionStatus === status);
}

/** Runs what is due until the robot's payment is CONFIRMED. */
export async function confirmed(world: Pick<World, 'api' | 'idle'>, uuid: string): Promise<void> {
  await until(async () => {
    await world.idle();
    return (await world.api.inquireTransaction(uuid)).transactionStatus === 'CONFIRMED';
  });
}

/** The robot has asked, paid, and its payment is CONFIRMED. */
export async function withdrawn(
  world: BeneficiaryWorld & Pick<World, 'idle'>,
  wish: RobotWish = {},
): Promise<RobotVerification> {
  const verification = await verifiedForRobot(world, wish);
  await world.api.robotWithdraw(verification.uuid);
  await confirmed(world, verification.uuid);
  return verification;
}

/** Moves on by itself, as the machine's does: transfers are followed on the chain's own time. */
export const movingClock = { now: () => Date.now() };
