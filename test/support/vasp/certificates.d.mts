/** Of nobody: a certificate for 127.0.0.1 that nobody has signed but itself. */
export const SELF_SIGNED: { readonly key: string; readonly cert: string };
/** For a server: a leaf with the key of `SELF_SIGNED` below this number of authorities whose keys take long to check. */
export function chainOf(authorities: number): { key: string; cert: string };
/** As many certificates as a handshake may have. */
export const LONGEST_CHAIN: { readonly key: string; readonly cert: string };
