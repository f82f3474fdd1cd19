import { type Tx, write } from '../../db/transaction.ts';
import type { OutgoingExchange } from '../../vasps/recorded-calls.ts';
import { recoverCallbacks } from '../callbacks/enqueue.ts';
import type { EnclaveDeps } from '../deps.ts';
import { collectAgain } from '../risk/async-assessment.ts';
import { timeOutOpen } from '../verification/schedule-time-out.ts';
import type { RegisteredVasp, VaspRow } from './sealed-rows.ts';
import type { SealedSecret } from './signing-store.ts';

/** The registration and the signing secrets as they are stored, encrypted with DATA_KEY. */
export interface SealedVasp {
  registration: VaspRow;
  signingSecrets: SealedSecret[];
}
export type { OutgoingExchange, RegisteredVasp };

export function vaspControl(deps: EnclaveDeps) {
  const { vasps, signing } = deps;
  return {
    listVasps: vasps.all,
    findVasp: vasps.find,
    /** The id itself where no VASP of that id is registered. */
    vaspName: vasps.nameOf,
    /** Registers or replaces. `apiKey`: of a new VASP, stored as a hash; without it the stored hash stays. */
    saveVasp(vasp: Omit<RegisteredVasp, 'apiKeyHash' | 'health'>, apiKey?: string): RegisteredVasp {
      write(deps.db, tx => vasps.save(tx, vasp, apiKey));
      return vasps.find(vasp.vaspId)!;
    },
    sealedVasp: (vaspId: string): SealedVasp => ({
      registration: vasps.sealed(vaspId),
      signingSecrets: signing.secrets.sealed(vaspId),
    }),
    /** Takes over a VASP of another sandbox. Throws `StartProblem` when it was encrypted with an unknown key. */
    adoptVasp(tx: Tx, { registration, signingSecrets }: SealedVasp): RegisteredVasp {
      signing.secrets.adopt(tx, registration.vaspId, signingSecrets);
      return vasps.adopt(tx, registration);
    },
    /** Removes name, endpoints and tokens of a registration. The id stays. */
    forgetVasp(tx: Tx, vaspId: string): void {
      vasps.forget(tx, vaspId);
      signing.secrets.removeOf(tx, vaspId);
    },
    /** A registered VASP on connections of its own: close them. `onExchange` gets every HTTP exchange. */
    connectVasp: (vaspId: string, onExchange: (exchange: OutgoingExchange) => void) =>
      deps.directory.connect(vaspId, onExchange),
    /** A new signing secret of the VASP. The newest before it stay active for `overlapMs`. */
    rollSigningSecret: (vaspId: string, overlapMs: number): string =>
      write(deps.db, tx => signing.secrets.roll(tx, vaspId, overlapMs)),
    /** Sends the callbacks to this VASP that wait without a timer. */
    recoverCallbacks: (toVaspId: string) => recoverCallbacks(deps, toVaspId),
    /** Time-outs, callbacks and assessments that wait get the timers again that the reset of a VASP has deleted. */
    resumeShared(tx: Tx, vaspId: string): void {
      timeOutOpen(deps, tx, vaspId);
      collectAgain(deps, tx, vaspId);
      recoverCallbacks(deps, vaspId);
    },
  };
}
