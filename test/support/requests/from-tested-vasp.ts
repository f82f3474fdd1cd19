import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../../../src/contract/requests.ts';
import { accountRequest, userRequest } from '../../../src/contract/sample-requests.ts';
import { FOREIGN } from '../../../src/sandbox/scenarios/provocations.ts';
import type { World } from '../world/world.ts';

export { legal, natural } from '../../../src/contract/persons.ts';
export { ORIGINATOR } from '../../../src/contract/sample-requests.ts';
export { FOREIGN } from '../../../src/sandbox/scenarios/provocations.ts';

/** A world or the built program: both can ask for a verification. */
export type Asker = Pick<World, 'api' | 'vasp' | 'user' | 'robotVaspId' | 'amount'>;
export type Payer = Pick<World, 'wallet' | 'idle'>;

export interface Wish {
  /** Default: taylor-robbins. */
  user?: string;
  symbol?: AssetSymbol;
  amount?: string;
  from?: string;
  /** Changes the one thing that a test is about. */
  change?: (request: VerifyUserRequest) => void;
}

/** A request that is VERIFIED, but for what `wish` changes. */
export function verificationOf(world: Asker, wish: Wish = {}): VerifyUserRequest {
  const symbol = wish.symbol ?? 'ETH';
  const request = userRequest({
    robotVaspId: world.robotVaspId,
    user: world.user(wish.user ?? 'taylor-robbins'),
    symbol,
    amount: wish.amount ?? world.amount(),
    from: wish.from ?? FOREIGN[symbol],
  });
  const copy = structuredClone(request);
  wish.change?.(copy);
  return copy;
}

export function accountOf(
  world: Asker,
  { user = 'taylor-robbins', symbol = 'ETH' }: Pick<Wish, 'user' | 'symbol'> = {},
  change: (request: VerifyAccountRequest) => void = () => {},
): VerifyAccountRequest {
  const copy = structuredClone(accountRequest({ robotVaspId: world.robotVaspId, user: world.user(user), symbol }));
  change(copy);
  return copy;
}

export interface Verified {
  uuid: string;
  symbol: AssetSymbol;
  amount: string;
  /** The address that the money belongs to. */
  to: string;
}

/** A verification that has ended VERIFIED, its callback taken. */
export async function verified(world: Asker, wish: Wish = {}): Promise<Verified> {
  const request = verificationOf(world, wish);
  const { verificationUuid: uuid } = await world.api.verifyUser(request);
  const { verificationResult, reason } = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  if (verificationResult !== 'VERIFIED') throw new Error(`${verificationResult} / ${reason}`);
  const { symbol, amount } = request.assetInfo;
  return { uuid, symbol: symbol as AssetSymbol, amount, to: request.payload.ivms101.beneficiary.accountNumber[0]! };
}

/** The same verification's payment, final on its ledger and read by the robot. Answers the hash. */
export async function paid(world: Payer, verification: Pick<Verified, 'symbol' | 'to' | 'amount'>) {
  const { symbol, to, amount } = verification;
  const wallet = await world.wallet(symbol);
  const txHash = await wallet.pay(to, amount);
  await world.idle();
  return txHash;
}
