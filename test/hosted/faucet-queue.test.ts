import { expect, test } from 'vitest';
import { freshAddress, rpcAt } from '../support/chains/on-chain.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** A creation that leaves `JUMPDEST; PUSH1 0; JUMP`: it takes whatever gas it gets. */
const ENDLESS = '0x635b6000566000526004601cf3';

const world = await forFile(createHostedWorld());

const asOperator = async <T>(method: string, ...params: unknown[]) =>
  (await rpcAt(`${world.url}/devnet/ethereum`, { authorization: `Bearer ${OPERATOR_KEY}` })<T>(method, ...params))!;

async function endlessContract(): Promise<string> {
  const [from] = await asOperator<string[]>('eth_accounts');
  const hash = await asOperator<string>('eth_sendTransaction', { from, data: ENDLESS, gas: '0x100000' });
  let address = '';
  await until(async () => {
    const receipt = await asOperator<{ contractAddress: string } | null>('eth_getTransactionReceipt', hash);
    address = receipt?.contractAddress ?? '';
    return address !== '';
  });
  return address;
}

test('B8: twenty payments of one VASP to a contract that loops: another VASP does not wait for them', async () => {
  const [greedy, other] = [await world.register(), await world.register()];
  const loop = await endlessContract();
  const order: string[] = [];
  const pay = (who: string, { api }: typeof greedy, address: string) =>
    api
      .call<{ code?: string }>('POST', '/sandbox/v1/faucet', { symbol: 'ETH', address, amount: '0.1' })
      .then(({ status }) => {
        order.push(`${who} ${status}`);
      });
  const many = Array.from({ length: 20 }, () => pay('greedy', greedy, loop));
  await pay('other', other, freshAddress('ETH'));
  await Promise.all(many);
  expect(order.filter(each => each === 'greedy 400')).toHaveLength(20);
  expect(order.indexOf('other 200')).toBeGreaterThanOrEqual(0);
  expect(order.indexOf('other 200')).toBeLessThan(5);
});
