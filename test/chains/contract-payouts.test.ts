import { beforeAll, describe, expect, it } from 'vitest';
import type { Chain, ValueTransfer } from '../../src/chains/port.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ethereumWorld } from '../support/chains/chain-world.ts';
import { CONTRACTS, deploy, sendTransaction, word } from '../support/chains/contracts.ts';
import { startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { forFile } from '../support/world/for-file.ts';

/** D-25, D-26: what a look-up shows of payments out of contracts. */

const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`];

const world = await forFile(ethereumWorld());
const rpc = await forFile(jsonRpc(world.url, 30_000));
const proxy = await forFile(startRpcProxy(world.url));
const withoutTracing = world.again({ url: proxy.url });

const linesOf = (transfers: ValueTransfer[]) =>
  transfers.map(({ index, to, amount, via }) => `${index} ${to.account} ${amount} ${via ?? 'plain'}`);
const lookedUp = async (chain: Chain, hash: string, account?: string) => {
  const { transfers } = await chain.lookup(hash, account);
  return linesOf(transfers);
};

/** As providers answer that do not offer the method. */
const REFUSALS = {
  'an error of JSON-RPC': {
    body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } },
  },
  'a page of text': { status: 403, text: '<html>Forbidden</html>' },
};

const CASES: { name: string; pay: () => Promise<string>; traced: () => string[]; untraced: () => string[] }[] = [
  ...['forwarder', 'self-destruct'].map(name => {
    let contract = '';
    return {
      name,
      async pay() {
        contract = await deploy(rpc, CONTRACTS[name === 'forwarder' ? 'forwarder' : 'selfDestructor']);
        return (await sendTransaction(rpc, { to: contract, value: 7n, data: `0x${word(ALICE)}` })).transactionHash;
      },
      traced: () => [`0 ${contract} 7 plain`, `1 ${ALICE} 7 contract`],
      untraced: () => [`0 ${contract} 7 plain`, `null ${ALICE} 7 contract`],
    };
  }),
  {
    name: 'a call without value does not count',
    async pay() {
      const contract = await deploy(rpc, CONTRACTS.selfDestructor);
      await rpc.call('anvil_setBalance', contract, '0x9');
      return (await sendTransaction(rpc, { to: contract, data: `0x${word(ALICE)}` })).transactionHash;
    },
    traced: () => [`0 ${ALICE} 9 contract`],
    untraced: () => [`null ${ALICE} 9 contract`],
  },
  (() => {
    let contract = '';
    return {
      name: 'multisend',
      async pay() {
        contract = await deploy(rpc, CONTRACTS.multisend);
        const data = `0x${word(BOB)}${word(3n)}${word(ALICE)}${word(0n)}${word(ALICE)}${word(4n)}`;
        return (await sendTransaction(rpc, { to: contract, value: 7n, data })).transactionHash;
      },
      traced: () => [`0 ${contract} 7 plain`, `1 ${BOB} 3 contract`, `2 ${ALICE} 4 contract`],
      untraced: () => [`0 ${contract} 7 plain`, `null ${ALICE} 4 contract`],
    };
  })(),
  (() => {
    let relay = '';
    return {
      name: 'a payout inside a reverted inner call',
      async pay() {
        relay = await deploy(rpc, CONTRACTS.relay);
        const reverter = await deploy(rpc, CONTRACTS.reverter);
        const data = `0x${word(reverter)}${word(ALICE)}`;
        return (await sendTransaction(rpc, { to: relay, value: 5n, data })).transactionHash;
      },
      traced: () => [`0 ${relay} 5 plain`],
      untraced: () => [`0 ${relay} 5 plain`],
    };
  })(),
];

describe.each(CASES)('D-25, D-26: $name', ({ pay, traced, untraced }) => {
  let hash: string;
  beforeAll(async () => {
    hash = await pay();
  });

  it('is complete on a node that traces', async () => {
    expect(await lookedUp(world.chain, hash, ALICE)).toEqual(traced());
  });

  it.each(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[])(
    'shows the balance of the account where debug_* answers %s',
    async refusal => {
      proxy.rule(({ method }) => (method.startsWith('debug_') ? REFUSALS[refusal] : undefined));
      expect(await lookedUp(withoutTracing, hash, ALICE)).toEqual(untraced());
    },
  );
});

it('D-26: the balance shows the contract alone, whatever else the block brought or took', async () => {
  const [account] = await rpc.call<string[]>('eth_accounts');
  const contract = await deploy(rpc, CONTRACTS.forwarder);
  await world.hold(true);
  const [, other] = await rpc.call<string[]>('eth_accounts');
  const send = (transaction: object) => rpc.call<string>('eth_sendTransaction', { gas: '0x100000', ...transaction });
  await send({ from: account, to: BOB, value: '0x64' });
  await send({ from: other, to: account, value: '0x32' });
  const hash = await send({ from: other, to: contract, value: '0x7', data: `0x${word(account!)}` });
  await world.hold(false);
  proxy.rule(({ method }) => (method.startsWith('debug_') ? REFUSALS['a page of text'] : undefined));
  const lines = await lookedUp(withoutTracing, hash, account!.toLowerCase());
  expect(lines).toEqual([`0 ${contract} 7 plain`, `null ${account!.toLowerCase()} 7 contract`]);
});
