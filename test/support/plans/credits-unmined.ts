import { formatUnits, toUnits } from '../../../src/kernel/decimal.ts';
import type { Boundary } from '../../../src/reference-vasp/vasp.ts';
import { rpcAt } from '../chains/on-chain.ts';

const DECIMALS = 18;

/** Credits what waits for a block of Ethereum. */
export const creditsUnmined = (sandbox: string): Boundary => ({
  serving: next => async request => {
    const body = await request.clone().text();
    const answer = await next(request);
    if (!body.includes('"balance"')) return answer;
    const { value } = (await answer.json()) as { value: string };
    const waiting = (await pendingValues(sandbox)).reduce((sum, each) => sum + each, 0n);
    return Response.json({ value: formatUnits(toUnits(value, DECIMALS) + waiting, DECIMALS) });
  },
});

async function pendingValues(sandbox: string): Promise<bigint[]> {
  const block = await rpcAt(`${sandbox}/devnet/ethereum`)<{ transactions: { value: string }[] }>(
    'eth_getBlockByNumber',
    'pending',
    true,
  );
  return block!.transactions.map(({ value }) => BigInt(value));
}
