import { formatUnits, toUnits } from '../../../src/kernel/decimal.ts';
import type { Boundary } from '../../../src/reference-vasp/vasp.ts';

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
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['pending', true] };
  const headers = { 'content-type': 'application/json' };
  const url = `${sandbox}/devnet/ethereum`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) });
  const { result } = (await response.json()) as { result: { transactions: { value: string }[] } };
  return result.transactions.map(({ value }) => BigInt(value));
}
