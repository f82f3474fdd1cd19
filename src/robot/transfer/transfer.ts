import type { Chain } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { transfers } from '../../db/schema/robot.ts';
import type { RobotDeps } from '../deps.ts';

export type Transfer = typeof transfers.$inferSelect;
export type NewTransfer = typeof transfers.$inferInsert;

export interface Wallet {
  symbol: AssetSymbol;
  account: string;
}
/** A wallet with its chain, and what it takes to pay from it. */
export interface OpenWallet extends Wallet {
  chain: Chain;
  deps: RobotDeps;
}

/** Stands in `vaspId`: of fillers and top-ups, and of transfers whose VASP was reset. */
export const NOBODY = '';
/** Stands in `toAccount`. */
export const FORGOTTEN = '';
export const isOver = ({ status }: Transfer): boolean => status === 'CONFIRMED' || status === 'CANCELED';
export const isForgotten = ({ toAccount }: Transfer): boolean => toAccount === FORGOTTEN;
