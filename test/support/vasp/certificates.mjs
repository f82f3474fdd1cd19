import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Without types: the soak runs as plain JavaScript. */

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTSKqiFtaO+/9NWNW
tqLTwuRcX2OU9jnlzUF9CejbRl6hRANCAARl3cFGLvV76uZNDhL7NSY9YAdYCIFc
uhq+xdSHooKNIISs8JdqqGmOVnZUlHkg5fGnM+VdnX6Ghhg1BXZo8oBh
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIURSO+npqS8yKkQPmbUDIw04XPK0YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwNDc0NloYDzIxMjYxMDI4
MjA0NzQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARl3cFGLvV76uZNDhL7NSY9YAdYCIFcuhq+xdSHooKNIISs8JdqqGmO
VnZUlHkg5fGnM+VdnX6Ghhg1BXZo8oBho2QwYjAdBgNVHQ4EFgQUtTavHfTVXIcs
IMagPGdEq4XsfN8wHwYDVR0jBBgwFoAUtTavHfTVXIcsIMagPGdEq4XsfN8wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IAd4i3QCG4QbfSK2Gbkwx9Q1FYhwbovMczsVNoqlkF+QAiABd9IBl03WJhxwzl6d
1WQBYJsaXlkPQ8292kc7fPCcmw==
-----END CERTIFICATE-----`;

export const SELF_SIGNED = { key, cert };

const tagged = (tag, ...content) => {
  const body = Buffer.concat(content);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  const size = body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x80 | length.length, ...length]);
  return Buffer.concat([Buffer.from([tag]), size, body]);
};
const sequence = (...content) => tagged(0x30, ...content);
const bits = content => tagged(3, Buffer.from([0]), content);
const object = hex => tagged(6, Buffer.from(hex, 'hex'));
const name = text => sequence(tagged(0x31, sequence(object('550403'), tagged(12, Buffer.from(text)))));
const validity = sequence(tagged(23, Buffer.from('200101000000Z')), tagged(23, Buffer.from('480101000000Z')));
const SHA256_ECDSA = sequence(object('2a8648ce3d040302'));
const AUTHORITY = tagged(
  0xa3,
  sequence(
    sequence(object('551d13'), tagged(1, Buffer.from([255])), tagged(4, sequence(tagged(1, Buffer.from([255]))))),
  ),
);

/** The curve that takes the longest for each byte. */
const CURVE = 'sect571r1';
const BYTES = 70;
function number() {
  const bytes = randomBytes(BYTES);
  bytes[0] = (bytes[0] & 0x7f) | 1;
  return tagged(2, bytes);
}
const publicKey = key => key.export({ type: 'spki', format: 'der' });

function certificate(subject, issuer, key, isAuthority) {
  const serial = tagged(2, Buffer.from([1]), randomBytes(8));
  const version = tagged(0xa0, tagged(2, Buffer.from([2])));
  const more = isAuthority ? [AUTHORITY] : [];
  const signed = sequence(version, serial, SHA256_ECDSA, name(issuer), validity, name(subject), key, ...more);
  const base64 = sequence(signed, SHA256_ECDSA, bits(sequence(number(), number()))).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g).join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** No signature is right, and each is checked. */
export function chainOf(authorities) {
  const authority = publicKey(generateKeyPairSync('ec', { namedCurve: CURVE }).publicKey);
  const chain = Array.from({ length: authorities }, (_, index) =>
    certificate(`i${index}`, `i${index + 1}`, authority, true),
  );
  const leaf = certificate('localhost', 'i0', publicKey(createPublicKey(SELF_SIGNED.key)), false);
  return { key: SELF_SIGNED.key, cert: [leaf, ...chain].join('') };
}

/** As many certificates as a handshake may have. */
export const LONGEST_CHAIN = chainOf(29);
