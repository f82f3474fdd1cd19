import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** The API key of the signed-in VASP, in a cookie. Without it, D-01 decides who the caller is. */

const COOKIE = 'robot-vasp-key';
const PATH = '/console';

export const apiKeyOf = (c: Context): string | undefined => getCookie(c, COOKIE);

export const signIn = (c: Context, apiKey: string, isSecure: boolean): void =>
  setCookie(c, COOKIE, apiKey, {
    path: PATH,
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure,
  });

export const signOut = (c: Context): void => void deleteCookie(c, COOKIE, { path: PATH });
