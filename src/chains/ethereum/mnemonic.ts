import { Mnemonic } from 'ethers/wallet';

/** True: the words and their checksum are those of BIP-39. Loads the word list. */
export const isMnemonic = (words: string): boolean => Mnemonic.isValidMnemonic(words);
