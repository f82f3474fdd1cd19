import type { Client, EventData, ReceivedEvent } from '../../../src/client/client.ts';
import { until } from '../until.ts';

export type SeenEvent = ReceivedEvent<EventData>;

/** One reader of `/sandbox/v1/events`, with everything it has heard. */
export interface EventReader {
  readonly heard: readonly SeenEvent[];
  /** Resolves when such an event was heard. */
  hears(is: (event: SeenEvent) => boolean): Promise<void>;
  /** Hangs up; answers the id of the last event, 0: there was none. */
  cut(): Promise<string>;
  /** Resolves when the other side has ended it. */
  ended: Promise<void>;
}

export function readEvents(
  api: Pick<Client, 'events'>,
  query: Parameters<Client['events']>[0] = {},
  lastEventId?: string,
): EventReader {
  const hungUp = new AbortController();
  const heard: SeenEvent[] = [];
  const { signal } = hungUp;
  const read = async () => {
    try {
      for await (const event of api.events(query, { signal, ...(lastEventId ? { lastEventId } : {}) }))
        heard.push(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const ended = read();
  return {
    heard,
    ended,
    hears: is => until(() => heard.some(is)),
    async cut() {
      hungUp.abort();
      await ended;
      return heard.at(-1)?.id ?? '0';
    },
  };
}

/** The subject of an event, without its time. */
export const summaryOf = ({ event, data }: SeenEvent): string =>
  'what' in data ? `${event} ${data.event} ${data.from} ${data.to} ${data.cause}` : event;
