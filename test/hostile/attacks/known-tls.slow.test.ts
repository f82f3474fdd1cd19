import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../support/db/scratch-folder.ts';
import { listening } from '../../support/http/listening.ts';
import { type Serving, servingReady } from '../../support/process/serving.ts';
import { until } from '../../support/until.ts';
import { LONGEST_CHAIN, SELF_SIGNED } from '../../support/vasp/certificates.mjs';
import { HOSTED, hostedMembers, verificationBy } from '../../support/world/hosted-world.ts';

/** A server that the program trusts, and whose certificates become costly at once for all calls. */

const CALLS = 20;
const folder = scratchFolder();
let program: Serving;
beforeAll(async () => {
  const trusted = join(folder, 'trusted.pem');
  writeFileSync(trusted, SELF_SIGNED.cert);
  program = await servingReady({ ...HOSTED, PUBLIC_URL: 'http://127.0.0.1', NODE_EXTRA_CA_CERTS: trusted });
});
afterAll(() => program?.stop());

async function trustedServer() {
  const server = createServer(SELF_SIGNED, (_, response) => response.end('{}'));
  server.on('secureConnection', socket => socket.on('error', () => {}));
  const { host, close } = await listening(server);
  onTestFinished(close);
  return { server, url: `https://${host}` };
}

test('a known server that becomes costly for many calls at once: two costly handshakes, and none for a while', async () => {
  const { server, url } = await trustedServer();
  const { api } = await hostedMembers(program.url).register({ endpoints: { callback: `${url}/callback` } });
  const request = await verificationBy({ api });
  const exchanges = async () => (await api.exchanges({ direction: 'OUT', limit: 999 })).exchanges;
  await api.verifyUser(request);
  await until(async () => (await exchanges()).some(({ status }) => status === 200));

  server.setSecureContext(LONGEST_CHAIN);
  server.closeAllConnections();
  await Promise.all(Array.from({ length: CALLS }, () => api.verifyUser(request)));
  const errors = async () => (await exchanges()).flatMap(({ error }) => error ?? []);
  await until(async () => (await errors()).length >= CALLS);
  const costly = (await errors()).filter(error => error.includes('CERT_SIGNATURE_FAILURE'));
  expect(costly.length).toBeGreaterThan(0);
  expect(costly.length).toBeLessThanOrEqual(2);
});
