import { type Endpoint, eventStream } from '../../http/endpoint.ts';
import { places } from '../places.ts';
import { createFeed } from './feed.ts';
import { type FollowDeps, followEvents } from './follow.ts';
import { eventCalls } from './schema.ts';

export const eventEndpoints = (
  deps: FollowDeps,
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
