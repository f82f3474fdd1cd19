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

/** The open ledger takes this many at the base fee. */
const PAYMENTS = 1_000;
const WARM_UP = 500;
const PAYMENTS_OF_A_CLOSE = 500;
const LARGE_CLOSES = 5;
const CLOSES = 30;

/** The embedded XRP Ledger: payments per second until validated, and the time of a close by the size of the state. */
export async function benchXrpl(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-xrpl-'));
  try {
    section(`XRP Ledger, ${PAYMENTS} payments over one WebSocket, submitted until validated`);
    for (const algorithm of ['ed25519', 'ecdsa-secp256k1'] as const) {
      const { perSecond, submittedPerSecond } = await benchPayments(join(folder, algorithm), algorithm);
      show(
        { what: `${algorithm}, validated`, value: perSecond, unit: 'payments/s' },
        {
          what: `${algorithm}, submissions answered`,
          value: submittedPerSecond,
          unit: '/s',
          budget: { atLeast: 1_000 },
        },
      );
    }
    section(`XRP Ledger, a close with ${PAYMENTS_OF_A_CLOSE} payments (median of ${LARGE_CLOSES})`);
    const closeMs = await benchLargeClose(join(folder, 'large'));
    show({ what: 'close', value: closeMs, unit: 'ms', budget: { atMost: 200 } });
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
): Promise<{ perSecond: number; submittedPerSecond: number }> {
  const ledger = await start(databasePath, 0);
  const payer = accountOf('payer', algorithm);
  const payee = accountOf('payee');
  await ledger.fund(payer.address, 1_000_000n * XRP);
  await ledger.fund(payee.address, 10n * XRP);
  const socket = new WebSocket(String(ledger.url));
  await new Promise(resolve => socket.once('open', resolve));
  const first = await sequenceOf(socket, payer);
  const frames = Array.from({ length: WARM_UP + PAYMENTS }, (_, n) =>
    JSON.stringify({ id: n, command: 'submit', tx_blob: pay(payer, payee.address, first + n) }),
  );
  await sendAll(socket, frames.splice(0, WARM_UP));
  ledger.knobs.close();
  const startedAt = elapsedMs();
  await sendAll(socket, frames);
  const answeredS = (elapsedMs() - startedAt) / 1_000;
  while ((await sequenceOf(socket, payer)) < first + WARM_UP + PAYMENTS) ledger.knobs.closePending();
  const validatedS = (elapsedMs() - startedAt) / 1_000;
  socket.terminate();
  await ledger.close();
  return { perSecond: PAYMENTS / validatedS, submittedPerSecond: PAYMENTS / answeredS };
}

async function benchLargeClose(databasePath: string): Promise<number> {
  const ledger = await start(databasePath, 0);
  const times: number[] = [];
  for (let n = 0; n < LARGE_CLOSES; n++) {
    for (let m = 1; m <= PAYMENTS_OF_A_CLOSE; m++)
      await submit(ledger, pay(genesis, addressOf(m), n * PAYMENTS_OF_A_CLOSE + m, n === 0 ? 20n * XRP : 1n));
    const before = elapsedMs();
    ledger.knobs.close();
    times.push(elapsedMs() - before);
  }
  await ledger.close();
  return median(times);
}

const pay = (from: Account, to: string, Sequence: number, drops = 1n): string =>
  signed(payment(from, to, drops, { Sequence, Fee: '10', NetworkID: NETWORK_ID }), from);

async function sequenceOf(socket: WebSocket, { address: account }: Account): Promise<number> {
  const answer = new Promise<string>(resolve => socket.once('message', data => resolve(String(data))));
  socket.send(JSON.stringify({ command: 'account_info', account, ledger_index: 'validated' }));
  return JSON.parse(await answer).result.account_data.Sequence;
}

/** Resolves when every submission is answered. The client is in the same process, so it reads no more than it must. */
function sendAll(socket: WebSocket, frames: readonly string[]): Promise<void> {
  let missing = frames.length;
  return new Promise((resolve, reject) => {
    socket.on('message', data => {
      if (!String(data).includes('"engine_result":"tesSUCCESS"')) return reject(new Error(`bench: ${data}`));
      missing -= 1;
      if (missing > 0) return;
      socket.removeAllListeners('message');
      resolve();
    });
    for (const frame of frames) socket.send(frame);
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
