import net from 'node:net';
import { api, sleep } from './api.mjs';

const CONTINUE = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Ways to answer. Each takes the socket of the call and writes until the socket is closed. */
const WAYS = {
  'endless 103': socket => every(socket, 1, () => socket.write(CONTINUE.repeat(100))),
  'endless body': socket => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
    every(socket, 1, () => socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`));
  },
  'slow body': socket => {
    socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
    every(socket, 500, () => socket.write(' '));
  },
  'long head': socket => socket.write(`${OK}X: ${'x'.repeat(200_000)}\r\n\r\n`),
  silence: () => {},
};

const every = (socket, ms, write) => {
  const timer = setInterval(() => socket.writableLength < 1_000_000 && write(), ms);
  socket.on('close', () => clearInterval(timer));
};

/** Registers addresses that answer in these ways, and lets the robot call them. */
export async function hostileAnswers({ url, trial, over, note }) {
  const names = Object.keys(WAYS);
  let called = 0;
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const name = names[called++ % names.length];
      note('hostile answers', name);
      WAYS[name](socket);
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { send } = api(url, trial.apiKey);
  const address = `http://127.0.0.1:${server.address().port}`;
  const endpoints = { callback: address, verifyUser: address, verifyAccount: address, transactionStatus: address };
  while (!over()) {
    const set = await send('PUT', `/sandbox/v1/vasps/${trial.vaspId}`, { name: 'Hostile', endpoints });
    note('addresses set', set.status);
    const { body: ready } = await send('GET', '/sandbox/v1/requests/verify-user');
    for (let n = 0; n < 20 && !over(); n++) {
      if (ready) note('verifications', (await send('POST', ready.path, ready.body)).status);
      await sleep(500);
    }
  }
  server.close();
}
