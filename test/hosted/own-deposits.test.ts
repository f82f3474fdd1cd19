import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { devnetAt, openWallet, type Wallet } from '../support/chains/wallets.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { readEvents } from '../support/http/event-reader.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedTenant } from '../support/world/hosted-world.ts';

/** What a VASP has paid to the robot without a verification: nobody else hears of it, and nothing of it stays. */

const DATABASE_PATH = scratchDatabase()('robot.sqlite');
const world = await forFile(createHostedWorld({ DATABASE_PATH, XRPL_CLOSE_INTERVAL: '50ms' }));

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  let payer: HostedTenant;
  let wallet: Wallet;
  let txHash: string;
  let other: HostedTenant;
  beforeEach(async () => {
    payer = await world.register();
    other = await world.register();
    wallet = await openWallet(symbol, `${devnetAt(symbol, world.url)}?key=${payer.apiKey}`);
    await payer.api.faucet(symbol, wallet.address, '30');
    txHash = await wallet.pay(paidUser(await payer.api.info()), '0.0123');
    await until(async () => {
      const { payments: deposits } = await payer.api.receivedPayments();
      return deposits.some(each => each.txHash === txHash && each.status === 'UNATTRIBUTED');
    });
    await wallet.close();
  });

  const paidUser = ({ users }: Awaited<ReturnType<HostedTenant['api']['info']>>): string =>
    users.find(({ id }) => id === 'taylor-robbins')!.accounts[symbol];
  const eventsOf = async ({ api }: HostedTenant): Promise<string> => {
    const reader = readEvents(api, { after: '0' });
    await reader.hears(({ event }) => event === 'clock');
    await reader.cut();
    return JSON.stringify(reader.heard);
  };
  /** The ledger itself keeps it for ever. */
  const isStored = (text: string): boolean =>
    ['', '-wal'].some(end => {
      const bytes = readFileSync(DATABASE_PATH + end);
      return bytes.includes(text) || bytes.includes(text.toLowerCase());
    });

  test('its events are of the payer', async () => {
    const own = await eventsOf(payer);
    expect(own).toContain(txHash);
    const foreign = await eventsOf(other);
    expect(foreign).not.toContain(txHash);
    expect(foreign).not.toContain(wallet.address);
  });

  test('G4: a forgotten VASP leaves no account of the payer', async () => {
    expect(isStored(wallet.address)).toBe(true);
    const { status } = await world.operator.call('DELETE', `/sandbox/v1/tenants/${payer.vaspId}`);
    expect(status).toBe(200);
    expect(isStored(wallet.address)).toBe(false);
  });

  test('G4: what its own user gets after it was forgotten names no payer', async () => {
    const { api, vaspId } = payer;
    await api.putUser('own', { kind: 'natural', names: { lastName: 'A', firstName: 'B' }, kyc: true });
    const to = (await api.info()).users.find(({ id }) => id === 'own')!.accounts[symbol];
    const [late, next] = await Promise.all(
      [other, other].map(({ apiKey }) => openWallet(symbol, `${devnetAt(symbol, world.url)}?key=${apiKey}`)),
    );
    for (const { address } of [late!, next!]) await other.api.faucet(symbol, address, '30');
    await world.operator.call('DELETE', `/sandbox/v1/tenants/${vaspId}`);
    await late!.pay(to, '0.5');
    const seen = await next!.pay(paidUser(await other.api.info()), '0.0124');
    await until(async () => (await other.api.receivedPayments()).payments.some(each => each.txHash === seen));
    expect([isStored(next!.address), isStored(late!.address)]).toEqual([true, false]);
    for (const each of [late!, next!]) await each.close();
  });

  test('a reset deletes its history', async () => {
    await payer.api.reset();
    expect(await eventsOf(payer)).not.toContain(txHash);
  });
});
