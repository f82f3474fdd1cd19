import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountOf, verificationOf } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/** A request that runs while the program stops ends with its own answer, with 503, or without one byte. Never with 500. */

const world = await forFile(createProgramWorld({ VASP_TIMEOUT_CALLBACK: '40s' }));
beforeEach(() => world.vasp.script('callback', undefined, 'ordinary'));

interface Outcome {
  what: string;
  /** 0: not one byte came. */
  status: number;
  text: string;
  isComplete: boolean;
}

function open(what: string, agent: Agent, answered: (outcome: Outcome) => void): ClientRequest {
  const [method, path] = what.split(' ') as [string, string];
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const sent = httpRequest(world.url + path, { method, agent, headers }, response => {
    const { statusCode: status = 0 } = response;
    let text = '';
    response.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    response.on('error', () => {});
    response.once('close', () => answered({ what, status, text, isComplete: response.complete }));
  });
  sent.once('error', () => answered({ what, status: 0, text: '', isComplete: false }));
  return sent;
}

const ask = (what: string, body: object | undefined, agent: Agent): Promise<Outcome> =>
  new Promise(resolve => void open(what, agent, resolve).end(body && JSON.stringify(body)));

const codeOf = ({ text }: Outcome): string => JSON.parse(text).code;

type Kind = (turn: number) => [what: string, body?: object];

/** One request after another, until the program refuses one. */
async function stream(next: Kind, agent: Agent, outcomes: Outcome[]): Promise<void> {
  for (let turn = 0, isServed = true; isServed; turn++) {
    const [what, body] = next(turn);
    const outcome = await ask(what, body, agent);
    outcomes.push(outcome);
    isServed = outcome.status !== 0 && outcome.status !== 503;
  }
}

const READS = [
  '/v1/vasps',
  '/sandbox/v1/info',
  '/sandbox/v1/timers',
  '/sandbox/v1/exchanges',
  '/readyz',
  '/metrics',
  '/console/verifications',
  '/console/exchanges',
  '/guide/ci',
  '/openapi.json',
  '/sandbox/v1/callbacks?wait=5s',
].map(path => `GET ${path}`);

const KINDS: Kind[] = [
  turn => [READS[turn % READS.length]!],
  () => ['POST /v1/verifications', verificationOf(world)],
  () => ['POST /v1/verifications', verificationOf(world, { symbol: 'XRP' })],
  () => ['POST /v1/verifications/account', accountOf(world)],
  () => ['POST /sandbox/v1/clock/advance', { duration: '1s' }],
  () => ['POST /devnet/ETH', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }],
  () => [
    'POST /mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_verifications', arguments: {} } },
  ],
];

async function stopAmongRequests(afterAnswers: number): Promise<Outcome[]> {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const outcomes: Outcome[] = [];
  const streams = KINDS.flatMap(kind => agents.map(agent => stream(kind, agent, outcomes)));
  const events = ask('GET /sandbox/v1/events', undefined, agents[1]!);
  await until(() => outcomes.length >= afterAnswers);
  expect(await world.stop()).toBe(0);
  await Promise.all(streams);
  for (const agent of agents) agent.destroy();
  return [...outcomes, await events];
}

describe('SIGTERM', () => {
  test.each([50, 100, 200])('among requests, after %i: each has its answer, 503 or none', async count => {
    const outcomes = await stopAmongRequests(count);
    const wrong = outcomes.filter(
      ({ status, isComplete }) => status !== 0 && !(isComplete && (status < 500 || status === 503)),
    );
    expect(wrong).toEqual([]);
    const refused = outcomes.filter(each => each.status === 503 && each.what !== 'GET /readyz');
    expect(new Set(refused.map(codeOf))).toEqual(new Set(refused.length > 0 ? ['STOPPING'] : []));
    expect(world.log()).not.toContain('unexpected failure');
    await world.start();
    await world.idle();
    for (const { what, status, text } of outcomes)
      if (what === 'POST /v1/verifications' && status === 200) {
        const { verificationUuid } = JSON.parse(text);
        expect(await world.api.verification(verificationUuid)).toMatchObject({ result: 'VERIFIED' });
        await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
        expect(world.vasp.callbacks(verificationUuid)).toHaveLength(1);
      }
  });

  test('during what does not end in time: 503 says that it may have been done', async () => {
    const agent = new Agent();
    const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
    await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
    await world.idle();
    world.vasp.script('callback', undefined, 'never');
    const { verificationUuid: held } = await world.api.verifyUser(verificationOf(world));
    await world.vasp.arrived('callback', held, 1);
    const advanced = ask('POST /sandbox/v1/clock/advance', { duration: '1h' }, agent);
    const half = new Promise<Outcome>(resolve => {
      open('POST /v1/verifications', agent, resolve).write('{"half":');
    });
    await delay(300);
    const from = performance.now();
    expect(await world.stop()).toBe(0);
    expect(performance.now() - from).toBeLessThan(10_000);
    for (const outcome of [await advanced, await half]) {
      expect(outcome).toMatchObject({ status: 503, isComplete: true });
      expect(JSON.parse(outcome.text)).toMatchObject({
        code: 'STOPPING',
        message: expect.stringContaining('Look what was done'),
      });
    }
    expect(world.log()).not.toContain('unexpected failure');
    world.vasp.script('callback', undefined, 'ordinary');
    await world.start();
    await world.vasp.arrived('callback', held, 2);
    expect(await world.api.verification(held)).toMatchObject({ result: 'VERIFIED' });
  });
});
