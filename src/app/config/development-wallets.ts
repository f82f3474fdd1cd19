/** Wallet secrets that everybody knows: for embedded chains of the local mode. */
export const DEVELOPMENT_MNEMONIC = 'include kitchen orange tribe student cost soccer aisle good close mercy glare';
export const DEVELOPMENT_SEED = 'sEdTtk2D4LZpcyeF99ijeNSv9R6dhhX';
