import type { Context } from 'hono';

export async function formOf(c: Context): Promise<Record<string, string>> {
  const fields = Object.entries(await c.req.parseBody());
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

export function hereOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** The page of the action, with the query of the form's address or of the referring page. */
export function hereAfterAction(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.replace(/\/[^/]+$/, '');
  if (search !== '') return path + search;
  const referer = c.req.header('referer') ?? '';
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.pathname === path ? path + from.search : path;
}
