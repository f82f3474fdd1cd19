import { encode } from 'ripple-binary-codec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world/world.ts';

/** A transaction with thousands of fields would keep the codec, and so everybody, waiting for a second. */

let world: World;
/** Processor time in µs that the codec takes for such a transaction. */
let ofCodec: number;
/** Other work of this process counts in one run, not in the least of several. */
async function leastTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 4; run++) {
    const began = process.cpuUsage();
    await work();
    times.push(process.cpuUsage(began).user);
  }
  return Math.min(...times);
}
beforeAll(async () => {
  world = await createWorld();
  for (const method of ['simulate', 'submit', 'submit_multisigned'])
    await ask(method, { tx_json: transaction(1), tx_blob: encode(transaction(1)) });
  ofCodec = await leastTime(async () => encode(transaction(7_000)));
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
  expect(await ask(method, given)).toMatchObject({ status: 'error' });
  expect(await leastTime(() => ask(method, given))).toBeLessThan(ofCodec / 2);
});

test('simulate: as many memos as fit into 1024 bytes are taken', async () => {
  const { engine_result } = await ask('simulate', { tx_json: { ...transaction(150), Sequence: undefined } });
  expect(engine_result).toBe('tesSUCCESS');
});
