import { Mnemonic } from 'ethers/wallet';

/** True: the words and their checksum are those of BIP-39. Loads the word list. */
export const isMnemonic = (words: string): boolean => Mnemonic.isValidMnemonic(words);

/** A new phrase of 12 words, from 16 random bytes. */
export const newMnemonic = (entropy: Uint8Array): string => Mnemonic.fromEntropy(entropy).phrase;
