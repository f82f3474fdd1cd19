import type { Hono } from 'hono';
import { refusals } from '../contract/refusals.ts';
import { answerError, answerRefusal, send } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { type HttpDeps, serve, serveStream } from './serve.ts';

/** Adds one route for each endpoint. Other methods of its path answer 405, other paths 404. */
export function mount(app: Hono, endpoints: readonly Endpoint[], deps: HttpDeps): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints)
    byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  // Fixed paths first: otherwise `account` of `/v1/verifications/account` would match `:uuid`.
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const here = byPath.get(path)!;
    for (const endpoint of here) {
      const answer = endpoint.isEventStream ? serveStream : serve;
      app.on(endpoint.method, path, c => answer(c, endpoint, deps));
    }
    const allow = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.all(path, () =>
      send(answerRefusal(here[0]!.operation, refusals.wrongMethod(allow)), { allow: allow.join(', ') }),
    );
  }
  app.onError(error => send(answerError('sandbox', error, deps)));
  app.notFound(() => send(answerRefusal('sandbox', refusals.unknownPath())));
}
