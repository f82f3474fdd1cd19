import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ethereumWallet } from '../../src/chains/ethereum/wallet.ts';
import { client } from '../../src/client/client.ts';
import { startEthereumNode } from '../../src/devnet/ethereum.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { PAYER } from '../../src/plans/steps/deposit-requests.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';

/** A network of somebody else makes a block each second, and the VASP credits after fifteen: later than `--wait`. */

const CONFIRMATIONS = 15;
const USERS = 32;
const { chainId, mnemonic } = EXTERNAL;

let node: Awaited<ReturnType<typeof startEthereumNode>>;
let robot: Robot;
beforeAll(async () => {
  node = await startEthereumNode({ statePath: undefined, chainId, blockTimeSeconds: 1, log: silentLog });
  const wallet = ethereumWallet(mnemonic, chainId);
  await Promise.all(Array.from({ length: USERS }, (_, index) => node.fund(wallet.address(index), 10n ** 18n)));
  robot = await planSandbox({
    ETH_RPC_URL: node.url,
    ETH_CHAIN_ID: String(chainId),
    ETH_CONFIRMATIONS: String(CONFIRMATIONS),
    ROBOT_MNEMONIC: mnemonic,
    ALLOW_NETWORK: String(chainId),
    CHAIN_POLL_INTERVAL: '100ms',
  });
}, 120_000);
afterAll(async () => {
  await robot?.close();
  await node?.close();
});

/** To the user who pays the deposits of the plan. */
async function payWithVerification(amount: string): Promise<void> {
  const { api } = robot;
  const account = (await api.user(PAYER)).accounts.ETH;
  const query = new URLSearchParams({ symbol: 'ETH', amount, account });
  const { body: ready } = await api.call<Ready>('GET', `/sandbox/v1/requests/verify-user?${query}`);
  const { body: opened } = await api.call<{ verificationUuid: string }>('POST', ready.path, ready.body);
  await until(async () => (await api.verification(opened.verificationUuid)).result === 'VERIFIED');
  const { hash } = await node.fund(account, 10n ** 18n);
  await api.reportTransaction(opened.verificationUuid, hash);
}
interface Ready {
  path: string;
  body: object;
}

test('a VASP that waits for its confirmations has credited, and its payment is credited', async () => {
  const vasp = await joinSandbox({ url: robot.url });
  onTestFinished(vasp.stop);
  for (const { accounts } of vasp.customers.customers) await node.fund(accounts.ETH!, 10n ** 18n);
  await payWithVerification('1');
  const settings = { modules: ['W4.1', 'D3'], symbols: ['ETH'], wait: '1s' };
  const { result, modules } = await runAgainst(client(robot.url), settings);
  const credited = modules.map(({ conditions }) => conditions.find(({ id }) => id.endsWith('.credited'))?.result);
  expect([result, credited]).toEqual(['PASSED', ['PASSED', 'PASSED']]);
}, 300_000);
