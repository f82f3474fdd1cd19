import * as z from 'zod';
import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { Customer } from '../../contract/customers.ts';
import { DriverParameters } from '../../contract/driver.ts';
import { Amount, SymbolText } from '../../contract/text.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { Signed } from '../ledgers/port.ts';

/** The last step of a withdrawal. */
export const GOALS = {
  account: 'only the account verification',
  user: 'only the user verification',
  report: 'payment and report',
  'no-report': 'payment without a report',
  error: 'an error report instead of the payment',
} as const;
export type Goal = keyof typeof GOALS;

const driver = DriverParameters.shape;

/** A customer pays somebody at another VASP. */
export const Order = z.object({
  goal: z.enum(Object.keys(GOALS) as [Goal, ...Goal[]]),
  customer: Customer,
  symbol: SymbolText,
  amount: Amount,
  beneficiary: driver.beneficiary.unwrap(),
  network: driver.network,
  requiredBeneficiaryInfo: driver.requiredBeneficiaryInfo,
  omit: driver.omit,
  kinds: driver.kinds,
});
export type Order = z.infer<typeof Order>;

export const WITHDRAWAL_STATES = {
  'ASKS-ACCOUNT': 'The account verification comes next.',
  'ASKS-USER': 'The user verification comes next.',
  'AWAITS-RESULT': 'The user verification is open.',
  SCREENS: 'The assessments come next.',
  VERIFIED: 'The payment comes next.',
  SIGNED: 'The payment is stored and will be sent.',
  SENT: 'The report comes next.',
  FOLLOWED: 'The payment is not final yet.',
  CANCELS: 'The error report comes next.',
  DONE: 'It has reached its goal.',
  DENIED: 'The beneficiary VASP has not verified it.',
  CANCELED: 'It is canceled, and the error report is sent.',
  FAILED: 'A verification was not possible.',
} as const;
export type WithdrawalState = keyof typeof WITHDRAWAL_STATES;

const LAST_STATES = ['DONE', 'DENIED', 'CANCELED', 'FAILED'] as const;
type LastState = (typeof LAST_STATES)[number];
export type OpenState = Exclude<WithdrawalState, LastState>;

export const isOver = (state: WithdrawalState): state is LastState =>
  (LAST_STATES as readonly string[]).includes(state);

export interface Withdrawal {
  readonly id: string;
  readonly state: WithdrawalState;
  /** Of the user verification. */
  readonly uuid: string | undefined;
  readonly order: Order;
  readonly signed: Signed | undefined;
  /** Why it is in this state. */
  readonly note: string;
}

/** The amount in the smallest unit. Undefined: the VASP does not hold the asset, or the amount has too many decimals. */
export function unitsOf({ symbol, amount }: Order): bigint | undefined {
  const units = isAssetSymbol(symbol) ? parseUnits(amount, ASSETS[symbol].decimals) : undefined;
  return typeof units === 'bigint' ? units : undefined;
}
