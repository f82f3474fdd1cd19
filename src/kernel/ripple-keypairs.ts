import { createRequire } from 'node:module';

type RippleKeypairs = typeof import('ripple-keypairs');

const load = createRequire(import.meta.url);

/** Loaded at its first use, which no start has by default: it takes 30 ms. */
export const rippleKeypairs = (): RippleKeypairs => load('ripple-keypairs') as RippleKeypairs;
