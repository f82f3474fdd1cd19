import { trials } from '../../db/schema/tenants.ts';
import { stateful } from '../../db/transition.ts';
import { machine } from '../../kernel/machine.ts';

export const trialMachine = machine('trial', 'TRIAL', {
  TRIAL: { claimed: 'CLAIMED', ended: 'ENDED' },
  /** It is a VASP like every other one. */
  CLAIMED: {},
  /** It is forgotten. */
  ENDED: {},
});

export const trialStatus = stateful({
  machine: trialMachine,
  table: trials,
  key: 'vaspId',
  verificationOf: () => null,
  vaspOf: row => row.vaspId,
});
