import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Measured, median, quantile, start } from './process.ts';
import { BASELINE, OURS } from './programs.ts';
import { section, show } from './report.ts';

const AMOUNT = 6_000;
const CONNECTIONS = 32;
const ROUNDS = 3;

/** The tested VASP's callback endpoint: counts, and tells when which verification was heard of. */
class Sink {
  received = 0;
  readonly heardAt = new Map<string, number>();
  readonly server: Server;
  #enough: { count: number; done: () => void } | undefined;

  constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":true}');
        const uuid = /"verificationUuid":"([^"]+)"/.exec(body)?.[1];
        if (uuid) this.heardAt.set(uuid, performance.now());
        this.received++;
        if (this.#enough && this.received >= this.#enough.count) this.#enough.done();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}/callback`;
  }

  has(count: number): Promise<void> {
    if (this.received >= count) return Promise.resolve();
    return new Promise(done => {
      this.#enough = { count, done };
    });
  }
}

/** Requests per second from the first request to the last callback received. */
async function throughput(server: Measured, sink: Sink, body: string): Promise<number> {
  const before = sink.received;
  const startedAt = performance.now();
  const result = await autocannon({
    url: `${server.url}/v1/verifications`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections: CONNECTIONS,
    amount: AMOUNT,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  await sink.has(before + AMOUNT);
  return AMOUNT / ((performance.now() - startedAt) / 1000);
}

/** Milliseconds from the request to the callback, at ten requests a second. */
async function latencies(server: Measured, sink: Sink, body: string): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < 150; i++) {
    const sentAt = performance.now();
    const response = await fetch(`${server.url}/v1/verifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { verificationUuid } = (await response.json()) as { verificationUuid: string };
    await new Promise(resolve => setTimeout(resolve, Math.max(0, 100 - (performance.now() - sentAt))));
    took.push((sink.heardAt.get(verificationUuid) ?? Number.POSITIVE_INFINITY) - sentAt);
  }
  return took.slice(20);
}

export async function benchVerifications(): Promise<void> {
  section(
    `User verifications, request → callback delivered (${CONNECTIONS} connections, ${AMOUNT} requests, median of ${ROUNDS})`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-bench-'));
  const sink = new Sink();
  const peer = await sink.listen();
  const baseline = await start(BASELINE, { PEER: peer, DATABASE: join(folder, 'bare.sqlite') });
  const ours = await start(
    OURS,
    { DATABASE_PATH: join(folder, 'robot.sqlite'), VEGA_VERIFICATION_CALLBACK_API_PATH: peer },
    '/readyz',
  );
  try {
    const body = await requestBody(ours.url);
    const [bare, own]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare!.push(await throughput(baseline, sink, body));
      own!.push(await throughput(ours, sink, body));
    }
    const ratio = median(own!) / median(bare!);
    show(
      { what: 'bare Hono + zod + one insert + one outgoing POST', value: median(bare!), unit: 'requests/s' },
      { what: 'ours', value: median(own!), unit: 'requests/s' },
      { what: 'ratio', value: ratio, unit: '×', budget: { atLeast: 0.35 } },
    );
    const took = await latencies(ours, sink, body);
    show(
      {
        what: 'latency at 10 requests/s, p50',
        value: quantile(took, 0.5),
        unit: 'ms',
        budget: { atMost: 15 },
      },
      {
        what: 'latency at 10 requests/s, p99',
        value: quantile(took, 0.99),
        unit: 'ms',
        budget: { atMost: 60 },
      },
    );
  } finally {
    await Promise.all([baseline.stop(), ours.stop()]);
    sink.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function requestBody(url: string): Promise<string> {
  const info = (await (await fetch(`${url}/sandbox/v1/info`)).json()) as {
    robot: { vaspId: string };
    users: { id: string; accounts: { ETH: string } }[];
  };
  const name = (primaryIdentifier: string, secondaryIdentifier: string) => ({
    name: { nameIdentifier: [{ primaryIdentifier, secondaryIdentifier, nameIdentifierType: 'LEGL' }] },
  });
  const beneficiary = info.users.find(user => user.id === 'taylor-robbins')!;
  return JSON.stringify({
    keyType: 'PerVasp',
    beneficiaryVaspId: info.robot.vaspId,
    requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
    assetInfo: {
      symbol: 'ETH',
      amount: '0.024',
      isExceedingThreshold: true,
      tradePrice: '2439800',
      tradeCurrency: 'KRW',
      tradeISODatetime: '2026-01-01T00:00:00.000Z',
    },
    payload: {
      version: '1.0',
      ivms101: {
        originator: {
          originatorPersons: [
            {
              naturalPerson: {
                ...name('Din', 'James'),
                dateAndPlaceOfBirth: { dateOfBirth: '1990-01-01', placeOfBirth: 'Seoul' },
              },
            },
          ],
          accountNumber: ['0x5811001506550d8356a215be229c15b6ef371a9b'],
        },
        beneficiary: {
          beneficiaryPersons: [{ naturalPerson: name('Robbins', 'Taylor') }],
          accountNumber: [beneficiary.accounts.ETH],
        },
      },
    },
  });
}
