import { type Endpoint, eventStream } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { places } from '../places.ts';
import { createFeed } from './feed.ts';
import { followEvents } from './follow.ts';
import { eventCalls } from './schema.ts';

export const eventEndpoints = (
  deps: SandboxDeps,
  streams = places('event streams'),
  feed = createFeed(deps.db),
): Endpoint[] => [
  eventStream(eventCalls.events, {
    summary: 'Follow the events of this VASP: server-sent events that can be resumed',
    refusals: ['verification-missing', 'too-many'],
    run: ({ query, lastEventId, signal }, caller) =>
      followEvents(deps, query, caller, { lastEventId, hungUp: signal(), streams, feed }),
  }),
];
