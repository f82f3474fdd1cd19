import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger } from '../../src/devnet/xrpl/ledger.ts';
import { openStorage } from '../../src/devnet/xrpl/storage.ts';
import { elapsedMs, systemClock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { addressOf, fillState } from '../support/xrpl-ledger/large-state.ts';
import {
  type Account,
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
import { benchSubmissions } from './xrpl-submissions.ts';

const PAYMENTS_OF_A_CLOSE = 500;
const LARGE_CLOSES = 5;
const CLOSES = 30;

/** The embedded XRP Ledger: submissions per second, and the time of a close by the size of the state. */
export async function benchXrpl(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-xrpl-'));
  try {
    await benchSubmissions(folder);
    section(`XRP Ledger, a close with ${PAYMENTS_OF_A_CLOSE} payments (median of ${LARGE_CLOSES})`);
    const closeMs = await benchLargeClose(join(folder, 'large'));
    show({ what: 'close', value: closeMs, unit: 'ms' });
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

async function benchLargeClose(databasePath: string): Promise<number> {
  const ledger = await start(databasePath, 0);
  const times: number[] = [];
  for (let n = 0; n < LARGE_CLOSES; n++) {
    for (let m = 1; m <= PAYMENTS_OF_A_CLOSE; m++)
      await submit(ledger, pay(genesis, addressOf(m), n * PAYMENTS_OF_A_CLOSE + m, n === 0 ? 20n * XRP : 1n));
    const before = elapsedMs();
    ledger.controls.close();
    times.push(elapsedMs() - before);
  }
  await ledger.close();
  return median(times);
}

const pay = (from: Account, to: string, Sequence: number, drops = 1n): string =>
  signed(payment(from, to, drops, { Sequence, Fee: '10', NetworkID: NETWORK_ID }), from);

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
    ledger.controls.close();
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
  if (result.engine_result !== 'tesSUCCESS') throw new Error(`bench: ${String(result.engine_result ?? result.error)}`);
}
