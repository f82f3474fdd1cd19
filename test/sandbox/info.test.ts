import { describe, expect, test } from 'vitest';
import { version } from '../../src/kernel/program.ts';
import { loadUsers } from '../../src/robot/judge/subject.ts';
import { InfoResponse } from '../../src/sandbox/info.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { FIXTURES } from '../support/paths.ts';
import { createChainlessWorld } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const at = scratchDatabase();
const world = await forFile(createWorld());

describe('GET /info', () => {
  test('tells who is who, the chains, and every user with its addresses: exactly its fields', async () => {
    const info = await world.api.info();
    expect(InfoResponse.parse(info)).toEqual(info);
    expect(info).toMatchObject({
      version,
      mode: 'embedded',
      retention: null,
      robot: { vaspId: '17104899575711300402', name: 'RobotVASP' },
      vasp: { vaspId: '15952089931162058999', name: 'Tested VASP' },
      chains: [
        { symbol: 'ETH', network: 'Ethereum', id: 31_337, url: '/devnet/ethereum', embedded: true },
        { symbol: 'XRP', network: 'Ripple', id: 21_117, url: '/devnet/xrpl', embedded: true },
      ],
    });
    for (const chain of info.chains) {
      expect(chain.head).toBeGreaterThanOrEqual(0);
      expect(chain.headAgeMs).toBeGreaterThanOrEqual(0);
    }
    expect(info.users.map(({ id }) => id)).toEqual(loadUsers(FIXTURES).map(({ id }) => id));
    const eth = info.users.map(({ accounts }) => accounts.ETH);
    const xrp = info.users.map(({ accounts }) => accounts.XRP);
    expect(new Set(eth).size).toBe(eth.length);
    expect(new Set(xrp).size).toBe(xrp.length);
    for (const address of eth) expect(address).toMatch(/^0x[\da-fA-F]{40}$/);
    for (const address of xrp) expect(address).toMatch(/^r\w{24,34}:\d+$/);
    expect(new Set(xrp.map(address => address.split(':')[0])).size).toBe(1);
  });

  test('a chain without a transaction is not old', async () => {
    const fresh = await createWorld({ endpoints: [] });
    try {
      const age = ({ symbol, headAgeMs }: { symbol: string; headAgeMs: number | null }) =>
        symbol === 'ETH' ? [headAgeMs] : [];
      expect((await fresh.api.info()).chains.flatMap(age)).toEqual([0]);
      expect((await fresh.api.health()).chains.flatMap(age)).toEqual([0]);
    } finally {
      await fresh.close();
    }
  });

  test('names the VASP that asks', async () => {
    const { apiKey } = await world.api.registerVasp('9001', { name: 'Other' });
    expect((await world.as(apiKey!).info()).vasp).toEqual({ vaspId: '9001', name: 'Other' });
  });

  test('shows no part of a configured address that may be a key', async () => {
    const desk = await createChainlessWorld(at('info.sqlite'), {
      ETH_RPC_URL: 'http://user:pass@127.0.0.1:1/v3/hidden-key?token=hidden-token',
      XRPL_URL: 'ws://127.0.0.1:1/hidden-path',
    });
    expect(desk.info).toMatchObject({
      mode: 'testnet',
      chains: [{ embedded: false, head: null, id: null }, { embedded: false }],
    });
    expect(JSON.stringify(desk.info)).not.toMatch(/hidden|pass@/);
    expect(desk.info.chains.map(({ url }) => url)).toEqual(['http://127.0.0.1:1', 'ws://127.0.0.1:1']);
    const { status, body } = await desk.api.call('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address: '0x5811001506550d8356a215be229c15b6ef371a9b',
      amount: '1',
    });
    expect([status, body]).toMatchObject([409, { code: 'EMBEDDED-ONLY' }]);
    await desk.close();
  });
});

describe('POST /faucet', () => {
  const ask = (body: object) =>
    world.api.call<{ code: string; message: string; txHash: string }>('POST', '/sandbox/v1/faucet', body);
  const ETH = '0x5811001506550d8356a215be229c15b6ef371a9b';
  const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';

  test('funds an address with a real transfer, and answers its hash', async () => {
    const eth = await ask({ symbol: 'ETH', address: ETH, amount: '0.000000000000000001' });
    expect([eth.status, eth.body]).toEqual([200, { txHash: expect.stringMatching(/^0x[\da-f]{64}$/) }]);
    const xrp = await ask({ symbol: 'XRP', address: `${XRP}:0`, amount: '100.000001' });
    expect([xrp.status, xrp.body]).toEqual([200, { txHash: expect.stringMatching(/^[\dA-F]{64}$/) }]);
  });

  test.each([
    ['an asset of nobody', { symbol: 'BTC', address: ETH, amount: '1' }, 'UNKNOWN-SYMBOL', 'BTC'],
    ['an address of the other chain', { symbol: 'XRP', address: ETH, amount: '1' }, 'UNKNOWN-ADDRESS', '`address`'],
    ['no address', { symbol: 'ETH', address: '0x01', amount: '1' }, 'UNKNOWN-ADDRESS', '`address`'],
    [
      'a wrong checksum',
      { symbol: 'ETH', address: ETH.replace('d', 'D'), amount: '1' },
      'UNKNOWN-ADDRESS',
      'checksum of EIP-55',
    ],
    [
      'a tag of 4294967296',
      { symbol: 'XRP', address: `${XRP}:4294967296`, amount: '1' },
      'UNKNOWN-ADDRESS',
      '`address` should have a destination tag from 0 to 4294967295',
    ],
    [
      'a tag of 00',
      { symbol: 'XRP', address: `${XRP}:00`, amount: '1' },
      'UNKNOWN-ADDRESS',
      '`address` should have a destination tag from 0 to 4294967295, without leading zeros',
    ],
    ...['1e3', '-1', '0', 'NaN', '01', '.5', `0.${'0'.repeat(18)}1`].map(
      amount => [`${amount} ETH`, { symbol: 'ETH', address: ETH, amount }, 'BAD-REQUEST', '`amount`'] as const,
    ),
    ['7 decimals of XRP', { symbol: 'XRP', address: XRP, amount: '1.0000001' }, 'BAD-REQUEST', '`amount`'],
  ] as const)('%s is refused', async (_, body, code, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code], answer.body.message).toEqual([400, code]);
    expect(answer.body.message).toContain(message);
  });

  test.each([
    ['ETH', ETH, '9'.repeat(60)],
    ['XRP', XRP, '9'.repeat(60)],
    ['XRP', XRP, '100000000000'],
    ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', '1'],
    ['XRP', 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv', '0.5'],
  ])('%s to %s, %s: what the chain refuses is 400 and breaks nothing', async (symbol, address, amount) => {
    const { status, body } = await ask({ symbol, address, amount });
    expect([status, body.code], body.message).toEqual([400, 'CHAIN-REFUSED']);
    expect(body.message).toMatch(/^`amount` was refused: \S/);
    expect((await ask({ symbol, address: symbol === 'ETH' ? ETH : XRP, amount: '1' })).status).toBe(200);
  });

  test('a ledger that is held is the reason, not the amount', async () => {
    await world.api.setControl('XRP', 'hold', { on: true });
    const { status, body } = await ask({ symbol: 'XRP', address: XRP, amount: '100' });
    await world.api.setControl('XRP', 'hold', { on: false });
    expect([status, body.code]).toEqual([400, 'CHAIN-REFUSED']);
    expect(body.message).toMatch(/^`symbol` cannot be paid now: no ledger closes while the chain control `hold` is on/);
  });
});
