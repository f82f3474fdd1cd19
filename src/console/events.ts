import { pause } from '../timers/loop.ts';

const AT_MOST_EVERY_MS = 250;
/** Makes a page read itself. */
export const CHANGED = 'event: changed\ndata: \n\n';
/** Chains grow all the time. A new block changes no page. */
const IS_CHANGE = /^event: (?!head$)/m;

/**
 * Turns the event stream of the API into `changed` events for a page. The first comes at once: something may have
 * changed since the page was rendered. Bursts become one event, and the last one is never lost.
 * Ends when nobody is signed in any more: at the next event or heartbeat.
 */
export function changeEvents(
  source: ReadableStream<Uint8Array>,
  isSignedIn: () => boolean,
): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const reader = source.getReader();
  const message = new TextEncoder().encode(CHANGED);
  const decoder = new TextDecoder();
  let hasChange = true;
  let wake = () => {};

  async function listen(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (!isSignedIn()) return await reader.cancel();
        if (!IS_CHANGE.test(decoder.decode(value))) continue;
        hasChange = true;
        wake();
      }
    } finally {
      ended.abort();
      wake();
    }
  }
  const nextChange = () =>
    new Promise<void>(resolve => {
      wake = resolve;
      if (hasChange || ended.signal.aborted) resolve();
    });
  return new ReadableStream({
    start: () => void listen().catch(() => undefined),
    async pull(controller) {
      await nextChange();
      if (!hasChange) return controller.close();
      hasChange = false;
      controller.enqueue(message);
      await pause(AT_MOST_EVERY_MS, ended.signal);
    },
    cancel: () => reader.cancel(),
  });
}
