import type { Db } from '../../db/open.ts';
import { findRow, upsertRow } from '../../db/prepared-statements.ts';
import { walletSecrets } from '../../db/schema/runtime.ts';
import { write } from '../../db/transaction.ts';
import { systemRandom } from '../../kernel/random.ts';
import type { SecretBox } from '../../kernel/secrets.ts';
import { type Config, DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from '../config/config.ts';
import { createSecretBox } from '../storage.ts';

type Name = typeof walletSecrets.$inferSelect.name;

const entropy = () => Buffer.from(systemRandom.secret(16), 'base64url');

/**
 * Hosted mode: the faucets of the embedded chains get keys that nobody else knows, and the robot gets them in place of the
 * development keys. They are made at the first start and sealed in the database. Loads the word list.
 */
export async function withOwnWallets(config: Config, db: Db): Promise<Config> {
  const { ethereum, xrpl } = config;
  const [{ newMnemonic }, { newSeed }] = await Promise.all([
    import('../../chains/ethereum/mnemonic.ts'),
    import('../../chains/xrpl/wallet.ts'),
  ]);
  const box = createSecretBox(config);
  const mnemonic = (name: Name) => secretOf(db, box, name, () => newMnemonic(entropy()));
  const seed = (name: Name) => secretOf(db, box, name, () => newSeed(entropy()));
  return {
    ...config,
    ethereum: {
      ...ethereum,
      mnemonic: ethereum.mnemonic === DEVELOPMENT_MNEMONIC ? mnemonic('robotMnemonic') : ethereum.mnemonic,
      faucetMnemonic: mnemonic('faucetMnemonic'),
    },
    xrpl: {
      ...xrpl,
      seed: xrpl.seed === DEVELOPMENT_SEED ? seed('robotSeed') : xrpl.seed,
      faucetSeed: seed('faucetSeed'),
    },
  };
}

function secretOf(db: Db, box: SecretBox, name: Name, make: () => string): string {
  const place = `wallet ${name}`;
  const row = findRow(db, walletSecrets, { name });
  const secret = row ? box.open(row.secret, place) : make();
  if (row && box.isCurrent(row.secret)) return secret;
  const sealed = { name, secret: box.seal(secret, place) };
  write(db, tx => upsertRow(tx, walletSecrets, ['name'], sealed));
  return secret;
}
