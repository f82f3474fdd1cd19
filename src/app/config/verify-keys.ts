import { ConfigError } from '../../kernel/config-error.ts';
import type { Config } from './config.ts';
import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from './development-wallets.ts';

/**
 * Checks the checksums of mnemonic and seed, because a mistyped key may be another valid-looking key, and whether the key
 * of certificates can be read. Throws `ConfigError`. Not part of config.ts: this check loads the word list. The
 * development keys need no check.
 */
export async function verifyKeys({ ethereum, xrpl, reportSigningKey }: Config): Promise<void> {
  const problems: string[] = [];
  if (ethereum.mnemonic !== DEVELOPMENT_MNEMONIC) {
    const { isMnemonic } = await import('../../chains/ethereum/mnemonic.ts');
    if (!isMnemonic(ethereum.mnemonic))
      problems.push('ROBOT_MNEMONIC has a mistyped word, or the words are in another order (BIP-39)');
  }
  if (xrpl.seed !== DEVELOPMENT_SEED) {
    const { isSeed } = await import('../../chains/xrpl/wallet.ts');
    if (!isSeed(xrpl.seed)) problems.push('XRPL_SEED is mistyped: its checksum is wrong');
  }
  if (reportSigningKey !== undefined) {
    const { signingKey } = await import('../../plans/report/signing-key.ts');
    await signingKey(reportSigningKey, undefined).catch(({ message }: Error) => problems.push(message));
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
