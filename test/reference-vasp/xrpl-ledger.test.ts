import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { xrplLedger } from '../../src/reference-vasp/ledgers/xrpl.ts';
import { startTcpProxy, type TcpProxy } from '../support/chains/tcp-proxy.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';
import { accountOf, testLedger, XRP } from '../support/xrpl-ledger/test-ledger.ts';

/** The library makes a lost connection again by itself after 100 ms, and nobody may wait for the end of that attempt. */
const LIBRARY_CONNECTS_MS = 400;
/** As the library fills it in. */
const LEDGERS_TO_LIVE = 20;

describe.skipIf(BY_URL)('the reference VASP', () => {
  let world: World;
  let proxy: TcpProxy;
  beforeAll(async () => {
    world = await createWorld();
    proxy = await startTcpProxy(world.url);
  });
  afterAll(async () => {
    await proxy?.close();
    await world?.close();
  });

  test('REF-4.5: sees the XRP Ledger again after an outage in which no connection is answered', async () => {
    const ledger = await xrplLedger(`${proxy.url.replace(/^http/, 'ws')}/devnet/xrpl`, 'a secret of 16 bytes');
    expect(await ledger.head()).toBeGreaterThan(0);
    proxy.become('silent');
    proxy.cut();
    await delay(LIBRARY_CONNECTS_MS);
    proxy.become('up');
    expect(await ledger.head()).toBeGreaterThan(0);
    await ledger.close();
  });

  test('a connection that ends before its first answer is an error of the call, and nothing is printed', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    server.on('connection', socket => socket.once('message', () => socket.terminate()));
    const printed = vi.spyOn(console, 'error');
    const { port } = server.address() as AddressInfo;
    await expect(xrplLedger(`ws://127.0.0.1:${port}`, 'a secret of 16 bytes')).rejects.toThrow('websocket was closed');
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});

describe('the status of a withdrawal', () => {
  const bob = accountOf('bob');
  async function payable() {
    const ledger = await testLedger({ listen: { host: '127.0.0.1', port: 0 } });
    const vasp = await xrplLedger(ledger.url!, 'a secret of 16 bytes');
    onTestFinished(async () => {
      await vasp.close();
      await ledger.close();
    });
    await ledger.fund(vasp.accountOf(0).split(':')[0]!, 100n * XRP);
    const signed = await vasp.sign(0, bob.address, 5n * XRP);
    const closeAll = () => {
      for (let n = 0; n <= LEDGERS_TO_LIVE; n++) ledger.controls.close();
    };
    return { ledger, closeAll, send: () => vasp.send(signed), status: () => vasp.statusOf(signed) };
  }

  test('is not CANCELED where the server no longer has the ledger that has paid it', async () => {
    const { ledger, closeAll, send, status } = await payable();
    await send();
    closeAll();
    expect(await status()).toBe('CONFIRMED');
    ledger.controls.forgetHistory(LEDGERS_TO_LIVE);
    expect(await status()).toBe('PROCESSING');
  });

  test('is CANCELED when no ledger has taken it, also where the server keeps it', async () => {
    const { ledger, closeAll, send, status } = await payable();
    ledger.controls.delayNext(2 * LEDGERS_TO_LIVE);
    await send();
    expect(await status()).toBe('PROCESSING');
    closeAll();
    expect(await status()).toBe('CANCELED');
  });
});
