import type * as z from 'zod';
import type { Customers } from '../../contract/customers.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import type { ActRequest, FillResponse, ReferenceVaspState } from './schema.ts';

/** The reference VASP beside the sandbox. Only the configured VASP can be played by it. */
export interface ReferenceVaspSwitch {
  state(): z.input<typeof ReferenceVaspState>;
  /** Throws `Refusal` place-taken for another VASP, and while the configured VASP has addresses of its own. */
  start(caller: CallerId): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when the reference VASP has begun. Throws `Refusal` not-running, not-found, not-finished. */
  act(request: ActRequest): Promise<void>;
  /** Plays a withdrawal and a deposit of every kind, to their ends. Throws `Refusal` not-running, not-finished. */
  fill(): Promise<z.input<typeof FillResponse>['verifications']>;
}

/** The parts of a running reference VASP that let it act. */
export interface Driven {
  endpoints: { driver: string };
  token: string;
  customers: Customers;
}
