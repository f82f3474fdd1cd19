import { statSync } from 'node:fs';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger } from '../../src/devnet/xrpl/ledger.ts';
import { elapsedMs, systemClock } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { addressOf } from '../support/xrpl-ledger/large-state.ts';
import { type Account, accountOf, type Json, NETWORK_ID, payment, XRP } from '../support/xrpl-ledger/test-ledger.ts';
import { progress, section, show } from './report.ts';
import { median } from './samples.ts';
import { nativeSigner } from './xrpl-signing.ts';

const LEDGERS = 10_000;
const PER_LEDGER = 10;
const PROGRESS_EVERY = 1_000;
const SAMPLE = 500;
const RECEIVERS = 1_000;
const LOOKS = 50;

/** A ledger with a long history: closing and looking things up, at its beginning and at its end. */
export async function benchHistory(databasePath: string): Promise<void> {
  section(`XRP Ledger, ${LEDGERS} ledgers with ${LEDGERS * PER_LEDGER} payments`);
  const payer = accountOf('payer');
  let ledger = await open(databasePath);
  await ledger.fund(payer.address, 100_000_000n * XRP);
  const { submits, closes, hashes } = await fill(ledger, payer);
  const early = { submit: median(submits.slice(0, SAMPLE)), close: median(closes.slice(0, SAMPLE)) };
  const late = { submit: median(submits.slice(-SAMPLE)), close: median(closes.slice(-SAMPLE)) };
  show(
    { what: `${PER_LEDGER} submissions, the first ledgers`, value: early.submit, unit: 'ms' },
    { what: `${PER_LEDGER} submissions, the last ledgers`, value: late.submit, unit: 'ms' },
    { what: `close with ${PER_LEDGER} payments, the first ledgers`, value: early.close, unit: 'ms' },
    { what: `close with ${PER_LEDGER} payments, the last ledgers`, value: late.close, unit: 'ms' },
    { what: 'last against first', value: late.close / early.close, unit: '×', budget: { atMost: 2 } },
  );
  await look(ledger, payer, hashes);
  show({ what: 'memory of the process', value: process.memoryUsage().rss / 2 ** 20, unit: 'MB' });
  await ledger.close();
  const startedAt = elapsedMs();
  ledger = await open(databasePath);
  show(
    { what: 'start on this history', value: elapsedMs() - startedAt, unit: 'ms' },
    { what: 'its file', value: statSync(databasePath).size / 2 ** 20, unit: 'MB' },
  );
  const forgettingAt = elapsedMs();
  ledger.controls.forgetHistory(LEDGERS - SAMPLE);
  show({ what: 'forgetting all but the last ledgers', value: elapsedMs() - forgettingAt, unit: 'ms' });
  await ledger.close();
}

const open = (databasePath: string): Promise<XrplLedger> =>
  startXrplLedger({ ...XRPL_DEFAULTS, databasePath, closeIntervalMs: 0, clock: systemClock, log: silentLog });

async function fill(ledger: XrplLedger, payer: Account) {
  const signer = nativeSigner(payer);
  const found = await ask(ledger, 'account_info', { account: payer.address });
  let Sequence = Number((found.account_data as Json).Sequence);
  const submits: number[] = [];
  const closes: number[] = [];
  const hashes: string[] = [];
  for (let n = 0; n < LEDGERS; n++) {
    const blobs = Array.from({ length: PER_LEDGER }, (_, m) => {
      const to = addressOf((n * PER_LEDGER + m) % RECEIVERS);
      const fields = { Sequence: Sequence++, Fee: '10', NetworkID: NETWORK_ID };
      return signer.sign(payment(payer, to, 2n * XRP, fields));
    });
    const startedAt = elapsedMs();
    for (const tx_blob of blobs) {
      const { engine_result, tx_json } = await ask(ledger, 'submit', { tx_blob });
      if (engine_result !== 'tesSUCCESS') throw new Error(`bench: ${engine_result}`);
      hashes.push(String((tx_json as Json).hash));
    }
    const closingAt = elapsedMs();
    ledger.controls.close();
    submits.push(closingAt - startedAt);
    closes.push(elapsedMs() - closingAt);
    if ((n + 1) % PROGRESS_EVERY === 0) progress(n + 1, LEDGERS, 'ledgers');
  }
  return { submits, closes, hashes };
}

async function look(ledger: XrplLedger, { address }: Account, hashes: string[]): Promise<void> {
  const middle = { account: address, ledger_index_min: LEDGERS / 2, ledger_index_max: -1, limit: 200 };
  const questions: [string, string, (n: number) => Json][] = [
    ['account_tx, newest 200', 'account_tx', () => ({ account: address, limit: 200 })],
    ['account_tx, oldest 200', 'account_tx', () => ({ account: address, limit: 200, forward: true })],
    ['account_tx, 200 from the middle', 'account_tx', () => ({ ...middle, forward: true })],
    ['account_tx of a receiver', 'account_tx', n => ({ account: addressOf(n), limit: 200 })],
    ['tx by hash', 'tx', n => ({ transaction: hashes[(n * 7_919) % hashes.length] })],
    ['account_info, newest', 'account_info', () => ({ account: address, ledger_index: 'validated' })],
    ['account_info, long ago', 'account_info', n => ({ account: address, ledger_index: 100 + n })],
    [
      'ledger with its transactions',
      'ledger',
      n => ({ ledger_index: 100 + n * 100, transactions: true, expand: true }),
    ],
    ['server_info', 'server_info', () => ({})],
  ];
  for (const [what, command, params] of questions) {
    const times: number[] = [];
    for (let n = 0; n < LOOKS; n++) {
      const startedAt = elapsedMs();
      const { error } = await ask(ledger, command, params(n));
      if (error !== undefined) throw new Error(`bench: ${command}: ${error}`);
      times.push(elapsedMs() - startedAt);
    }
    show({ what, value: median(times), unit: 'ms' });
  }
}

async function ask(ledger: XrplLedger, method: string, params: Json): Promise<Json> {
  const body = JSON.stringify({ method, params: [{ api_version: 2, ...params }] });
  const request = new Request('http://ledger/', { method: 'POST', body });
  const answer = await ledger.handleRequest(request, { remoteAddress: '127.0.0.1' });
  return ((await answer.json()) as { result: Json }).result;
}
