import { beforeEach } from 'vitest';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { noGuard } from '../../../src/vasps/call-guard.ts';
import { type HttpVasp, httpVasp } from '../../../src/vasps/directory.ts';
import type { OutgoingExchange } from '../../../src/vasps/http-client.ts';
import { UUID } from '../contract/samples.ts';
import { forFile } from '../world/for-file.ts';
import { type RawBehave, startRawServer } from './raw-server.ts';

export const RIGHT = { verificationUuid: UUID, transactionStatus: 'PROCESSING', txHash: '0xäöü' };
export const TEXT = JSON.stringify(RIGHT);
export const send =
  (...parts: (string | Buffer)[]): RawBehave =>
  socket => {
    for (const part of parts) socket.write(part);
  };

/** A VASP that sends the bytes which the test says. Each test has a client of its own. */
export async function rawVasp() {
  const server = await forFile(startRawServer());
  const exchanges: OutgoingExchange[] = [];
  let vasp: HttpVasp;
  /** The client of the rest of the test. */
  const within = (ms: number, url = server.url, guard = noGuard): void => {
    const endpoints = endpointsAt(url);
    vasp = httpVasp(
      { vaspId: '42', name: 'Tested', endpoints, authorization: { header: 'Authorization' }, updatedAt: 1 },
      {
        timeoutMs: { verifyAccount: ms, verifyUser: ms, transactionStatus: ms, callback: ms },
        now: () => 0,
        guard,
        onExchange: exchange => exchanges.push(exchange),
      },
    );
  };
  beforeEach(() => {
    exchanges.length = 0;
    server.requests.length = 0;
    within(5_000);
    return () => vasp.close();
  });
  const ask = (verificationUuid = UUID) => vasp.transactionStatus({ verificationUuid });
  return {
    server,
    exchanges,
    within,
    ask,
    problemOf: async () => ((await ask().catch(error => error)) as Error).message,
    tell: () => vasp.callback({ callbackType: 'TX_REPORT', data: { verificationUuid: UUID, txHash: '0xab' } }),
  };
}
