import { type SigningDeps, signingSecretStore } from '../enclave/vasps/signing-store.ts';
import { callbackSigner } from '../vasps/signature.ts';

/** The signing secrets of the VASPs, and what signs with them. */
export function createSigning(deps: SigningDeps) {
  const secrets = signingSecretStore(deps);
  return { secrets, signer: callbackSigner(secrets.of, deps.now) };
}
