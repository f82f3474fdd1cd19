import type * as z from 'zod';
import { ASSETS, type AssetSymbol, accountProblem, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { SandboxDeps, Sending } from '../deps.ts';
import type { FaucetRequest } from './schema.ts';

/** A run of another VASP holds a ledger for a few seconds. */
const HELD_MS = 8_000;

/** Funds an address on an embedded chain, or lets a payment to it fail. Resolves when the transfer is final, or waits in a held one. Throws `Refusal`. */
export async function fundAddress(
  deps: SandboxDeps,
  { symbol, address, amount, fails = false, delivered, token = false, others }: z.output<typeof FaucetRequest>,
  caller: CallerId,
) {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const network = deps.networks[symbol];
  if (!network.fund) throw refusals.embeddedOnly();
  if (delivered !== undefined && symbol !== 'XRP')
    throw refusals.invalidField('delivered', 'should be absent: only the XRP Ledger has partial payments');
  const units = unitsOf(symbol, 'amount', amount);
  const part = delivered === undefined ? undefined : unitsOf(symbol, 'delivered', delivered);
  if (part !== undefined && part >= units) throw refusals.invalidField('delivered', 'should be less than `amount`');
  if (token && symbol !== 'ETH')
    throw refusals.invalidField('token', 'should be absent: an account of the XRP Ledger trusts no token by itself');
  if (others && symbol !== 'ETH')
    throw refusals.invalidField('others', 'should be absent: a payment of XRP pays one account');
  const chain = await network.chain();
  const accountOf = (field: string, text: string) => {
    const problem = accountProblem(symbol, text);
    if (problem) throw refusals.unknownAddress(field, problem);
    return chain.parseAddress(text)!;
  };
  const to = accountOf('address', address);
  const further = others?.map((each, index) => ({
    account: accountOf(`others[${index}].address`, each.address).account,
    amount: unitsOf(symbol, `others[${index}].amount`, each.amount),
  }));
  const options = {
    fails,
    token,
    before: (transaction: Sending) => deps.beforeSending(transaction, caller),
    ...(part === undefined ? {} : { delivered: part }),
    ...(further ? { others: further } : {}),
  };
  await deps.held.whenFree(symbol, caller, HELD_MS);
  const funded = await network.fund(to.account, to.tag, units, options);
  if (funded.isUnreachable) throw refusals.faucetUnreachable(symbol);
  if (funded.refused !== undefined && funded.isClosed)
    throw refusals.chainRefused('symbol', `cannot be paid now: ${funded.refused}`);
  if (funded.refused !== undefined) throw refusals.chainRefused('amount', `was refused: ${funded.refused}`);
  return { txHash: funded.txHash };
}

/** Throws `Refusal` invalid-field. */
export function unitsOf(symbol: AssetSymbol, field: string, amount: string): bigint {
  const { decimals } = ASSETS[symbol];
  const units = parseUnits(amount, decimals);
  if (typeof units === 'bigint') return units;
  throw refusals.invalidField(field, `should have at most ${decimals} decimals`);
}
