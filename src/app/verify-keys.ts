import { type Config, ConfigError, DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from './config.ts';

/**
 * A mistyped key is another key, or none: its checksum tells. Throws `ConfigError`. Apart from the configuration's
 * other rules because the word list is loaded for it; the development keys are known to be good.
 */
export async function checkKeys({ ethereum, xrpl }: Config): Promise<void> {
  const problems: string[] = [];
  if (ethereum.mnemonic !== DEVELOPMENT_MNEMONIC) {
    const { isMnemonic } = await import('../chains/ethereum/mnemonic.ts');
    if (!isMnemonic(ethereum.mnemonic))
      problems.push('ROBOT_MNEMONIC has a mistyped word, or the words are in another order (BIP-39)');
  }
  if (xrpl.seed !== DEVELOPMENT_SEED) {
    const { isSeed } = await import('../chains/xrpl/wallet.ts');
    if (!isSeed(xrpl.seed)) problems.push('XRPL_SEED is mistyped: its checksum is wrong');
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
