import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEVELOPMENT_KEYS } from '../../src/screening/port.ts';
import { addressOf, fixtureUsers } from '../support/judge/judge-request.ts';
import { FIXTURES } from '../support/paths.ts';
import { screeningOf } from '../support/screening/simulated-providers.ts';

const { sanction } = screeningOf();
const listingOf = async (asset: string, address: string) =>
  (await sanction.screen(DEVELOPMENT_KEYS, { asset, address })).listing;
const lines = (file: string) =>
  readFileSync(join(FIXTURES, 'screening', file), 'utf8')
    .split('\n')
    .filter(Boolean);

test('every address of the published ETH list is listed, in any case', async () => {
  const addresses = lines('sanctioned-eth.txt');
  expect(addresses).toHaveLength(152);
  for (const address of addresses)
    for (const spelling of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      expect((await listingOf('ETH', spelling))?.name, spelling).toContain('ETH');
});

test('the published XRP address is listed with and without a tag, in its exact case', async () => {
  const [address] = lines('sanctioned-xrp.txt');
  expect((await listingOf('XRP', address!))?.name).toContain('XRP');
  expect((await listingOf('XRP', `${address}:7`))?.name).toContain('XRP');
  expect(await listingOf('XRP', address!.toLowerCase())).toBeNull();
});

test('only the sanctioned user of the robot is listed, on both ledgers', async () => {
  for (const asset of ['ETH', 'XRP'] as const)
    for (const user of fixtureUsers) {
      const listing = await listingOf(asset, addressOf(user.id, asset));
      expect(listing?.name, user.id).toBe(user.behaviour === 'SANCTIONED-ADDRESS' ? 'Sandbox test list' : undefined);
    }
});

test('a token on a listed account is listed: the asset does not matter', async () => {
  expect(await listingOf('USDC', lines('sanctioned-eth.txt')[0]!)).not.toBeNull();
});
