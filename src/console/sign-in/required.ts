import type { Context, MiddlewareHandler } from 'hono';
import type { Callers } from '../callers.ts';
import { CHANGED } from '../events.ts';
import { hereOf } from '../request.ts';

const OPEN_WITHOUT_SESSION = /^\/console\/(?:sign-in|trial|assets\/.*)$/;

export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** Hosted mode: without a session every page leads to the sign-in page. */
export const sessionRequired =
  (callers: Callers): MiddlewareHandler =>
  async (c, next) => {
    if (OPEN_WITHOUT_SESSION.test(c.req.path) || callers.signedIn(c)) return next();
    return c.req.method === 'GET' ? toSignIn(c, hereOf(c)) : c.redirect('/console/sign-in', 303);
  };

/**
 * A live update would follow a redirect and find nothing to show. It leaves its page instead. An event stream cannot
 * leave: it makes the page read itself.
 */
export function toSignIn(c: Context, here: string): Response {
  const address = `/console/sign-in?to=${encodeURIComponent(here)}`;
  if (c.req.path === '/console/events') return c.body(CHANGED, 200, EVENT_STREAM);
  if (c.req.header('hx-request') !== 'true') return c.redirect(address, 303);
  return c.body(null, 204, { 'hx-redirect': address });
}
