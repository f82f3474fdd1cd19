import { encode } from 'ripple-binary-codec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world/world.ts';

/** A transaction with thousands of fields would keep the codec, and so everybody, waiting for a second. */

let world: World;
/** Processor time that the codec takes for such a transaction. */
let ofCodec: number;
beforeAll(async () => {
  world = await createWorld();
  for (const method of ['simulate', 'submit', 'submit_multisigned'])
    await ask(method, { tx_json: transaction(1), tx_blob: encode(transaction(1)) });
  const began = process.cpuUsage();
  encode(transaction(7_000));
  ofCodec = process.cpuUsage(began).user;
});
afterAll(() => world.close());

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const memos = (count: number) => Array.from({ length: count }, () => ({ Memo: { MemoData: '00' } }));
const transaction = (count: number) => ({
  TransactionType: 'AccountSet',
  Account: ACCOUNT,
  Fee: '10',
  Sequence: 1,
  SigningPubKey: '',
  Memos: memos(count),
});
async function ask(method: string, params: object) {
  const body = JSON.stringify({ method, params: [params] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${world.url}/devnet/xrpl`, { method: 'POST', headers, body });
  return ((await answer.json()) as { result: Record<string, unknown> }).result;
}

test.each([
  ['simulate', () => ({ tx_json: transaction(7_000) })],
  ['simulate', () => ({ tx_blob: encode(transaction(7_000)) })],
  ['submit', () => ({ tx_blob: encode(transaction(7_000)) })],
  ['submit_multisigned', () => ({ tx_json: { ...transaction(7_000), Signers: [] } })],
])('%s: a transaction with 7,000 memos is refused', async (method, params) => {
  const given = params();
  const began = process.cpuUsage();
  const result = await ask(method, given);
  const { user } = process.cpuUsage(began);
  expect(result.status).toBe('error');
  expect(user).toBeLessThan(ofCodec);
});

test('simulate: as many memos as fit into 1024 bytes are taken', async () => {
  const { engine_result } = await ask('simulate', { tx_json: { ...transaction(150), Sequence: undefined } });
  expect(engine_result).toBe('tesSUCCESS');
});
