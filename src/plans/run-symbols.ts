import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import { accountOf } from '../contract/customers.ts';
import type { RunWorld } from './world.ts';

export const runSymbols = ({ settings }: Pick<RunWorld, 'settings'>): readonly AssetSymbol[] =>
  settings.symbols ?? ASSET_SYMBOLS;

/**
 * The symbol of the modules without one: the last one of the run that a customer has an account for. The others have more
 * modules of their own.
 */
export function sharedSymbol({ settings, customers }: Pick<RunWorld, 'settings' | 'customers'>): AssetSymbol {
  const symbols = runSymbols({ settings });
  const hasAccount = (symbol: AssetSymbol) =>
    customers?.customers.some(each => accountOf(each, symbol) !== undefined) ?? true;
  return symbols.findLast(hasAccount) ?? symbols[0]!;
}
