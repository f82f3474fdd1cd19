import { expect, test } from 'vitest';
import { handshakes } from '../../src/vasps/handshakes.ts';

/** Which handshakes of a VASP wait for each other, and which are not begun. */

/** A call whose connection is opened and made, or fails, when the test says so. */
function calling() {
  let end!: (error?: Error) => void;
  let begun = false;
  let see!: (state: 'opened' | 'made') => void;
  const ended = new Promise<string>((resolve, reject) => {
    end = error => (error ? reject(error) : resolve('answer'));
  });
  const call = (watch: (state: 'begun' | 'opened' | 'made') => void) => {
    begun = true;
    see = watch;
    watch('begun');
    watch('opened');
    return ended;
  };
  return {
    call,
    isBegun: () => begun,
    succeed() {
      see('made');
      end();
    },
    fail: () => end(new Error('handshake')),
  };
}
const turn = () => new Promise(resolve => setImmediate(resolve));
const REFUSED = { code: 'HANDSHAKE-FAILED-BEFORE' };

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

test('a known server that starts anew fails all calls that have begun, and is called again at once', async () => {
  const gate = handshakes();
  await known(gate);
  const burst = [calling(), calling(), calling()];
  const failing = burst.map(({ call }) => gate.during('1', 'https://a', call));
  await turn();
  expect(burst.every(({ isBegun }) => isBegun())).toBe(true);
  for (const { fail } of burst) fail();
  for (const each of failing) await expect(each).rejects.toThrow('handshake');
  await known(gate);
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
