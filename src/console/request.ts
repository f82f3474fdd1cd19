import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { languageOf, textsOf } from './texts/languages.ts';

/** Throws `HTTPException` 400. */
export async function formOf(c: Context): Promise<Record<string, string>> {
  const body = await c.req.parseBody().catch(() => undefined);
  if (!body) throw new HTTPException(400, { message: textsOf(languageOf(c)).frame.noForm });
  const fields = Object.entries(body);
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
