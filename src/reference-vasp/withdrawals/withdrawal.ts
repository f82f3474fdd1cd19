import * as z from 'zod';
import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { Customer } from '../../contract/customers.ts';
import { DriverParameters } from '../../contract/driver.ts';
import { Amount, SymbolText } from '../../contract/text.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { Signed } from '../ledgers/port.ts';

/** The last step of a withdrawal: a verification, the report, the payment, or an error report in place of the payment. */
const Goal = z.enum(['account', 'user', 'report', 'no-report', 'error']);
export type Goal = z.infer<typeof Goal>;

const driver = DriverParameters.shape;

/** A customer pays somebody at another VASP. */
export const Order = z.object({
  goal: Goal,
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

/** SIGNED: the payment is stored and will be sent. SENT: the report comes next. FOLLOWED: the payment is not final yet. */
export type OpenState =
  | 'ASKS-ACCOUNT'
  | 'ASKS-USER'
  | 'AWAITS-RESULT'
  | 'SCREENS'
  | 'VERIFIED'
  | 'SIGNED'
  | 'SENT'
  | 'FOLLOWED'
  | 'CANCELS';
/** FAILED: a verification was not possible. */
const LAST_STATES = ['DONE', 'DENIED', 'CANCELED', 'FAILED'] as const;
type LastState = (typeof LAST_STATES)[number];
export type WithdrawalState = OpenState | LastState;

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
