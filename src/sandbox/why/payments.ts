import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Entry } from './schema.ts';

/** Payments to one address among which those of one amount are looked for. */
const MOST_READ = 100;
const MOST_SHOWN = 4;

export type Payment = ReturnType<SandboxDeps['robot']['listDeposits']>['deposits'][number];

/** Payments to the verified address with the verified amount that no verification has, newest first. */
export function unnamedPayments(
  { robot }: SandboxDeps,
  { role, money, symbol, amount, beneficiaryAddress }: Entry,
  caller: CallerId,
): Payment[] {
  if (role !== 'originating' || money === null || !isAssetSymbol(symbol)) return [];
  const { decimals } = ASSETS[symbol];
  const wanted = formatUnits(toUnits(amount, decimals), decimals);
  return robot
    .listDeposits({ address: beneficiaryAddress, limit: MOST_READ }, caller)
    .deposits.filter(
      payment => payment.symbol === symbol && payment.verificationUuid === null && payment.amount === wanted,
    )
    .slice(0, MOST_SHOWN);
}
