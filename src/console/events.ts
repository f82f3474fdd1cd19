import { pause } from '../timers/loop.ts';

const AT_MOST_EVERY_MS = 250;
const MESSAGE = 'event: happened\ndata: \n\n';
/** Chains grow all the time: no reason to read a page again. */
const IS_NEWS = /^event: (?!head$)/m;

/**
 * What wakes a page: `happened` at once, because something may have happened since the page was made, and then
 * after whatever the stream of the API says. Many at once become one; the last is never lost.
 */
export function happenings(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const reader = source.getReader();
  const message = new TextEncoder().encode(MESSAGE);
  const decoder = new TextDecoder();
  let isNews = true;
  let wake = () => {};

  async function listen(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (!IS_NEWS.test(decoder.decode(value))) continue;
        isNews = true;
        wake();
      }
    } finally {
      ended.abort();
      wake();
    }
  }
  const news = () =>
    new Promise<void>(resolve => {
      wake = resolve;
      if (isNews || ended.signal.aborted) resolve();
    });
  return new ReadableStream({
    start: () => void listen().catch(() => undefined),
    async pull(controller) {
      await news();
      if (!isNews) return controller.close();
      isNews = false;
      controller.enqueue(message);
      await pause(AT_MOST_EVERY_MS, ended.signal);
    },
    cancel: () => reader.cancel(),
  });
}
