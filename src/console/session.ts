import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** Local mode: the API key of the signed-in VASP. Hosted mode: the id of a session. Without a cookie, D-01 counts. */

const COOKIES = { key: 'robot-vasp-key', session: 'robot-vasp-session' } as const;
type Kind = keyof typeof COOKIES;
const PATH = '/console';

export const cookieOf = (c: Context, kind: Kind): string | undefined => getCookie(c, COOKIES[kind]);

export const keepCookie = (c: Context, kind: Kind, value: string, isSecure: boolean): void =>
  setCookie(c, COOKIES[kind], value, { path: PATH, httpOnly: true, sameSite: 'Strict', secure: isSecure });

export const dropCookie = (c: Context, kind: Kind): void =>
  void deleteCookie(c, COOKIES[kind], { path: PATH, secure: kind === 'session' });
