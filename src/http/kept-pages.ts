import type { Context, MiddlewareHandler } from 'hono';

/** More than all pages in all languages. */
const MAX_PAGES = 2_000;

/**
 * Makes each page once. For pages that depend only on their path and on what `variantOf` tells. `isAsked`: the page reads
 * its query, so it is made at every request.
 */
export function keptPages(
  variantOf: (c: Context) => string,
  isAsked: (c: Context) => boolean = () => false,
): MiddlewareHandler {
  const pages = new Map<string, { bytes: ArrayBuffer; headers: Record<string, string> }>();
  return async (c, next) => {
    if (c.req.method !== 'GET' || isAsked(c)) return next();
    const key = `${variantOf(c)} ${c.req.path}`;
    const kept = pages.get(key);
    if (kept) return c.body(kept.bytes, 200, kept.headers);
    await next();
    if (c.res.status !== 200 || pages.size >= MAX_PAGES) return;
    const bytes = await c.res.clone().arrayBuffer();
    const { headers } = c.res;
    const vary = headers.get('vary');
    const type = { 'content-type': headers.get('content-type') ?? '' };
    pages.set(key, { bytes, headers: vary === null ? type : { ...type, vary } });
  };
}
