import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import type { SandboxDeps } from '../deps.ts';
import type { readTimeline } from '../timeline/read.ts';
import type { Callback, Entry } from './schema.ts';

export type TimelineEntry = ReturnType<typeof readTimeline>['timeline'][number];
/** Everything that an explanation says something about. */
export interface Known {
  entry: Entry;
  timeline: readonly TimelineEntry[];
  pending: ReturnType<typeof readTimeline>['pending'];
  callbacks: readonly Callback[];
  /** Fitting payments that no verification has. */
  unnamed: readonly Payment[];
  /** The counterparty is the robot. */
  isOfRobot: boolean;
}

/** Payments to one address among which those of one amount are looked for. */
const MOST_READ = 100;
const MOST_SHOWN = 4;

type Payment = ReturnType<SandboxDeps['robot']['listDeposits']>['deposits'][number];

/** Payments to the verified address with the verified amount that no verification has, newest first. */
export function unnamedPayments(
  { robot }: Pick<SandboxDeps, 'robot'>,
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
