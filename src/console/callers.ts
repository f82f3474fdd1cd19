import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { type Answers, type Client, client, Refused } from '../client/client.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { systemRandom } from '../kernel/random.ts';

export interface Callers {
  readonly isHosted: boolean;
  /** Undefined in hosted mode: nobody is signed in. */
  signedIn(c: Context): SignedIn | 'local' | undefined;
  /** A request for whoever is signed in. */
  send(c: Context, request: Request): Promise<Response> | Response;
  apiOf(c: Context): Client;
  /** False: nobody has this key. Throws `Refused` for another reason. */
  signIn(c: Context, key: string): Promise<boolean>;
  /** Makes a trial VASP and signs in. Undefined: the sandbox has no trials. Throws `Refused`. */
  startTrial?: ((c: Context, name: string) => Promise<Answers['register']>) | undefined;
  signOut(c: Context): void;
}

export interface CallerDeps {
  /** Calls the API of this program. The console does nothing that the API cannot do. */
  send(request: Request, bindings?: object): Promise<Response> | Response;
  originOf(c: Context): string;
  /** Resolves in another turn of the caller. */
  nextTurn(c: Context): Promise<void>;
  /** Hosted mode: who has this key. Undefined: nobody. */
  whoHas?: ((key: string) => SignedIn | undefined) | undefined;
  hasTrials?: boolean;
}

export const createCallers = (deps: CallerDeps): Callers =>
  deps.whoHas ? hostedCallers(deps, deps.whoHas) : localCallers(deps);

function localCallers({ send, originOf }: CallerDeps): Callers {
  const apiOf = (c: Context, apiKey = cookieOf(c, 'key')) => client(originOf(c), { apiKey, send });
  return {
    isHosted: false,
    signedIn: () => 'local',
    send(c, request) {
      const apiKey = cookieOf(c, 'key');
      if (apiKey !== undefined) request.headers.set('authorization', `Bearer ${apiKey}`);
      return send(request);
    },
    apiOf,
    async signIn(c, key) {
      try {
        await apiOf(c, key).info();
      } catch (error) {
        if (error instanceof Refused) return false;
        throw error;
      }
      keepCookie(c, 'key', key, originOf(c).startsWith('https:'));
      return true;
    },
    signOut: c => dropCookie(c, 'key'),
  };
}

function hostedCallers(
  { send, originOf, nextTurn, hasTrials }: CallerDeps,
  whoHas: (key: string) => SignedIn | undefined,
): Callers {
  const sessions = createSessions();
  const signedIn = (c: Context) => sessions.find(cookieOf(c, 'session'));
  /** The address of the browser goes with the call, for the audit log. The calls of a page have a turn each. */
  async function sendFor(c: Context, request: Request): Promise<Response> {
    await nextTurn(c);
    return send(request, { incoming: c.env?.incoming, signIn: signedIn(c) });
  }
  async function signIn(c: Context, key: string): Promise<boolean> {
    const request = new Request(`${originOf(c)}/sandbox/v1/info`, { headers: { authorization: `Bearer ${key}` } });
    const { status } = await send(request, { incoming: c.env?.incoming });
    const found = status === 200 ? whoHas(key) : undefined;
    if (!found) return false;
    sessions.close(cookieOf(c, 'session'));
    keepCookie(c, 'session', sessions.open(found), true);
    return true;
  }
  async function startTrial(c: Context, name: string): Promise<Answers['register']> {
    const api = client(originOf(c), { send: request => send(request, { incoming: c.env?.incoming }) });
    const trial = await api.register({ name });
    await signIn(c, trial.apiKey);
    return trial;
  }
  return {
    isHosted: true,
    signedIn,
    send: sendFor,
    apiOf: c => client(originOf(c), { send: request => sendFor(c, request) }),
    signIn,
    startTrial: hasTrials ? startTrial : undefined,
    signOut(c) {
      sessions.close(cookieOf(c, 'session'));
      dropCookie(c, 'session');
    },
  };
}

/** Local mode: the API key of the signed-in VASP. Hosted mode: the id of a session. Without a cookie, D-01 counts. */

const COOKIES = { key: 'robot-vasp-key', session: 'robot-vasp-session' } as const;
type Kind = keyof typeof COOKIES;
const PATH = '/console';

export const cookieOf = (c: Context, kind: Kind): string | undefined => getCookie(c, COOKIES[kind]);

const keepCookie = (c: Context, kind: Kind, value: string, isSecure: boolean): void =>
  setCookie(c, COOKIES[kind], value, { path: PATH, httpOnly: true, sameSite: 'Strict', secure: isSecure });

const dropCookie = (c: Context, kind: Kind): void =>
  void deleteCookie(c, COOKIES[kind], { path: PATH, secure: kind === 'session' });

/** The signed-in caller, as the API knows it. */
type SignedIn = { readonly role: 'vasp'; readonly keyId: string } | { readonly role: 'operator' };

const LASTS_MS = 12 * 3_600_000;
const MAX_SESSIONS = 100_000;
/** Of one caller: its oldest one makes room, and not those of others. */
const MAX_PER_CALLER = 100;

/** The sessions of the hosted mode: the browser has only a random id, the rest stays on the server. */
export function createSessions(now: () => number = elapsedMs) {
  const sessions = new Map<string, { signedIn: SignedIn; until: number }>();
  const makeRoom = (caller: SignedIn) => {
    const own: string[] = [];
    for (const [id, { signedIn, until }] of sessions) {
      if (until <= now()) sessions.delete(id);
      else if (isSameCaller(signedIn, caller)) own.push(id);
    }
    const [oldest] = own.length >= MAX_PER_CALLER ? own : sessions.size >= MAX_SESSIONS ? sessions.keys() : [];
    if (oldest !== undefined) sessions.delete(oldest);
  };
  return {
    /** Returns the id of the new session. */
    open(signedIn: SignedIn): string {
      makeRoom(signedIn);
      const id = systemRandom.secret(32);
      sessions.set(id, { signedIn, until: now() + LASTS_MS });
      return id;
    },
    /** Undefined: there is no such session, or its time is over. */
    find(id: string | undefined): SignedIn | undefined {
      const session = id === undefined ? undefined : sessions.get(id);
      return session && session.until > now() ? session.signedIn : undefined;
    },
    close: (id: string | undefined) => void (id !== undefined && sessions.delete(id)),
  };
}

const isSameCaller = (one: SignedIn, other: SignedIn): boolean =>
  one.role === 'vasp' && other.role === 'vasp' ? one.keyId === other.keyId : one.role === other.role;
