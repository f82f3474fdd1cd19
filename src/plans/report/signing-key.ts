import { writeFileSync } from 'node:fs';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importPKCS8, type JWK } from 'jose';
import { readText } from '../../kernel/text-file.ts';

/**
 * REPORT_SIGNING_KEY: an Ed25519 private JWK or PKCS 8 PEM, or the path of a file that holds one. Without it a key is
 * made and kept at `path`; undefined: in memory. Throws an error without any part of the key.
 */
export async function signingKey(setting: string | undefined, path: string | undefined): Promise<JWK> {
  if (setting !== undefined) return withId(await parsed(textOf(setting)));
  const kept = path === undefined ? undefined : read(path);
  if (kept !== undefined) return withId(await parsed(kept));
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  if (path === undefined) return withId(jwk);
  try {
    writeFileSync(path, JSON.stringify(jwk), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return withId(await parsed(readText(path)));
  }
  return withId(jwk);
}

const NAME = 'REPORT_SIGNING_KEY';
const textOf = (setting: string): string =>
  /^\s*(\{|-----BEGIN )/.test(setting) ? setting : readText(setting, `the file of ${NAME}`);

function read(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

async function parsed(text: string): Promise<JWK> {
  try {
    const jwk: JWK = text.trim().startsWith('{')
      ? JSON.parse(text)
      : await exportJWK(await importPKCS8(text.trim(), 'EdDSA', { extractable: true }));
    if (jwk.crv === 'Ed25519' && jwk.d && jwk.x) return jwk;
  } catch {
    // Said below, without the text.
  }
  throw new Error(`${NAME} is no private Ed25519 key: write a JWK or a PKCS 8 PEM, or the path of one`);
}

const withId = async (jwk: JWK): Promise<JWK> => ({ ...jwk, kid: await calculateJwkThumbprint(jwk) });
