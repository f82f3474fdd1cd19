import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as round } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { earlyServer, fairTurns } from '../../src/http/server.ts';

/** Requests that cost what their name tells, in the order in which they begin: `a5` costs the owner `a` 5 ms. */
function turns() {
  let atMs = 0;
  const inTurn = fairTurns(() => atMs);
  const begun: string[] = [];
  const ask = (...names: string[]): void => {
    for (const name of names)
      inTurn(name[0]!, async () => {
        begun.push(name);
        // A request goes on after its first `await`.
        await Promise.resolve();
        atMs += Number(name.slice(1));
      });
  };
  return { ask, begun };
}

test('the requests of two owners that cost the same alternate', async () => {
  const { ask, begun } = turns();
  ask('a1', 'a1', 'a1', 'b1', 'b1', 'b1');
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a1', 'b1', 'a1', 'b1']);
});

test('an owner of expensive requests waits until those of others have cost as much', async () => {
  const { ask, begun } = turns();
  ask('a9', 'a9', 'b3', 'b3', 'b3', 'b3', 'c6', 'c6');
  await expect.poll(() => begun).toEqual(['a9', 'b3', 'c6', 'b3', 'b3', 'c6', 'a9', 'b3']);
});

test('an owner that comes late waits for one request, not for those before it', async () => {
  const { ask, begun } = turns();
  ask('a9', 'b9', 'a9', 'b9', 'a9', 'b9');
  await expect.poll(() => begun.length, { interval: 0 }).toBeGreaterThan(1);
  const before = begun.length;
  ask('c1');
  await expect.poll(() => begun.length).toBe(7);
  expect(begun.indexOf('c1')).toBeLessThanOrEqual(before + 1);
});

test('an owner that was silent for a while is ahead by 20 ms, and has nothing more saved up', async () => {
  let atMs = 0;
  const begun: string[] = [];
  const inTurn = fairTurns(() => atMs);
  const ask = (owner: string, then = () => {}) =>
    inTurn(owner, () => {
      begun.push(owner);
      atMs += 10;
      then();
    });
  const both = () => {
    for (const owner of 'bbbbaaaa') ask(owner);
  };
  for (const owner of 'baaaaaaaaaaaaaaaaaaa') ask(owner);
  ask('a', both);
  await expect.poll(() => begun.length).toBe(29);
  expect(begun.slice(-8).join('')).toMatch(/^bb(?:abab|baba|abba|baab)/);
});

test('who leaves the queue gets no turn, and the others go on', async () => {
  const inTurn = fairTurns();
  const begun: string[] = [];
  const queued = ['a1', 'a2', 'b1', 'a3', 'b2'].map(name => [name, inTurn(name[0]!, () => begun.push(name))]);
  const leave = Object.fromEntries(queued) as Record<string, () => void>;
  for (const name of ['a1', 'a3', 'b1', 'b2']) leave[name]!();
  await expect.poll(() => begun).toEqual(['a2']);
  leave.a2!();
  inTurn('c', () => begun.push('c1'))();
  inTurn('c', () => begun.push('c2'));
  await expect.poll(() => begun).toEqual(['a2', 'c2']);
});

const costMs = fc.nat(30);
/** `leaves`: now, or when the request begins, the one of this number leaves the queue. */
const acts = fc.oneof(
  fc.record({ owner: fc.constantFrom('a', 'b', 'c'), costMs, leaves: fc.nat(60) }),
  fc.record({ leaves: fc.nat(60) }),
  fc.constant('round' as const),
);
const costs = fc.array(costMs, { minLength: 1, maxLength: 5 });

test('random histories: each request begins once unless it leaves, and two owners that always wait spend the same', async () => {
  const history = fc.array(acts, { maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(history, fc.option(fc.record({ x: costs, y: costs })), async (each, waiting) => {
      let [atMs, longestMs, apartMs, hasEnded] = [0, 0, 0, false];
      const inTurn = fairTurns(() => atMs);
      const ask = (owner: string, cost: number, then: () => void) =>
        inTurn(owner, async () => {
          then();
          await Promise.resolve();
          atMs += cost;
          longestMs = Math.max(longestMs, cost);
        });
      const spentMs = { x: 0, y: 0 };
      const always = (name: 'x' | 'y', [cost, ...more]: readonly number[]): unknown =>
        ask(name, cost!, () => {
          if (hasEnded) return;
          spentMs[name] += cost!;
          apartMs = Math.max(apartMs, Math.abs(spentMs.x - spentMs.y));
          always(name, [...more, cost!]);
        });
      if (waiting) for (const name of ['x', 'y'] as const) always(name, waiting[name]);
      const asked: { begun: number; hasLeft: boolean; leave(): void }[] = [];
      const leaves = (number: number) => {
        const request = asked[number];
        if (request?.begun === 0) request.hasLeft = true;
        request?.leave();
      };
      for (const act of each)
        if (act === 'round') await round();
        else if ('owner' in act) {
          const request = { begun: 0, hasLeft: false, leave: () => {} };
          asked.push(request);
          request.leave = ask(act.owner, act.costMs, () => {
            request.begun++;
            leaves(act.leaves);
          });
        } else leaves(act.leaves);
      hasEnded = true;
      const waits = () => asked.some(({ begun, hasLeft }) => begun === 0 && !hasLeft);
      for (let rounds = 0; rounds < 1_000 && waits(); rounds++) await round();
      expect(asked.filter(({ begun, hasLeft }) => begun !== (hasLeft ? 0 : 1))).toEqual([]);
      expect(apartMs).toBeLessThanOrEqual(longestMs + 20);
    }),
    { numRuns: 300 },
  );
});

test('B3: connections that wait are accepted before the next turn of anybody', async () => {
  const { server } = earlyServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  onTestFinished(() => void server.close());
  const most = 50;
  let [accepted, turns] = [0, 0];
  server.on('connection', () => {
    accepted++;
  });
  // No time passes: on a busy machine the rounds may take longer than connections may delay a turn.
  const inTurn = fairTurns(() => 0);
  const ask = () =>
    inTurn('a', () => {
      if (accepted === most) return;
      turns++;
      ask();
    });
  const sockets = Array.from({ length: most }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  ask();
  await expect.poll(() => accepted).toBe(most);
  expect(turns).toBeLessThan(10);
});
