import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { ASSET_SYMBOLS, ASSETS, AssetInfo, accountProblem, priceOf } from '../../src/contract/assets.ts';
import { parse } from '../../src/contract/parse.ts';
import { KEY_TYPES, VerifyAccountRequest, VerifyUserRequest } from '../../src/contract/requests.ts';
import { isAtLeast } from '../../src/kernel/decimal.ts';
import { blocksOf, rowsOf, section } from '../support/docs/manual.ts';
import { createWorld } from '../support/world/world.ts';

const [, rest = ''] = section('Connecting your own VASP').split(/^### Every field$/m);
const [page = ''] = rest.split(/^### /m);
const bodies = blocksOf(page).map(({ text }) => JSON.parse(text));
const accounts = bodies.filter(body => 'payload' in body);
const assets = bodies.filter(body => 'tradePrice' in body);

test('the page names each network of each asset', () => {
  const [row] = rowsOf(page).filter(([field]) => field?.startsWith('`network`'));
  const named = row!.slice(1).map(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(named).toEqual(ASSET_SYMBOLS.map(symbol => ASSETS[symbol].networks));
});

test('the price of each amount is right, and so is what follows from it', () => {
  expect(assets.map(({ symbol }) => symbol)).toEqual(ASSET_SYMBOLS);
  for (const asset of assets) {
    const { symbol, amount, tradePrice, tradeCurrency, isExceedingThreshold } = parse(AssetInfo, asset);
    expect(tradePrice).toBe(priceOf(symbol, amount, tradeCurrency as 'KRW'));
    expect(isExceedingThreshold).toBe(isAtLeast(tradePrice, loadConfig({}).thresholds.KRW!));
  }
});

test('the robot answers the account verifications with VERIFIED', async () => {
  const world = await createWorld();
  expect(accounts.map(({ symbol }) => symbol)).toEqual(ASSET_SYMBOLS);
  for (const body of accounts) {
    const { payload, symbol } = parse(VerifyAccountRequest, body);
    expect(accountProblem(symbol as 'ETH', payload.ivms101.beneficiary.accountNumber[0]!)).toBeUndefined();
    expect(await world.api.verifyAccount(body)).toMatchObject({ accountVerificationResult: 'VERIFIED' });
  }
  await world.close();
});

test('the page explains every field of a user verification', () => {
  const explained = new Set([...page.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const members = (schema: { shape: object }) => Object.keys(schema.shape);
  const own = [...members(VerifyUserRequest), ...members(AssetInfo)].filter(
    name => !['assetInfo', 'payload'].includes(name),
  );
  for (const name of [...own, ...KEY_TYPES, 'version', 'originatorPersons', 'beneficiaryPersons', 'accountNumber'])
    expect(explained, name).toContain(name);
});
