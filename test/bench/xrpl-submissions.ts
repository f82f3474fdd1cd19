import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { elapsedMs } from '../../src/kernel/clock.ts';
import {
  type Account,
  accountOf,
  genesis,
  type Json,
  NETWORK_ID,
  payment,
  XRP,
} from '../support/xrpl-ledger/test-ledger.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { medianOf } from './samples.ts';
import { cpuOf, spent } from './usage.ts';
import { nativeSigner } from './xrpl-signing.ts';

/** The open ledger takes this many at the base fee. */
const PAYMENTS = 1_000;
const WARM_UPS = 2;
const ROUNDS = 5;

/** Signed payments in a pipeline over one WebSocket. The ledger is a process of its own, so that the client costs it nothing. */
export async function benchSubmissions(folder: string): Promise<void> {
  section(`XRP Ledger, ${PAYMENTS} signed payments over one WebSocket (median of ${ROUNDS})`);
  for (const algorithm of ['ed25519', 'ecdsa-secp256k1'] as const) {
    const { child, url } = await startLedger(`${folder}/${algorithm}`);
    try {
      const rounds = await roundsOf(new Client(url), child, algorithm);
      const submitted = medianOf(rounds.map(({ answeredMs }) => (PAYMENTS * 1_000) / answeredMs));
      const validated = medianOf(rounds.map(({ validatedMs }) => (PAYMENTS * 1_000) / validatedMs));
      const micros = medianOf(rounds.map(({ cpuMicros }) => cpuMicros / PAYMENTS));
      show(
        { what: `${algorithm}, submissions answered`, ...submitted, unit: '/s' },
        { what: `${algorithm}, processor time of a submission`, ...micros, unit: 'µs' },
        { what: `${algorithm}, validated`, ...validated, unit: 'payments/s' },
      );
    } finally {
      child.kill();
    }
  }
}

async function startLedger(databasePath: string): Promise<{ child: ChildProcess; url: string }> {
  const options = ['--json', '--port', '0', '--close-interval', '0', '--database', databasePath];
  const child = spawn(process.execPath, [OURS[0]!, 'ledger', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, url: JSON.parse(line).url };
}

async function roundsOf(client: Client, child: ChildProcess, algorithm: 'ed25519' | 'ecdsa-secp256k1') {
  const [payer, payee] = [accountOf('payer', algorithm), accountOf('payee')];
  await client.opened;
  const fund = payerOf(genesis);
  await client.send([submission(fund(payer.address, 1, 1_000_000n * XRP))]);
  await client.send([submission(fund(payee.address, 2, 10n * XRP))]);
  await client.ask('ledger_accept');
  const first = await client.sequenceOf(payer);
  const pay = payerOf(payer);
  const rounds = Array.from({ length: WARM_UPS + ROUNDS }, (_, round) =>
    Array.from({ length: PAYMENTS }, (_, n) => submission(pay(payee.address, first + round * PAYMENTS + n))),
  );
  const measured = [];
  for (const [round, frames] of rounds.entries()) {
    const before = cpuOf(child.pid!);
    const startedAt = elapsedMs();
    await client.send(frames);
    const answeredMs = elapsedMs() - startedAt;
    const { main, threads } = spent(before, cpuOf(child.pid!));
    await client.ask('ledger_accept');
    const validatedMs = elapsedMs() - startedAt;
    if ((await client.sequenceOf(payer)) !== first + (round + 1) * PAYMENTS)
      throw new Error('bench: a payment is missing');
    if (round >= WARM_UPS) measured.push({ answeredMs, validatedMs, cpuMicros: main + threads });
  }
  client.close();
  return measured;
}

const submission = (tx_blob: string): string => JSON.stringify({ command: 'submit', tx_blob });

function payerOf(account: Account) {
  const signer = nativeSigner(account);
  return (to: string, Sequence: number, drops = 1n): string =>
    signer.sign(payment(account, to, drops, { Sequence, Fee: '10', NetworkID: NETWORK_ID }));
}

class Client {
  readonly #socket: WebSocket;
  readonly opened: Promise<unknown>;

  constructor(url: string) {
    this.#socket = new WebSocket(url, { perMessageDeflate: false });
    this.opened = once(this.#socket, 'open');
  }

  close(): void {
    this.#socket.terminate();
  }

  async ask(command: string, params: Json = {}): Promise<Json> {
    this.#socket.send(JSON.stringify({ command, ...params }));
    const [data] = await once(this.#socket, 'message');
    return JSON.parse(String(data)).result;
  }

  async sequenceOf({ address: account }: Account): Promise<number> {
    const { account_data } = await this.ask('account_info', { account, ledger_index: 'validated' });
    return Number((account_data as Json).Sequence);
  }

  /** Resolves when every submission is answered. */
  send(frames: readonly string[]): Promise<void> {
    let missing = frames.length;
    return new Promise((resolve, reject) => {
      const read = (data: Buffer) => {
        if (!data.includes('"engine_result":"tesSUCCESS"')) return reject(new Error(`bench: ${data}`));
        missing -= 1;
        if (missing > 0) return;
        this.#socket.off('message', read);
        resolve();
      };
      this.#socket.on('message', read);
      for (const frame of frames) this.#socket.send(frame);
    });
  }
}
