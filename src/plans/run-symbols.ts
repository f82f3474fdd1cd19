import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import { accountOf, type Customer } from '../contract/customers.ts';
import type { RunWorld } from './world.ts';

export const runSymbols = ({ settings }: Pick<RunWorld, 'settings'>): readonly AssetSymbol[] =>
  settings.symbols ?? ASSET_SYMBOLS;

/** The first customer of this kind who has an account for the symbol. */
export const customerFor = (
  { customers }: Pick<RunWorld, 'customers'>,
  symbol: AssetSymbol,
  { kind = 'natural', kyc = true }: Partial<Pick<Customer, 'kind' | 'kyc'>> = {},
): Customer | undefined =>
  customers?.customers.find(each => each.kind === kind && each.kyc === kyc && accountOf(each, symbol) !== undefined);

/**
 * The symbol of the modules without one: the last one of the run that has a customer for them. The others have more
 * modules of their own.
 */
export function sharedSymbol(world: Pick<RunWorld, 'settings' | 'customers'>): AssetSymbol {
  const symbols = runSymbols(world);
  const isPlayable = (symbol: AssetSymbol) => !world.customers || customerFor(world, symbol) !== undefined;
  return symbols.findLast(isPlayable) ?? symbols[0]!;
}
