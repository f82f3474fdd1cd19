import http from 'node:http';
import https from 'node:https';
import { api } from './api.mjs';

/** What several sequences do. */

export async function verificationOf(send) {
  const { body: ready } = await send('GET', '/sandbox/v1/requests/verify-user');
  if (!ready) return undefined;
  const { body } = await send('POST', ready.path, ready.body);
  return body?.verificationUuid;
}

/** Another VASP. `from`: the client's address, as the proxy tells it. */
export async function join(url, from) {
  const { body } = await api(url).send('POST', '/sandbox/v1/registrations', { name: 'Another' }, from);
  return body;
}

/** Answers VERIFIED, in the way that `write` says. `tls`: the options of a server that speaks it. */
export function answering(write, tls) {
  const answer = async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { version, ivms101 } = JSON.parse(text || '{}');
    const verdict = ivms101
      ? { result: 'VERIFIED', reason: 'OK', message: '', version, ivms101: { beneficiary: ivms101.beneficiary } }
      : { result: true };
    write(response.writeHead(200, { 'content-type': 'application/json' }), JSON.stringify(verdict));
  };
  const server = tls ? https.createServer(tls, answer) : http.createServer(answer);
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        address: `${tls ? 'https' : 'http'}://127.0.0.1:${server.address().port}`,
        server,
        close: () => server.close(),
      }),
    ),
  );
}

export async function register(send, { vaspId }, address) {
  const endpoints = { callback: address, verifyUser: address, verifyAccount: address, transactionStatus: address };
  return send('PUT', `/sandbox/v1/vasps/${vaspId}`, { name: 'Hostile', endpoints });
}
