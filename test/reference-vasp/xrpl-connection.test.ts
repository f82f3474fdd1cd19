import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { xrplLedger } from '../../src/reference-vasp/ledgers/xrpl.ts';
import { startTcpProxy, type TcpProxy } from '../support/chains/tcp-proxy.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** The library makes a lost connection again by itself after 100 ms, and nobody may wait for the end of that attempt. */
const LIBRARY_CONNECTS_MS = 400;

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
