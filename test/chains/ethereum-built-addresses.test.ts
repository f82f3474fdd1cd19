import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { expect, test } from 'vitest';
import { DEVELOPMENT_MNEMONIC } from '../../src/app/development-wallets.ts';
import type { BuiltAddresses } from '../../src/chains/ethereum/built-addresses.ts';
import { ethereumWallet } from '../../src/chains/ethereum/wallet.ts';
import { loadUsers } from '../../src/robot/users/load.ts';
import { ROOT } from '../support/paths.ts';

test('the build keeps the addresses that the wallet derives, one for each shipped user', () => {
  const kept: BuiltAddresses = JSON.parse(readFileSync(join(ROOT, 'dist', 'addresses.json'), 'utf8'));
  const users = loadUsers(join(ROOT, 'fixtures'));
  const { address } = ethereumWallet(DEVELOPMENT_MNEMONIC, 1);
  expect(kept).toEqual({
    mnemonic: DEVELOPMENT_MNEMONIC,
    addresses: users.map((_, index) => getAddress(address(index))),
  });
  expect(new Set(users.map(({ walletIndex }) => walletIndex))).toEqual(new Set(users.keys()));
});
