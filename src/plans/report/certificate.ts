import { CompactSign, calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { RunReport } from '../../contract/plans.ts';

/** The report signed with the key of the sandbox: a compact JWS with EdDSA. The header holds the public key. */

export const publicPart = ({ kty, crv, x, kid }: JWK): JWK => ({
  kty: kty!,
  crv: crv!,
  x: x!,
  kid: kid!,
  alg: 'EdDSA',
  use: 'sig',
});

const TYPE = 'robot-vasp-report+jws';

/** `key`: Ed25519, private, with `kid`. */
export async function certificate(report: RunReport, key: JWK): Promise<string> {
  const jwk = publicPart(key);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(report)))
    .setProtectedHeader({ alg: 'EdDSA', typ: TYPE, kid: jwk.kid!, jwk })
    .sign(await importJWK(key, 'EdDSA'));
}

/**
 * `keys`: the keys of the issuer; without them the key inside the file counts, which proves only that nothing was
 * changed. `kid`: the thumbprint (RFC 7638) of the key that has signed. Throws an error that says what is wrong.
 */
export async function verifyCertificate(jws: string, keys?: readonly JWK[]) {
  const header = headerOf(jws);
  const key = keys ? keys.find(each => each.kid === header.kid || each.x === header.jwk?.x) : header.jwk;
  if (!key) throw new Error(`No key of the issuer has signed it (key ${String(header.kid)}).`);
  const { payload } = await compactVerify(jws, await importJWK(key, 'EdDSA'), { algorithms: ['EdDSA'] }).catch(() => {
    throw new Error('The signature does not fit: the file was changed.');
  });
  const kid = await calculateJwkThumbprint(key);
  if (header.kid !== kid) throw new Error(`The file names the key ${String(header.kid)}, but ${kid} has signed it.`);
  return { report: RunReport.parse(JSON.parse(new TextDecoder().decode(payload))), kid };
}

function headerOf(jws: string) {
  try {
    return decodeProtectedHeader(jws);
  } catch {
    throw new Error('It is no certificate of a test run.');
  }
}
