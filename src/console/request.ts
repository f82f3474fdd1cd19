import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { languageOf, textsOf } from './texts/languages.ts';

const MAX_FIELDS = 1_000;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** The fields of a form as the pages send it: to parse one in parts takes longer. Throws `HTTPException` 400. */
export async function formOf(c: Context): Promise<Record<string, string>> {
  const type = c.req.header('content-type') ?? '';
  const text = FORM.test(type) ? await c.req.text().catch(() => undefined) : '';
  const isForm = text !== undefined && !/^multipart\//i.test(type);
  if (!isForm || text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    throw new HTTPException(400, { message: textsOf(languageOf(c)).frame.noForm });
  return Object.fromEntries(new URLSearchParams(text));
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
