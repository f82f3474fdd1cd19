import type { Hono, MiddlewareHandler } from 'hono';
import type { Operation } from '../contract/errors.ts';
import { refusals } from '../contract/refusals.ts';
import { nearestOf } from '../kernel/text.ts';
import { answerError, answerRefusal, send } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { type HttpDeps, serve, serveStream } from './serve.ts';

const SLASHES =
  'No endpoint has a path with two slashes in a row. Let the base address of your client end without a slash.';
const LONGEST_PATH = 200;
/** Slashes and blanks. */
const END = /(\/|%20|%2F)+$/i;

/** Adds one route for each endpoint. Other methods of its path answer 405, other paths 404. */
export function mount(app: Hono, endpoints: readonly Endpoint[], deps: HttpDeps): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  // Fixed paths first: otherwise `account` of `/v1/verifications/account` would match `:uuid`.
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const here = byPath.get(path)!;
    for (const endpoint of here) {
      const answer = endpoint.isEventStream ? serveStream : serve;
      app.on(endpoint.method, path, c => answer(c, endpoint, deps));
    }
    const allow = withHead(here.map(({ method }) => method));
    app.all(path, () => wrongMethod(allow, here[0]!.operation));
  }
  app.onError(error => send(answerError('sandbox', error, deps)));
  app.notFound(c => {
    const allow = app.routes.filter(each => each.path === c.req.path).map(({ method }) => method);
    const isThere = allow.length > 0 && !allow.includes(c.req.method);
    if (isThere) return wrongMethod(withHead(allow));
    const why = c.req.path.includes('//') ? SLASHES : nearPath(c.req.path, app);
    return send(answerRefusal('sandbox', refusals.unknownPath(why)));
  });
}

/** Names the endpoint that is near. */
function nearPath(path: string, { routes }: Hono): string | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const asked = path.replace(END, '');
  const given = asked.split('/');
  const asAsked = (part: string, i: number) => (part.startsWith(':') ? (given[i] ?? part) : part);
  const paths = routes
    .map(each => each.path.split('/'))
    .filter(parts => parts.length === given.length && !parts.includes('*'))
    .map(parts => parts.map(asAsked).join('/'));
  const near = nearestOf(asked, paths);
  return near === undefined ? undefined : `No endpoint has this path; \`${near}\` is one.`;
}

/** A path that another process has: `why` says which. */
export const mountNotServed = (app: Hono, path: string, why: string): void =>
  void app.all(path, () => send(answerRefusal('sandbox', refusals.unknownPath(why))));

/** Middleware for pages that answer every other method by 404. */
export const allowOnly =
  (...allow: string[]): MiddlewareHandler =>
  (c, next) =>
    allow.includes(c.req.method) ? next() : Promise.resolve(wrongMethod(allow));

const wrongMethod = (allow: readonly string[], operation: Operation = 'sandbox'): Response =>
  send(answerRefusal(operation, refusals.wrongMethod(allow)), { allow: allow.join(', ') });

const withHead = (methods: readonly string[]): string[] =>
  methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
