import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeEvents } from '../../src/console/events.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { createWorld, type World } from '../support/world/world.ts';

const EVENT = 'id: 1.1\nevent: callback\ndata: {}\n\n';

/** A stream of the API, and what a page hears of it. */
function heard(isSignedIn = () => true) {
  let source!: ReadableStreamDefaultController<Uint8Array>;
  const reader = changeEvents(
    new ReadableStream({
      start(controller) {
        source = controller;
      },
    }),
    isSignedIn,
  ).getReader();
  const encoder = new TextEncoder();
  return {
    say: (text: string) => source.enqueue(encoder.encode(text)),
    end: () => source.close(),
    async next(): Promise<string | undefined> {
      const { value } = await reader.read();
      return value && new TextDecoder().decode(value);
    },
  };
}
const CHANGED = 'event: changed\ndata: \n\n';

describe('what wakes a page', () => {
  test('the first event comes at once, because something may have changed since the page was rendered', async () => {
    expect(await heard().next()).toBe(CHANGED);
  });

  test('many at once become one', async () => {
    const { say, end, next } = heard();
    await next();
    for (let i = 0; i < 50; i++) say(EVENT);
    expect(await next()).toBe(CHANGED);
    end();
    expect(await next()).toBeUndefined();
  });

  test('the last event of a burst always arrives', async () => {
    const { say, next } = heard();
    for (let i = 0; i < 3; i++) {
      expect(await next()).toBe(CHANGED);
      say(EVENT);
    }
    expect(await next()).toBe(CHANGED);
  });

  test('a session whose time is over ends the stream at the next heartbeat', async () => {
    let isSignedIn = true;
    const { say, next } = heard(() => isSignedIn);
    expect(await next()).toBe(CHANGED);
    isSignedIn = false;
    say(':\n\n');
    expect(await next()).toBeUndefined();
  });

  test('chain heads and heartbeats cause no event', async () => {
    const { say, end, next } = heard();
    await next();
    say(':\n\n');
    say('id: 1.1\nevent: head\ndata: {"symbol":"ETH"}\n\n');
    end();
    expect(await next()).toBeUndefined();
  });
});

describe('over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ file: true });
  });
  afterAll(() => world?.close());

  async function listen() {
    const answer = await fetch(`${world.url}/console/events`);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const reader = answer.body!.getReader();
    return async () => new TextDecoder().decode((await reader.read()).value);
  }

  test('a fault that is ordered or removed wakes the page', async () => {
    const next = await listen();
    expect(await next()).toBe(CHANGED);
    const { id } = await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
    expect(await next()).toBe(CHANGED);
    await world.api.removeFault(id);
    expect(await next()).toBe(CHANGED);
  });

  test('a verification wakes the page', async () => {
    const next = await listen();
    expect(await next()).toBe(CHANGED);
    await verified(world);
    // Several changes may arrive in one read.
    expect(await next()).toMatch(/^(event: changed\ndata: \n\n)+$/);
  });

  test('an unknown key hears nothing', async () => {
    const headers = { cookie: 'robot-vasp-key=nobody' };
    expect((await fetch(`${world.url}/console/events`, { headers })).status).toBe(401);
  });

  test('the stream ends with the program', async () => {
    const next = await listen();
    await next();
    await world.restart();
    let last = await next();
    while (last !== '') last = await next();
    expect(last).toBe('');
  });
});
