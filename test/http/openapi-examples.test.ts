import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precondition } from '../../src/http/endpoint.ts';
import { type ApiDocument, documentCheck, loadDocument } from '../support/http/document-check.ts';
import { movingClock, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { createWorld, type World } from '../support/world/world.ts';

type Example = { value: unknown };
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  examples?: Record<string, Example>;
}
interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, Example> }> };
  responses: Record<string, unknown>;
  'x-precondition'?: Precondition;
}
interface Shown {
  section: string;
  id: string;
  after: Precondition | undefined;
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** The first status of the document. */
  expected: number;
}

/** Makes what `x-precondition` names. Answers the id that replaces the one of the example. */
const PLAYED: Record<Precondition, (world: World) => Promise<string>> = {
  verified: async world => (await verified(world)).uuid,
  paid: async world => {
    const verification = await verified(world);
    world.vasp.ordinary.setStatus(verification.uuid, 'CONFIRMED', await paid(world, verification));
    return verification.uuid;
  },
  'verified-for-robot': async world => (await verifiedForRobot(world)).uuid,
  'robot-holds-money': async world => {
    const amount = await received(world);
    return (await verifiedForRobot(world, { amount })).uuid;
  },
  'callback-sent': async world => {
    await verified(world);
    return (await world.api.callbacks()).callbacks[0]!.id;
  },
  exchanged: async world => {
    await verified(world);
    return (await world.api.exchanges()).exchanges[0]!.id;
  },
  // A VASP has one run at a time: the examples share it.
  'run-started': async world => {
    const [run] = (await world.api.runs()).runs;
    return (run ?? (await world.api.startRun({ plan: 'security', modules: ['S4'], unattended: true }))).id;
  },
  'transaction-waits': async world => {
    await world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on: true });
    return (await world.api.faucet('ETH', '0x000000000000000000000000000000000000dEaD', '1')).txHash;
  },
  'fault-ordered': async world => (await world.api.addFault({ target: 'callback', mode: 'delay', delay: '1s' })).id,
};

/** Parts of one request have the same name. */
function examplesOf(document: ApiDocument): Shown[] {
  return Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const { operationId, tags, parameters = [], requestBody, responses, 'x-precondition': after } = operation;
        const body = requestBody?.content['application/json'];
        const bodies = body?.examples ?? {};
        const names = new Set([
          ...Object.keys(bodies),
          ...parameters.flatMap(({ examples = {} }) => Object.keys(examples)),
        ]);
        return [...(names.size > 0 ? names : ['default'])].map(name => {
          const of = (place: Parameter['in']) =>
            Object.fromEntries(
              parameters
                .filter(each => each.in === place && each.examples?.[name])
                .map(each => [each.name, String(each.examples![name]!.value)]),
            );
          const params = of('path');
          return {
            section: tags[0]!,
            id: `${operationId}: ${name}`,
            after,
            expected: Math.min(...Object.keys(responses).map(Number)),
            method: method.toUpperCase(),
            path: path.replace(/\{(\w+)\}/g, (_, each: string) => params[each]!),
            query: of('query'),
            body: bodies[name]?.value ?? body?.example,
          };
        });
      }),
  );
}

/** The id of the thing that an example needs. */
function withId(shown: Shown, id: string): Shown {
  const path = shown.path.replace(/8557f2b2-985e-431f-8d52-75c2e5a01e46|(?<=\/)1(?=\/|$)/, id);
  const body = shown.body as { verificationUuid?: string; txHash?: string } | undefined;
  const named = body?.verificationUuid ? 'verificationUuid' : shown.after === 'transaction-waits' && 'txHash';
  return { ...shown, path, body: named ? { ...body, [named]: id } : body };
}

/** Comes last: afterwards there is another ledger. */
const isLast = ({ id }: Shown) => id.endsWith('start-over');

const document = await (async () => {
  const world = await createWorld();
  const loaded = await loadDocument(world.url);
  await world.close();
  return loaded;
})();
const check = documentCheck(document);
const examples = examplesOf(document).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

test('there are examples for every operation, and none has a gap', () => {
  expect(examples.length).toBeGreaterThan(90);
  expect(examples.filter(({ path }) => path.includes('undefined'))).toEqual([]);
});

const sections = new Set(examples.map(({ section }) => section));
describe.each([...sections])('the requests of the section “%s”, sent as they stand', section => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ clock: movingClock });
  });
  afterAll(() => world?.close());

  test.each(examples.filter(each => each.section === section))('$id', async shown => {
    const { method, path, query, body } = shown.after ? withId(shown, await PLAYED[shown.after](world)) : shown;
    const inQuery = new URLSearchParams(query);
    const answer = await fetch(`${world.url}${path}${inQuery.size > 0 ? `?${inQuery}` : ''}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(await check.answer(method, path, answer)).toBeUndefined();
    if (answer.status !== shown.expected) expect.fail(`${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
  });
});
