import type { Context } from 'hono';
import { type Answers, type Client, client, Refused } from '../client/client.ts';
import { cookieOf, dropCookie, keepCookie } from './session.ts';
import { createSessions, type SignedIn } from './sessions.ts';

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
  { send, originOf, hasTrials }: CallerDeps,
  whoHas: (key: string) => SignedIn | undefined,
): Callers {
  const sessions = createSessions();
  const signedIn = (c: Context) => sessions.find(cookieOf(c, 'session'));
  /** The address of the browser goes with the call, for the audit log. */
  const sendFor = (c: Context, request: Request) =>
    send(request, { incoming: c.env?.incoming, signIn: signedIn(c) });
  async function signIn(c: Context, key: string): Promise<boolean> {
    const request = new Request(`${originOf(c)}/sandbox/v1/info`, {
      headers: { authorization: `Bearer ${key}` },
    });
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
