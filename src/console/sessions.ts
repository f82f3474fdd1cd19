import { elapsedMs } from '../kernel/clock.ts';
import { systemRandom } from '../kernel/random.ts';

/** The signed-in caller, as the API knows it. */
export type SignedIn = { readonly role: 'vasp'; readonly keyId: string } | { readonly role: 'operator' };

const LASTS_MS = 12 * 3_600_000;
const MOST = 100_000;
/** Of one caller: its oldest one makes room, and not those of others. */
const MOST_OF_A_CALLER = 100;

/** The sessions of the hosted mode: the browser has only a random id, the rest stays on the server. */
export function createSessions(now: () => number = elapsedMs) {
  const sessions = new Map<string, { signedIn: SignedIn; until: number }>();
  const makeRoom = (caller: SignedIn) => {
    const own: string[] = [];
    for (const [id, { signedIn, until }] of sessions) {
      if (until <= now()) sessions.delete(id);
      else if (isSameCaller(signedIn, caller)) own.push(id);
    }
    const [oldest] = own.length >= MOST_OF_A_CALLER ? own : sessions.size >= MOST ? sessions.keys() : [];
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
