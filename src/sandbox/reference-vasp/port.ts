import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import type { ReferenceVaspState } from './schema.ts';

/** The reference VASP beside the sandbox. Only the configured VASP can be played by it. */
export interface ReferenceVaspSwitch {
  state(): z.input<typeof ReferenceVaspState>;
  /** Throws `Refusal` place-taken for another VASP, and while the configured VASP has addresses of its own. */
  start(caller: CallerId): Promise<void>;
  stop(): Promise<void>;
}
