import { createPublicKey, randomBytes } from 'node:crypto';

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
const empty = tagged(5);
const name = text => sequence(tagged(0x31, sequence(object('550403'), tagged(12, Buffer.from(text)))));
const validity = sequence(tagged(23, Buffer.from('200101000000Z')), tagged(23, Buffer.from('480101000000Z')));
const SHA256_RSA = sequence(object('2a864886f70d01010b'), empty);
const AUTHORITY = tagged(
  0xa3,
  sequence(
    sequence(object('551d13'), tagged(1, Buffer.from([255])), tagged(4, sequence(tagged(1, Buffer.from([255]))))),
  ),
);

/** The keys of the authorities have 3,072 bits, with an exponent as long. */
const BYTES = 384;
/** Odd, and as long as it can be. */
function number() {
  const bytes = randomBytes(BYTES);
  bytes[0] |= 0x80;
  bytes[BYTES - 1] |= 1;
  return tagged(2, Buffer.from([0]), bytes);
}

function certificate(subject, issuer, key, isAuthority) {
  const serial = tagged(2, Buffer.from([1]), randomBytes(8));
  const version = tagged(0xa0, tagged(2, Buffer.from([2])));
  const more = isAuthority ? [AUTHORITY] : [];
  const signed = sequence(version, serial, SHA256_RSA, name(issuer), validity, name(subject), key, ...more);
  const signature = bits(Buffer.concat([Buffer.from([0]), randomBytes(BYTES - 1)]));
  const base64 = sequence(signed, SHA256_RSA, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g).join('\n')}\n-----END CERTIFICATE-----\n`;
}

export function chainOf(authorities) {
  const leafKey = createPublicKey(SELF_SIGNED.key).export({ type: 'spki', format: 'der' });
  const exponent = number();
  const keyOf = () => sequence(sequence(object('2a864886f70d010101'), empty), bits(sequence(number(), exponent)));
  const chain = Array.from({ length: authorities }, (_, index) =>
    certificate(`i${index}`, `i${index + 1}`, keyOf(), true),
  );
  return { key: SELF_SIGNED.key, cert: [certificate('localhost', 'i0', leafKey, false), ...chain].join('') };
}
