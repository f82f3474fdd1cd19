import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger } from '../../src/devnet/xrpl/ledger.ts';
import { openStorage } from '../../src/devnet/xrpl/storage.ts';
import { elapsedMs, systemClock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { addressOf, fillState } from '../support/xrpl-ledger/large-state.ts';
import {
  type Account,
  accountOf,
  genesis,
  type Json,
  NETWORK_ID,
  payment,
  signed,
  XRP,
} from '../support/xrpl-ledger/test-ledger.ts';
import { section, show } from './report.ts';
import { median } from './samples.ts';
import { benchHistory } from './xrpl-history.ts';

const PAYMENTS = 2_000;
const CLOSES = 30;

/** The embedded XRP Ledger: payments per second until validated, and the time of a close by the size of the state. */
export async function benchXrpl(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-xrpl-'));
  try {
    section(`XRP Ledger, ${PAYMENTS} payments over one WebSocket, submitted until validated`);
    for (const algorithm of ['ed25519', 'ecdsa-secp256k1'] as const) {
      const value = await benchPayments(join(folder, algorithm), algorithm);
      show({ what: algorithm, value, unit: 'payments/s' });
    }
    section(`XRP Ledger, a close with one payment by the size of the state (median of ${CLOSES})`);
    const closes = [];
    for (const accounts of [1, 1_000, 100_000]) {
      const { closeMs, startMs } = await benchClose(join(folder, `${accounts}`), accounts);
      closes.push(closeMs);
      show(
        { what: `close, ${accounts} accounts`, value: closeMs, unit: 'ms' },
        { what: `start, ${accounts} accounts`, value: startMs, unit: 'ms' },
      );
    }
    const value = closes[2]! / closes[0]!;
    show({ what: 'close, 100,000 accounts against 1', value, unit: '×', budget: { atMost: 3 } });
    await benchHistory(join(folder, 'history'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const start = (databasePath: string, closeIntervalMs: number): Promise<XrplLedger> =>
  startXrplLedger({
    ...XRPL_DEFAULTS,
    databasePath,
    closeIntervalMs,
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  });

async function benchPayments(
  databasePath: string,
  algorithm: 'ed25519' | 'ecdsa-secp256k1',
): Promise<number> {
  const ledger = await start(databasePath, 200);
  const payer = accountOf('payer', algorithm);
  const payee = accountOf('payee');
  await ledger.fund(payer.address, 1_000_000n * XRP);
  await ledger.fund(payee.address, 10n * XRP);
  const socket = new WebSocket(String(ledger.url));
  await new Promise(resolve => socket.once('open', resolve));
  const first = await sequenceOf(socket, payer);
  const frames = Array.from({ length: PAYMENTS }, (_, n) =>
    JSON.stringify({ id: n, command: 'submit', tx_blob: pay(payer, payee.address, first + n) }),
  );
  const validated = allValidated(socket, payee.address);
  const startedAt = elapsedMs();
  for (const frame of frames) socket.send(frame);
  await validated;
  const seconds = (elapsedMs() - startedAt) / 1_000;
  socket.terminate();
  await ledger.close();
  return PAYMENTS / seconds;
}

const pay = (from: Account, to: string, Sequence: number): string =>
  signed(payment(from, to, 1n, { Sequence, Fee: '10', NetworkID: NETWORK_ID }), from);

async function sequenceOf(socket: WebSocket, { address: account }: Account): Promise<number> {
  const answer = new Promise<string>(resolve => socket.once('message', data => resolve(String(data))));
  socket.send(JSON.stringify({ command: 'account_info', account }));
  return JSON.parse(await answer).result.account_data.Sequence;
}

function allValidated(socket: WebSocket, address: string): Promise<void> {
  socket.send(JSON.stringify({ command: 'subscribe', accounts: [address] }));
  let missing = PAYMENTS;
  return new Promise((resolve, reject) => {
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as Json;
      const refused = (message.result as Json | undefined)?.engine_result ?? 'tesSUCCESS';
      if (refused !== 'tesSUCCESS') reject(new Error(`bench: ${refused}`));
      if (message.type === 'transaction' && --missing === 0) resolve();
    });
  });
}

/** The median of closes with one payment each. */
async function benchClose(databasePath: string, accounts: number) {
  const storage = openStorage(databasePath);
  fillState(storage, accounts, systemClock.now());
  storage.close();
  const startedAt = elapsedMs();
  const ledger = await start(databasePath, 0);
  const startMs = elapsedMs() - startedAt;
  const times: number[] = [];
  for (let n = 0; n < CLOSES; n++) {
    await submit(ledger, pay(genesis, addressOf(n % accounts), n + 1));
    const before = elapsedMs();
    ledger.knobs.close();
    times.push(elapsedMs() - before);
  }
  await ledger.close();
  return { closeMs: median(times), startMs };
}

async function submit(ledger: XrplLedger, tx_blob: string): Promise<void> {
  const body = JSON.stringify({ method: 'submit', params: [{ tx_blob }] });
  const request = new Request('http://ledger/', { method: 'POST', body });
  const answer = await ledger.handleRequest(request, { remoteAddress: '127.0.0.1' });
  const { result } = (await answer.json()) as { result: Json };
  if (result.engine_result !== 'tesSUCCESS')
    throw new Error(`bench: ${String(result.engine_result ?? result.error)}`);
}
