import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../support/http/listening.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createTroubledWorld, overTcp, paidOnce, payable, readyz, withdraw } from '../support/world/troubled-world.ts';

const stage = await forFile(createTroubledWorld(overTcp));

/** A proxy in front of a public server refuses upgrades under load. */
async function gatewaySaying(status: string): Promise<string> {
  const server = createServer();
  server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`));
  const { host, close } = await listening(server);
  onTestFinished(close);
  return `ws://${host}`;
}

test.each(['429 Too Many Requests', '502 Bad Gateway'])(
  'SEND-2, XRP Ledger: every connection is answered HTTP %s: said in /readyz, and paid once when it is over',
  async status => {
    const verification = await payable(stage, { symbol: 'XRP' });
    stage.fronts.XRP.retarget(await gatewaySaying(status));
    stage.fronts.XRP.cut();
    await withdraw(stage, verification);
    await until(async () => (await readyz(stage)).includes(status.slice(0, 3)));
    expect(await stage.onChain.XRP.balanceOf(verification.to)).toBe('0');
    stage.fronts.XRP.retarget(stage.ledger.url!);
    await paidOnce(stage, verification);
  },
);
