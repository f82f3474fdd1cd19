import type * as z from 'zod';
import type { Client } from '../../client/client.ts';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { systemClock } from '../../kernel/clock.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { personsOf, robotUserRequest } from '../scenarios/requests.ts';
import { type Act, driveWith } from './drive.ts';
import { type Verification, verificationOf } from './outcomes.ts';
import type { Driven } from './port.ts';
import type { FillResponse } from './schema.ts';

type Filled = z.infer<typeof FillResponse>['verifications'];

const SCENES: readonly (Pick<Act, 'action' | 'user'> & { title: string; result: string })[] = [
  { title: 'a withdrawal with its report', action: 'withdraw', user: 'taylor-robbins', result: 'VERIFIED' },
  { title: 'a withdrawal to a company', action: 'withdraw', user: 'garrit-studio', result: 'VERIFIED' },
  {
    title: 'a withdrawal without a report',
    action: 'send-without-report',
    user: 'taylor-robbins',
    result: 'VERIFIED',
  },
  { title: 'a canceled withdrawal', action: 'report-error', user: 'taylor-robbins', result: 'ERROR' },
  { title: 'a denied withdrawal: no KYC', action: 'verify-user', user: 'ethan-cook', result: 'DENIED' },
];

/** Plays withdrawals and a deposit in each asset. */
export async function fill(api: Client, vasp: Driven): Promise<Filled> {
  const played: Filled = [];
  for (const symbol of ASSET_SYMBOLS) {
    for (const scene of SCENES) played.push(await withdrawal(api, vasp, symbol, scene));
    played.push(await deposit(api, vasp, symbol));
  }
  return played;
}

async function withdrawal(
  api: Client,
  vasp: Driven,
  symbol: AssetSymbol,
  { title, action, user, result }: (typeof SCENES)[number],
): Promise<Filled[number]> {
  const amount = freshAmount(symbol);
  await driveWith(api, vasp)({ action, symbol, amount, user });
  const isOver = (row: Verification) =>
    row.result === result && (action !== 'withdraw' || row.report?.verdict === 'CREDITED');
  const row = await verificationOf(api, symbol, amount, isOver);
  await api.advance('0s');
  return { verificationUuid: row.verificationUuid, title: `${symbol}: ${title}`, result };
}

/** The robot pays back less than it has received. */
async function deposit(api: Client, vasp: Driven, symbol: AssetSymbol): Promise<Filled[number]> {
  const { users, vasp: own } = await api.info();
  const [customer] = vasp.customers.customers;
  const user = users.find(({ id }) => id === 'taylor-robbins')!;
  const amount = freshAmount(symbol, 2n);
  const request = robotUserRequest({
    vaspId: own.vaspId,
    user,
    symbol,
    amount,
    to: customer!.accounts[symbol]!,
  });
  request.payload.ivms101.beneficiary.beneficiaryPersons = personsOf(customer!);
  const { verificationUuid } = await api.letRobotVerifyUser(request);
  await verificationOf(api, symbol, amount, row => row.result === 'VERIFIED');
  await api.letRobotWithdraw(verificationUuid);
  await verificationOf(api, symbol, amount, row => row.txHash !== null);
  return { verificationUuid, title: `${symbol}: a deposit with its report`, result: 'VERIFIED' };
}

let count = 0n;
/** Hardly ever the same twice, so that a list finds its verification by it. About 0.01. */
function freshAmount(symbol: AssetSymbol, divisor = 1n): string {
  count += 1n;
  const millionths = 10_000n + (BigInt(systemClock.now()) % 9_000n) + count;
  return formatUnits(
    (millionths / divisor) * 10n ** BigInt(ASSETS[symbol].decimals - 6),
    ASSETS[symbol].decimals,
  );
}
