import { type Server, type Socket, createServer as tcpServer } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../support/http/listening.ts';
import { until } from '../../support/until.ts';
import { chainOf, LONGEST_CHAIN, SELF_SIGNED } from '../../support/vasp/certificates.mjs';
import { testedVasp } from '../../support/vasp/tested-vasp.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createHostedWorld, verificationBy } from '../../support/world/hosted-world.ts';

/** The server of one VASP attacks by TLS. The others wait for nothing, and each VASP has few handshakes under way. */

const CALLS = 40;
const world = await forFile(createHostedWorld({ VASP_TIMEOUT_CALLBACK: '3s' }));
const sound = await forFile(testedVasp());
const other = await world.register({ name: 'Other', endpoints: sound.endpoints });

/** How many connections came, and the address. */
async function attacked(server: Server): Promise<{ url: string; seen(): number }> {
  const { host, connections, close } = await listening(server);
  onTestFinished(close);
  return { url: `https://${host}`, seen: connections };
}
const speaksTls = (options: TlsOptions) =>
  attacked(createServer(options, socket => socket.on('error', () => {})).on('tlsClientError', () => {}));

/** Calls of a VASP whose callbacks go to `url`, all at once. Resolves to the errors of its exchanges. */
async function called(url: string, calls = CALLS): Promise<string[]> {
  const tenant = await world.register({ name: 'Attacker', endpoints: { callback: `${url}/callback` } });
  const request = await verificationBy(tenant);
  await Promise.all(Array.from({ length: calls }, () => tenant.api.verifyUser(request)));
  const errors = async () =>
    (await tenant.api.exchanges({ direction: 'OUT', limit: 999 })).exchanges.map(({ error }) => error ?? '');
  await until(async () => (await errors()).length >= calls);
  return errors();
}
/** The longest record of a handshake. It is not read before its end. */
const RECORD = Buffer.concat([Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00]), Buffer.alloc(0x4000)]);
const isServed = async () => {
  const { verificationUuid } = await other.api.verifyUser(await verificationBy(other));
  await sound.arrived('callback', verificationUuid, 1);
};
const NOT_CALLED = 'The VASP was not called: its last TLS handshake failed less than 30 seconds ago.';
const TOO_LONG =
  'The VASP was not called: less than an hour ago the certificates of its server took too long to check.';

/**
 * The first handshake has failed, and the program says of all other calls why none was made. Where the end of the handshake
 * arrives in a later turn than its certificates, it has not measured how long these took.
 */
const failedOnce = (errors: readonly string[]): void => {
  expect(errors.filter(error => error.includes('CERT_SIGNATURE_FAILURE'))).toHaveLength(1);
  const others = new Set(errors.filter(error => !error.includes('CERT_SIGNATURE_FAILURE')));
  expect([[TOO_LONG], [NOT_CALLED]]).toContainEqual([...others]);
};

test('certificates that take long to check: one handshake, and the other calls say why none was made', async () => {
  const { url, seen } = await speaksTls(LONGEST_CHAIN);
  failedOnce(await called(url));
  expect(seen()).toBe(1);
  await isServed();
});

test('the same of eight VASPs at once: each fails once, and no call is told what happened to another', async () => {
  const servers = await Promise.all(Array.from({ length: 8 }, () => speaksTls(LONGEST_CHAIN)));
  const errors = await Promise.all(servers.map(({ url }) => called(url, 10)));
  for (const each of errors) failedOnce(each);
  await isServed();
});

test.each([
  ['60 of them', () => speaksTls(chainOf(60)), '16 KiB'],
  ['200 of them', () => speaksTls(chainOf(200)), '16 KiB'],
  ['a certificate of its own', () => speaksTls(SELF_SIGNED), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['noise', () => attacked(tcpServer(socket => socket.write(Buffer.alloc(1_000_000, 7)))), '16 KiB'],
  ['its end at once', () => attacked(tcpServer(socket => socket.end())), 'ECONNRESET'],
])('%s: one handshake, and the other calls say that none was made', async (_, serve, code) => {
  const { url, seen } = await serve();
  const errors = await called(url);
  expect(seen()).toBe(1);
  expect(errors.filter(error => error.includes(code))).toHaveLength(1);
  expect(errors.filter(error => error === NOT_CALLED)).toHaveLength(errors.length - 1);
  await isServed();
});

test.each([
  ['a handshake that never ends', () => {}],
  [
    'a byte each second',
    (socket: Socket) => {
      let sent = 0;
      const drip = setInterval(() => socket.write(RECORD.subarray(sent, ++sent)), 1_000);
      socket.on('close', () => clearInterval(drip));
    },
  ],
])('%s: it ends with the time limit of the call, and meanwhile there is one', async (_, answer) => {
  const { url, seen } = await attacked(tcpServer(answer));
  const calling = called(url);
  await until(() => seen() === 1);
  await isServed();
  const errors = await calling;
  expect(seen()).toBe(1);
  expect(errors.filter(error => error !== NOT_CALLED)).toEqual(['timeout of 3000ms exceeded']);
});
