import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import type { ActRequest, FillResponse, ReferenceVaspState } from './schema.ts';

/** The reference VASP beside the sandbox. Only the configured VASP can be played by it. */
export interface ReferenceVaspSwitch {
  state(): z.input<typeof ReferenceVaspState>;
  /** Throws `Refusal` not-allowed, when another VASP has registered its addresses. */
  start(caller: CallerId): Promise<void>;
  stop(): Promise<void>;
  /** Returns at once. Throws `Refusal` when it does not run, and for an unknown user. */
  act(request: ActRequest): Promise<void>;
  /** Plays a withdrawal and a deposit of every kind. Resolves when all have ended. */
  fill(): Promise<z.input<typeof FillResponse>['verifications']>;
}
