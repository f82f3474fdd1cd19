import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { type ChainProcesses, startChainProcesses } from '../support/world/external-chains.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** D-31: chains by URL that are looked at rarely. Money that arrives is noticed with its block, not at the next look. */
const POLL_MS = 2_000;
/** The state by itself would be read again after 45 polls, a wallet would try again after five. */
const SOON_MS = 4 * POLL_MS;
const RESERVE_DROPS = 1_000_000n;
const UNITS = { ETH: 10n ** 18n, XRP: 1_000_000n };

let chains: ChainProcesses;
let world: World;
beforeAll(async () => {
  chains = await startChainProcesses({ poor: true, drops: RESERVE_DROPS });
  const env = { ...chains.env, CHAIN_POLL_INTERVAL: `${POLL_MS}ms` };
  world = await createWorld({ chains: { ...chains, env }, clock: movingClock });
});
afterAll(() => world.close());

const attention = async (what: string): Promise<string> => {
  const items = (await world.api.health()).attention.filter(item => item.what === what);
  return items.map(({ text }) => text).join();
};
const isLow = async (symbol: AssetSymbol): Promise<boolean> =>
  (await attention('low-funds')).includes(`The treasury ${world.info.treasury[symbol]} has `);
const WAITS = { ETH: 'waits for fees from the treasury', XRP: 'XRP waits: low funds' };

test('D-31: a transfer that is too large holds no smaller one', async () => {
  expect(world.info.treasury.ETH).toMatch(/^0x(?=.*[A-F])[0-9a-fA-F]{40}$/);
  await received(world, { symbol: 'ETH', amount: '1' });
  // It leaves nothing for its fee.
  const first = await verifiedForRobot(world, { symbol: 'ETH', amount: '0.99999' });
  const second = await verifiedForRobot(world, { symbol: 'ETH', amount: '0.00001' });
  await world.api.robotWithdraw(first.uuid);
  await until(async () => (await attention('transfer-waiting')).includes('ETH waits: low funds'));
  await world.api.robotWithdraw(second.uuid);
  await reaches(world, second.uuid, 'CONFIRMED');
  const ledger = ledgerOf(world, 'ETH');
  expect(await ledger.balanceOf(second.to)).toBe(second.amount);
  expect(await ledger.balanceOf(first.to)).toBe('0');
});

test.each(ASSET_SYMBOLS)('%s: the transfer is paid and the state is over soon after the payment', async symbol => {
  // The account of this user has no money of the first test.
  const user = 'garrit-studio';
  const amount = await received(world, { user, symbol });
  const { uuid, to } = await verifiedForRobot(world, { user, symbol, amount });
  await world.api.robotWithdraw(uuid);
  await until(async () => (await attention('transfer-waiting')).includes(WAITS[symbol]));
  await until(() => isLow(symbol));
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
  await chains[symbol].fund(world.info.treasury[symbol]!, UNITS[symbol]);
  const fundedAt = performance.now();
  await world.advance('0s');
  await until(async () => !(await isLow(symbol)));
  expect(performance.now() - fundedAt).toBeLessThan(SOON_MS);
  await reaches(world, uuid, 'CONFIRMED');
  expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
});
