import * as z from 'zod';
import type { Renaming } from '../contract/vasps.ts';
import type { Endpoint } from './endpoint.ts';
import type { EventStream } from './event-stream.ts';

/** The same endpoints, with the configured provider names in paths, queries, fault orders and answers. */
export function renameProviders(endpoints: readonly Endpoint[], names: Renaming): Endpoint[] {
  return endpoints.map(endpoint => ({
    ...endpoint,
    path: names.text(endpoint.path),
    summary: names.text(endpoint.summary),
    ...(endpoint.query ? { query: z.preprocess(query => withType(query, names), endpoint.query) } : {}),
    ...(endpoint.operation === 'sandbox' && endpoint.body
      ? { body: z.preprocess(body => withTarget(body, names), endpoint.body) }
      : {}),
    run: renamedRun(endpoint, names),
  }));
}

function renamedRun({ run, isEventStream }: Endpoint, names: Renaming): Endpoint['run'] {
  if (isEventStream) return (input, caller) => renamedEvents(run(input, caller) as EventStream, names);
  return async (input, caller) => names.body(await run(input, caller));
}

async function* renamedEvents(events: EventStream, names: Renaming): EventStream {
  for await (const event of events) yield event && { ...event, data: names.body(event.data) };
}

function withType(query: unknown, names: Renaming): unknown {
  const { type } = query as { type?: unknown };
  return typeof type === 'string' ? { ...(query as object), type: names.callbackType(type) } : query;
}

function withTarget(body: unknown, names: Renaming): unknown {
  const { target } = body as { target?: unknown };
  const [, type] = /^callback\.(.+)$/.exec(typeof target === 'string' ? target : '') ?? [];
  return type === undefined ? body : { ...(body as object), target: `callback.${names.callbackType(type)}` };
}
