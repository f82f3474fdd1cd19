import { expect, it } from 'vitest';
import { type BlockRef, type Chain, ChainReset, type Cursor } from '../../src/chains/port.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ethereumWorld } from '../support/chains/chain-world.ts';
import { forFile } from '../support/world/for-file.ts';

/** The blocks that were read outlive a restart: a reorganisation in between is followed. */

const world = await forFile(ethereumWorld());
const rpc = await forFile(jsonRpc(world.url, 30_000));

const ours = () => new Set([world.ours]);

interface Stored {
  txHash: string;
  cursor: Cursor;
  read: BlockRef[];
  /** Replaces all of these blocks by as many others. */
  reorganise(): Promise<void>;
}

/** So many blocks, read and stored. The first one holds a payment. */
async function readAndStored(blocks: number): Promise<Stored> {
  await world.advance(1);
  const first = await world.chain.incoming(null, ours());
  const read = [...(first.read ?? [])];
  let { cursor } = first;
  const snapshot = await rpc.call<string>('evm_snapshot');
  const txHash = await world.pay(world.ours, 5n);
  await world.advance(blocks - 1);
  for (let isRead = false; !isRead; ) {
    const page = await world.chain.incoming(cursor, ours());
    read.push(...(page.read ?? []));
    cursor = page.cursor;
    isRead = page.caughtUp;
  }
  const reorganise = async () => {
    await rpc.call('evm_revert', snapshot);
    await world.advance(blocks);
  };
  return { txHash, cursor, read, reorganise };
}

const afterRestart = (chain: Chain, cursor: Cursor, read: readonly BlockRef[]) =>
  chain.incoming(cursor, ours(), () => read);

it('a reorganisation of 200 blocks is read again from the last common one, which was stored', async () => {
  const { txHash, cursor, read, reorganise } = await readAndStored(200);
  await reorganise();
  const page = await afterRestart(world.again(), cursor, read);
  expect(page.rereadFrom).toBe(cursor.height - 200);
  expect(page.transfers.map(each => each.txHash)).not.toContain(txHash);
});

it('one that replaced every stored block is a reset', async () => {
  const { cursor, read, reorganise } = await readAndStored(257);
  await reorganise();
  await expect(afterRestart(world.again(), cursor, read)).rejects.toThrow(
    new ChainReset('a reorganisation replaced more than 256 blocks'),
  );
});

it('without a reorganisation nothing is read again, and the stored blocks are not asked for twice', async () => {
  const { cursor, read } = await readAndStored(3);
  const chain = world.again();
  await world.advance(1);
  const page = await afterRestart(chain, cursor, read);
  expect(page.rereadFrom).toBeUndefined();
  const neverAsked = () => {
    throw new Error('the reader remembers them');
  };
  expect((await chain.incoming(page.cursor, ours(), neverAsked)).caughtUp).toBe(true);
});
