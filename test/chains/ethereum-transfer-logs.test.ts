import { expect, test } from 'vitest';
import { loggedTransfers } from '../../src/chains/ethereum/incoming.ts';
import type { BlockTransaction, FullBlock, Log } from '../../src/chains/ethereum/node.ts';

/** EIP-7708, D-25: the logs of a block with Amsterdam rules, as geth 1.17.10 answers them. */

const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const [PAYER, CONTRACT, ALICE] = [`0x${'71'.repeat(20)}`, `0x${'c0'.repeat(20)}`, `0x${'a1'.repeat(20)}`];

const log = (from: string, to: string, amount: bigint, address = SYSTEM): Log => ({
  address,
  topics: [TRANSFER, ...[from, to].map(account => `0x${account.slice(2).padStart(64, '0')}`)],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
  transactionHash: '0x01',
});
const transaction = (value: string, to: string | null = CONTRACT) =>
  ({ hash: '0x01', from: PAYER, to, value, nonce: '0x0', gas: '0x100000' }) as BlockTransaction;
const AMSTERDAM = { blockAccessListHash: '0xd3' } as FullBlock;
const linesOf = (block: FullBlock, value: string, logs: Log[], to?: string | null) =>
  loggedTransfers(block, transaction(value, to), logs)?.map(
    each => `${each.index} ${each.to.account} ${each.amount} ${each.via ?? 'plain'}`,
  );

test('the own value of the transaction, then two payouts of the contract to one address', () => {
  const logs = [log(PAYER, CONTRACT, 7n), log(CONTRACT, ALICE, 3n), log(CONTRACT, ALICE, 4n)];
  expect(linesOf(AMSTERDAM, '0x7', logs)).toEqual([
    `0 ${CONTRACT} 7 plain`,
    `1 ${ALICE} 3 contract`,
    `2 ${ALICE} 4 contract`,
  ]);
});

test('a call without value: every transfer is one of the contract', () =>
  expect(linesOf(AMSTERDAM, '0x0', [log(CONTRACT, ALICE, 3n)])).toEqual([`0 ${ALICE} 3 contract`]));

test('a contract created with value', () =>
  expect(linesOf(AMSTERDAM, '0x7', [log(PAYER, CONTRACT, 7n)], null)).toEqual([`0 ${CONTRACT} 7 plain`]));

test('a payment to oneself moves nothing, so what its code pays comes first', () =>
  expect(linesOf(AMSTERDAM, '0x7', [log(PAYER, ALICE, 3n)], PAYER)).toEqual([`0 ${ALICE} 3 contract`]));

test('no logs: nothing was moved', () => expect(linesOf(AMSTERDAM, '0x0', [])).toEqual([]));

test('a token may write a log of the same form: it counts nothing', () =>
  expect(linesOf(AMSTERDAM, '0x0', [log(CONTRACT, ALICE, 3n, CONTRACT)])).toEqual([]));

test('a block with older rules says nothing about its transfers', () =>
  expect(linesOf({} as FullBlock, '0x7', [])).toBeUndefined());
