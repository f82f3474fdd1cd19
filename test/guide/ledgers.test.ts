import { expect, test } from 'vitest';
import { refusedMethod } from '../../src/devnet/ethereum/methods.ts';
import { COMMANDS } from '../../src/devnet/xrpl/rpc/dispatch.ts';
import { TRANSACTORS } from '../../src/devnet/xrpl/transactors/registry.ts';
import { section } from '../support/docs/manual.ts';

const CHAPTER = section('The embedded ledgers');
const part = (title: string): string => CHAPTER.split(new RegExp(`^### ${title}$`, 'm'))[1]!.split(/^### /m)[0]!;
const names = (text: string): string[] => [...text.matchAll(/`([a-z0-9]+_?[\w]*)`/gi)].map(([, name]) => name!);

test('the table of transaction types holds every type and no other', () => {
  const types = [...part('Transactions of the XRP Ledger').matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => type);
  expect(types.sort()).toEqual(Object.keys(TRANSACTORS).sort());
});

test('the table of methods holds every method of the XRP Ledger', () => {
  const named = new Set(names(part('Methods of the XRP Ledger')));
  expect([...COMMANDS.keys()].filter(method => !named.has(method))).toEqual([]);
});

test('the methods named for Ethereum are passed on', () => {
  const named = names(part('Methods of the Ethereum chain')).filter(
    name => name.includes('_') && !name.endsWith('_') && name !== 'eth_subscribe',
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(method => refusedMethod(method) !== undefined)).toEqual([]);
});

test.each(['hardhat_reset', 'evm_setIntervalMining', 'anvil_reorg', 'anvil_dropTransaction', 'evm_mine'])(
  'a VASP of the hosted mode is told who controls the chain, and no path that refuses it: %s',
  method => {
    const { message } = refusedMethod(method, 'reading and sending')!;
    expect(message).toContain('its operator controls it');
    expect(message).not.toContain('/sandbox/v1');
  },
);
