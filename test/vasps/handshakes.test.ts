import { expect, test } from 'vitest';
import { handshakes } from '../../src/vasps/call-guard.ts';
import { until } from '../support/until.ts';

type Gate = ReturnType<typeof handshakes>;

/** Which handshakes of a VASP wait for each other, and which are not begun. */

/** A call whose connection is opened and made, or fails, when the test says so. It may be called again. */
function calling() {
  let times = 0;
  let end!: (error?: Error) => void;
  let see!: (state: 'begun' | 'opened' | 'made') => void;
  const call: Parameters<Gate['during']>[2] = watch => {
    times += 1;
    const ended = new Promise<void>((resolve, reject) => {
      end = error => (error ? reject(error) : resolve());
    });
    see = state => watch(state, end);
    see('begun');
    see('opened');
    return ended.then(() => 'answer');
  };
  return {
    call: call as (watch: Parameters<typeof call>[0]) => Promise<string>,
    times: () => times,
    isBegun: () => times > 0,
    succeed() {
      see('made');
      end();
    },
    fail: () => end(new Error('handshake')),
    /** As when OpenSSL checks certificates: the processor works until it fails, and nothing else happens. */
    failAfter(ms: number) {
      for (const from = process.cpuUsage(); process.cpuUsage(from).user < ms * 1_000; );
      end(new Error('handshake'));
    },
  };
}
const turn = () => new Promise(resolve => setImmediate(resolve));
const REFUSED = { code: 'HANDSHAKE-FAILED-BEFORE' };
const TOO_LONG = { code: 'HANDSHAKE-TOO-LONG-BEFORE' };

async function known(gate: ReturnType<typeof handshakes>, server = 'https://a'): Promise<void> {
  const one = calling();
  const done = gate.during('1', server, one.call);
  await turn();
  one.succeed();
  await done;
}

test('servers that are not known: one handshake at a time, of each VASP', async () => {
  const gate = handshakes();
  const [first, second, other] = [calling(), calling(), calling()];
  const calls = [
    gate.during('1', 'https://a', first.call),
    gate.during('1', 'https://b', second.call),
    gate.during('2', 'https://a', other.call),
  ];
  await turn();
  expect([first, second, other].map(each => each.isBegun())).toEqual([true, false, true]);
  first.succeed();
  await turn();
  expect(second.isBegun()).toBe(true);
  second.succeed();
  other.succeed();
  expect(await Promise.all(calls)).toEqual(['answer', 'answer', 'answer']);
});

test('after one that failed none begins, and a server that is known is called', async () => {
  const gate = handshakes();
  await known(gate);
  const [bad, waiting] = [calling(), calling()];
  const failing = gate.during('1', 'https://b', bad.call);
  const refused = gate.during('1', 'https://c', waiting.call);
  await turn();
  bad.fail();
  await expect(failing).rejects.toThrow('handshake');
  await expect(refused).rejects.toMatchObject(REFUSED);
  expect(waiting.isBegun()).toBe(false);
  await expect(gate.during('1', 'https://b', calling().call)).rejects.toMatchObject(REFUSED);
  await known(gate);
});

/** Calls of a known server that have begun together. */
async function burstOf(gate: Gate) {
  const burst = [calling(), calling(), calling()] as const;
  const ended = burst.map(({ call }) => gate.during('1', 'https://a', call));
  for (const each of ended) each.catch(() => {});
  await turn();
  expect(burst.map(({ times }) => times())).toEqual([1, 1, 1]);
  return { burst, ended };
}

test('a known server that starts anew: the first failure stops the other calls, and they begin again one by one', async () => {
  const gate = handshakes();
  await known(gate);
  const {
    burst: [first, second, third],
    ended,
  } = await burstOf(gate);
  first.fail();
  await expect(ended[0]).rejects.toThrow('handshake');
  await turn();
  expect([second, third].map(({ times }) => times())).toEqual([2, 1]);
  second.succeed();
  await turn();
  third.succeed();
  expect(await Promise.all(ended.slice(1))).toEqual(['answer', 'answer']);
});

test('a known server whose certificates have become costly: two handshakes of many calls', async () => {
  const gate = handshakes();
  await known(gate);
  const {
    burst: [first, second, third],
    ended,
  } = await burstOf(gate);
  first.fail();
  await turn();
  second.fail();
  await expect(ended[0]).rejects.toThrow('handshake');
  await expect(ended[1]).rejects.toThrow('handshake');
  await expect(ended[2]).rejects.toMatchObject(REFUSED);
  expect([first, second, third].map(({ times }) => times())).toEqual([1, 2, 1]);
});

test('a failure stops the handshakes of its VASP with other servers, and none of another VASP', async () => {
  const gate = handshakes();
  await known(gate);
  await known(gate, 'https://b');
  const [bad, good, other] = [calling(), calling(), calling()];
  const failing = gate.during('1', 'https://a', bad.call);
  const served = gate.during('1', 'https://b', good.call);
  const ofOther = gate.during('2', 'https://a', other.call);
  await turn();
  bad.fail();
  await expect(failing).rejects.toThrow('handshake');
  await turn();
  expect([good.times(), other.times()]).toEqual([2, 1]);
  good.succeed();
  other.succeed();
  expect(await Promise.all([served, ofOther])).toEqual(['answer', 'answer']);
});

test('a server whose handshakes succeed and fail in turn waits after its second failure', async () => {
  const gate = handshakes();
  for (const _ of ['first', 'second']) {
    await known(gate);
    const bad = calling();
    const failing = gate.during('1', 'https://a', bad.call);
    await turn();
    bad.fail();
    await expect(failing).rejects.toThrow('handshake');
  }
  await expect(gate.during('1', 'https://a', calling().call)).rejects.toMatchObject(REFUSED);
});

test.each([
  ['a server that is not known', async () => {}],
  ['a known server', known],
])('%s: a call that ends in its handshake because a run was stopped is no failure', async (_, before) => {
  const gate = handshakes();
  await before(gate);
  const run = new AbortController();
  const [stopped, other] = [calling(), calling()];
  const ending = gate.during('1', 'https://a', stopped.call, run.signal);
  await turn();
  run.abort();
  stopped.fail();
  await expect(ending).rejects.toThrow('handshake');
  const next = gate.during('1', 'https://b', other.call);
  await turn();
  expect(other.isBegun()).toBe(true);
  other.succeed();
  expect(await next).toBe('answer');
});

const VASPS = 20;
/** This number of VASPs at the same time. */
async function ofMany(gate: Gate) {
  const all = Array.from({ length: VASPS }, calling);
  const ended = all.map(({ call }, vasp) => gate.during(`${vasp}`, 'https://a', call));
  for (const each of ended) each.catch(() => {});
  await turn();
  expect(all.map(({ times }) => times())).toEqual(Array(VASPS).fill(1));
  return { all, ended };
}

test('one that keeps the process stops the handshakes of all VASPs, and none begins for twice its time', async () => {
  const gate = handshakes();
  const { all, ended } = await ofMany(gate);
  const from = performance.now();
  all[0]!.failAfter(80);
  await expect(ended[0]).rejects.toThrow('handshake');
  const late = calling();
  const ofLate = gate.during('late', 'https://a', late.call);
  await turn();
  expect(late.isBegun()).toBe(false);
  await until(() => all.slice(1).every(({ times }) => times() === 2) && late.isBegun());
  expect(performance.now() - from).toBeGreaterThan(3 * 70);
  for (const each of [...all.slice(1), late]) each.succeed();
  expect(await Promise.all([...ended.slice(1), ofLate])).toEqual(Array(VASPS).fill('answer'));
});

test('the VASP of one that keeps the process is not called for longer, also at servers that were known', async () => {
  const gate = handshakes();
  for (const server of ['https://a', 'https://b']) await known(gate, server);
  const bad = calling();
  const failing = gate.during('1', 'https://a', bad.call);
  await turn();
  bad.failAfter(80);
  await expect(failing).rejects.toThrow('handshake');
  await expect(gate.during('1', 'https://a', calling().call)).rejects.toMatchObject(TOO_LONG);
  for (const server of ['https://b', 'https://c'])
    await expect(gate.during('1', server, calling().call)).rejects.toMatchObject(TOO_LONG);
});

test('one that fails at once stops no handshake of another VASP', async () => {
  const gate = handshakes();
  const { all, ended } = await ofMany(gate);
  all[0]!.fail();
  await expect(ended[0]).rejects.toThrow('handshake');
  for (const each of all.slice(1)) each.succeed();
  expect(await Promise.all(ended.slice(1))).toEqual(Array(VASPS - 1).fill('answer'));
  expect(all.map(({ times }) => times())).toEqual(Array(VASPS).fill(1));
});
