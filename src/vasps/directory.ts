import type { CallbackType } from '../contract/callbacks.ts';
import { type HttpVasp, type HttpVaspDeps, httpVasp } from './http-vasp.ts';
import type { Vasp } from './port.ts';
import type { OutgoingExchange } from './recorded-calls.ts';
import type { Registration } from './wire.ts';

/** The only place where a vaspId becomes a `Vasp`. */
export interface Directory {
  /** Does the VASP run in this process? */
  isResident(vaspId: string): boolean;
  /** Undefined: no such VASP. */
  find(vaspId: string): Vasp | undefined;
  /** Where the callback goes over HTTP. Undefined: the VASP has no address, or is resident. */
  callbackUrl(vaspId: string, type: CallbackType): string | undefined;
  /** For the endpoint check: a registered VASP on connections of its own, which the caller closes. `onExchange` gets its exchanges too. */
  connect(vaspId: string, onExchange: (exchange: OutgoingExchange) => void): HttpVasp | undefined;
  close(): Promise<void>;
}

/** `residents` run in this process. Other VASPs are reached at the addresses of their current registration. */
export function directory(
  residents: ReadonlyMap<string, Vasp>,
  registrationOf: (vaspId: string) => Registration | undefined,
  deps: HttpVaspDeps,
): Directory {
  const remote = new Map<string, { updatedAt: number; vasp: HttpVasp }>();
  return {
    isResident: vaspId => residents.has(vaspId),
    find(vaspId) {
      const resident = residents.get(vaspId);
      if (resident) return resident;
      const registration = registrationOf(vaspId);
      if (!registration) return undefined;
      const cached = remote.get(vaspId);
      if (cached?.updatedAt === registration.updatedAt) return cached.vasp;
      void cached?.vasp.close();
      const vasp = httpVasp(registration, deps);
      remote.set(vaspId, { updatedAt: registration.updatedAt, vasp });
      return vasp;
    },
    callbackUrl: vaspId => registrationOf(vaspId)?.endpoints.callback,
    connect(vaspId, onExchange) {
      const registration = registrationOf(vaspId);
      return (
        registration &&
        httpVasp(registration, { ...deps, isCheck: true, onExchange: both(deps.onExchange, onExchange) })
      );
    },
    async close() {
      await Promise.all([...remote.values()].map(({ vasp }) => vasp.close()));
      remote.clear();
    },
  };
}

const both =
  <T>(...listeners: ((event: T) => void)[]) =>
  (event: T): void => {
    for (const listener of listeners) listener(event);
  };
