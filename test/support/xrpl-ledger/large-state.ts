import { createHash } from 'node:crypto';
import { stateLeaves } from '../../../src/devnet/xrpl/close.ts';
import { accountKey, newAccount } from '../../../src/devnet/xrpl/entries.ts';
import { createGenesis, GENESIS_ADDRESS, TOTAL_COINS } from '../../../src/devnet/xrpl/genesis.ts';
import { closeTimeOf, type LedgerHeader, sealHeader, updateTree } from '../../../src/devnet/xrpl/hash-tree.ts';
import { addressOfSigner } from '../../../src/devnet/xrpl/signature.ts';
import type { Storage } from '../../../src/devnet/xrpl/storage.ts';

export const FEES = { base: 10n, reserveBase: 1_000_000n, reserveIncrement: 200_000n };
const DROPS = 10_000_000n;

/** Address number `n` of a large state. Nobody has its key. */
export const addressOf = (n: number): string =>
  addressOfSigner(createHash('sha256').update(`account ${n}`).digest('hex'));

/** Ledger 2 with this many accounts besides the genesis account, written without a transaction for each. */
export function fillState(storage: Storage, accounts: number, at: number): LedgerHeader {
  return storage.atomically(() => {
    const genesis = createGenesis(storage, FEES);
    storage.setProperty('network-id', '21117');
    const funded = Array.from({ length: accounts }, (_, n) => newAccount(addressOf(n), 2, DROPS));
    const left = newAccount(GENESIS_ADDRESS, 1, TOTAL_COINS - DROPS * BigInt(accounts));
    const changes = [left, ...funded].map(after => ({ key: accountKey(after.Account), after }));
    for (const change of changes) storage.putEntry(change, 2);
    const header = sealHeader({
      ...genesis,
      index: 2,
      parentHash: genesis.hash,
      accountHash: updateTree(storage.tree, stateLeaves(changes)),
      closeTime: closeTimeOf(at, 0),
    });
    storage.insertHeader(header);
    return header;
  });
}
