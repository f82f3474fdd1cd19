import { chainOf, LONGEST_CHAIN, SELF_SIGNED } from '../support/vasp/certificates.mjs';
import { api, sleep } from './api.mjs';
import { answering, join, register, verificationOf } from './hostile-calls.mjs';

const CALLS = 20;

const answerAtOnce = (response, text) => response.end(text);
const callMany = (send, note, what) =>
  Promise.all(
    Array.from({ length: CALLS }, async () => note(what, (await verificationOf(send)) ? 'asked' : 'refused')),
  );

/** Asks for a new handshake in the middle of every call. */
const renegotiating = (response, text) =>
  response.socket.renegotiate({ rejectUnauthorized: false }, () => response.end(text));

/** Each would take the thread of the program for long, or again and again. */
const SERVERS = [
  ['certificates that take long to check', LONGEST_CHAIN],
  ['60 of them', chainOf(60)],
  ['200 of them', chainOf(200)],
  ['a group of a finite field', { ...SELF_SIGNED, ecdhCurve: 'ffdhe8192' }],
  ['renegotiation', { ...SELF_SIGNED, maxVersion: 'TLSv1.2' }, renegotiating],
];

/**
 * The program trusts `SELF_SIGNED` (NODE_EXTRA_CA_CERTS), as it trusts a public authority: a server of a known one becomes
 * costly at once for all calls.
 */
export async function costlyHandshakes({ url, trial, over, note }) {
  const own = api(url, trial.apiKey).send;
  const one = async ([what, tls, write = answerAtOnce], n) => {
    const joined = await join(url, `10.9.${10 + n}.1`);
    const { send } = api(url, joined.apiKey);
    const vasp = await answering(write, tls);
    vasp.server.on('connection', () => note(what, 'connected'));
    vasp.server.on('tlsClientError', (_, socket) => socket.destroy());
    note('addresses', (await register(send, joined, vasp.address)).status);
    while (!over()) {
      await callMany(send, note, what);
      await sleep(500);
    }
    vasp.close();
  };
  const changing = async () => {
    const vasp = await answering(answerAtOnce, SELF_SIGNED);
    let served = 'known';
    vasp.server.on('connection', () => note('a known server that becomes costly', `connected, ${served}`));
    vasp.server.on('tlsClientError', (_, socket) => socket.destroy());
    note('addresses', (await register(own, trial, vasp.address)).status);
    while (!over()) {
      vasp.server.setSecureContext(SELF_SIGNED);
      served = 'known';
      await callMany(own, note, 'a known server');
      await sleep(1_000);
      vasp.server.setSecureContext(LONGEST_CHAIN);
      served = 'costly';
      vasp.server.closeAllConnections();
      await callMany(own, note, 'a known server that becomes costly');
      await sleep(1_000);
    }
    vasp.close();
  };
  await Promise.all([...SERVERS.map(one), changing()]);
}
