import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltAddresses } from '../chains/ethereum/built-addresses.ts';
import { ethereumWallet } from '../chains/ethereum/wallet.ts';
import { withChecksum } from '../kernel/eip55.ts';
import { packageRoot } from '../kernel/package-root.ts';
import { loadUsers } from '../robot/users/load.ts';
import { DEVELOPMENT_MNEMONIC as mnemonic } from './development-wallets.ts';

/** Part of the build: writes the addresses of the shipped users to the file that the first argument names. */
const ANY_CHAIN = 1;
const users = loadUsers(join(packageRoot(), 'fixtures'));
const { address } = ethereumWallet(mnemonic, ANY_CHAIN);
const made: BuiltAddresses = { mnemonic, addresses: users.map((_, index) => withChecksum(address(index))) };
writeFileSync(process.argv[2]!, JSON.stringify(made));
