import { expect, onTestFinished, test } from 'vitest';
import { Client } from 'xrpl';
import { scratchDatabase } from '../../support/db/scratch-database.ts';
import { checkHash } from '../../support/xrpl-ledger/invariants.ts';
import {
  accountOf,
  genesis,
  type Json,
  NETWORK_ID,
  payment,
  signed,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';
import { type LedgerProcess, startLedger } from '../../support/xrpl-network/server.ts';

const at = scratchDatabase();
const bob = accountOf('bob');
async function start(...more: string[]): Promise<LedgerProcess> {
  const running = await startLedger('--database', at('ledger.sqlite'), '--close-interval', '15', ...more);
  onTestFinished(() => void running.end('SIGKILL'));
  return running;
}

async function connected({ url }: LedgerProcess): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  return client;
}

const headOf = async (client: Client) =>
  Number((await client.request({ command: 'ledger_closed' })).result.ledger_index);
const sequenceOf = async (client: Client) => {
  const { result } = await client.request({
    command: 'account_info',
    account: genesis.address,
    ledger_index: 'current',
  });
  return result.account_data.Sequence;
};

/** Submits payments until `enough` of them were heard as validated; answers what was heard: hash -> ledger. */
async function load(client: Client, enough: number): Promise<Map<string, number>> {
  const heard = new Map<string, number>();
  await client.request({ command: 'subscribe', accounts: [bob.address] });
  const full = new Promise<void>(resolve => {
    client.on('transaction', message => {
      if (message.validated) heard.set(String(message.hash), Number(message.ledger_index));
      if (heard.size >= enough) resolve();
    });
  });
  const first = await sequenceOf(client);
  for (let n = 0; n < enough + 30; n++) {
    const json = payment(genesis, bob, 2n * XRP, { Sequence: first + n, Fee: '10', NetworkID: NETWORK_ID });
    client.request({ command: 'submit', tx_blob: signed(json, genesis) }).catch(() => {});
  }
  await full;
  return heard;
}

/** Every ledger from 2 to the head: chained, hashed, and with as many coins as were not burned. */
async function checkChain(client: Client): Promise<void> {
  let parent: Json | undefined;
  for (let index = 2, head = await headOf(client); index <= head; index++) {
    const wish = { command: 'ledger', ledger_index: index, transactions: true, expand: true, api_version: 1 } as const;
    const ledger = (await client.request(wish)).result.ledger as unknown as Json;
    checkHash(ledger);
    const fees = (ledger.transactions as Json[]).reduce((sum, tx) => sum + BigInt(String(tx.Fee)), 0n);
    if (parent) expect(ledger.parent_hash).toBe(parent.ledger_hash);
    if (parent) expect(BigInt(String(parent.total_coins)) - BigInt(String(ledger.total_coins))).toBe(fees);
    parent = ledger;
  }
}

test('after SIGKILL at any moment everything that was heard as validated is there, and the ledger goes on', {
  timeout: 60_000,
}, async () => {
  const heard = new Map<string, number>();
  for (const enough of [5, 40, 90]) {
    const running = await start();
    const client = await connected(running);
    for (const [hash, index] of await load(client, enough)) heard.set(hash, index);
    const ended = running.end('SIGKILL');
    client.disconnect().catch(() => {});
    expect(await ended).toBeNull();
  }
  const running = await start();
  const client = await connected(running);
  for (const [hash, index] of heard) {
    const { result } = await client.request({ command: 'tx', transaction: hash });
    expect(result).toMatchObject({ validated: true, ledger_index: index });
  }
  await checkChain(client);
  const state = {
    command: 'ledger',
    ledger_index: 'validated',
    accounts: true,
    expand: true,
    transactions: true,
    api_version: 1,
  } as const;
  checkHash((await client.request(state)).result.ledger as unknown as Json);
  await client.disconnect();
  expect(await running.end('SIGTERM')).toBe(0);
});

test('a file belongs to the network that it was made for', async () => {
  await expect(start('--network-id', '5')).rejects.toThrow(/belongs to network 21117, not to 5/);
});

test('a second process cannot open the file while the first one has it', async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(/locked/);
  expect(await first.end('SIGTERM')).toBe(0);
});
