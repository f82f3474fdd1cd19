import { elapsedMs } from '../kernel/clock.ts';
import { systemRandom } from '../kernel/random.ts';

/** The signed-in caller, as the API knows it. */
export type SignedIn = { readonly role: 'vasp'; readonly keyId: string } | { readonly role: 'operator' };

/** The sessions of the hosted mode: the browser has a random id alone, the rest stays on the server. */
export interface Sessions {
  /** Answers the id of the new session. */
  open(signedIn: SignedIn): string;
  /** Undefined: there is no such session, or its time is over. */
  find(id: string | undefined): SignedIn | undefined;
  close(id: string | undefined): void;
}

const LASTS_MS = 12 * 3_600_000;
const MOST = 100_000;

export function createSessions(now: () => number = elapsedMs): Sessions {
  const sessions = new Map<string, { signedIn: SignedIn; until: number }>();
  const removeOld = () => {
    for (const [id, { until }] of sessions) if (until <= now()) sessions.delete(id);
    const [oldest] = sessions.keys();
    if (sessions.size >= MOST && oldest !== undefined) sessions.delete(oldest);
  };
  return {
    open(signedIn) {
      removeOld();
      const id = systemRandom.secret(32);
      sessions.set(id, { signedIn, until: now() + LASTS_MS });
      return id;
    },
    find(id) {
      const session = id === undefined ? undefined : sessions.get(id);
      return session && session.until > now() ? session.signedIn : undefined;
    },
    close: id => void (id !== undefined && sessions.delete(id)),
  };
}
