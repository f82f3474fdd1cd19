import { isAccountNumberChanged, type VaspOperation } from '../../contract/vasp-api.ts';
import { BadAnswer, isPostponed, type Vasp } from '../../vasps/port.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Diagnosis } from './diagnose.ts';
import { SAMPLE_UUID, sampleAccount, sampleCallback, sampleUser } from './samples.ts';

/** One call of an endpoint, and what the shape of its answer alone does not say. */
export interface Probe {
  request: object;
  /** Said when the VASP refuses the request as such. */
  ifUnknown: string;
  /** Resolves with what there is to say, null for nothing. Throws what the `Vasp` throws. */
  ask(vasp: Vasp): Promise<Diagnosis | null>;
}

export const probesFor = (deps: SandboxDeps, vaspId: string): Record<VaspOperation, Probe> => ({
  verifyAccount: accountProbe(deps),
  verifyUser: userProbe(deps, vaspId),
  transactionStatus: statusProbe(deps, vaspId),
  callback: CALLBACK_PROBE,
});

function accountProbe(deps: SandboxDeps): Probe {
  const request = sampleAccount(deps.robot.vaspId);
  return {
    request,
    ifUnknown: 'An account that you do not know is answered with 200 and DENIED / UNKNOWN-ADDRESS.',
    async ask(vasp) {
      await vasp.verifyAccount(request);
      return null;
    },
  };
}

function userProbe(deps: SandboxDeps, vaspId: string): Probe {
  const request = sampleUser(deps.robot.vaspId, deps.clock.now(vaspId));
  const asked = request.ivms101.beneficiary.accountNumber;
  return {
    request,
    ifUnknown: 'A person or an account that you do not know is answered with 200 and DENIED.',
    async ask(vasp) {
      const answer = await vasp.verifyUser(request);
      const answered = isPostponed(answer) ? undefined : answer.ivms101?.beneficiary?.accountNumber;
      if (!answered?.length || !isAccountNumberChanged(asked, answered)) return null;
      return {
        problem: '`ivms101.beneficiary.accountNumber` came back changed.',
        hint: 'Answer with it exactly as it was received; a changed one ends as ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED.',
      };
    },
  };
}

/** About the newest withdrawal, which the VASP has to know; a made-up one where there is none. */
function statusProbe(deps: SandboxDeps, vaspId: string): Probe {
  const newest = deps.enclave.newestVerified('SEND', vaspId);
  const verificationUuid = newest?.verificationUuid ?? SAMPLE_UUID;
  return {
    request: { verificationUuid },
    ifUnknown: newest
      ? 'This verification is your newest VERIFIED withdrawal: your VASP has to know it. Without a transaction yet it is PENDING.'
      : 'This verification is made up, so your VASP may be right. Make a withdrawal test and check again: then you are asked about that one.',
    async ask(vasp) {
      const answer = await vasp.transactionStatus({ verificationUuid });
      if (answer.verificationUuid === verificationUuid) return null;
      return {
        problem: '`verificationUuid` came back changed.',
        hint: 'Answer with the verificationUuid that you were asked about.',
      };
    },
  };
}

/** WIRE-3.4: `200 {"result": true}`, always; the body decides nothing here (D-13). */
const CALLBACK_PROBE: Probe = {
  request: sampleCallback,
  ifUnknown: 'A callback is answered with 200 always, also about a verification that you do not know.',
  async ask(vasp) {
    const { status, body } = await vasp.callback(sampleCallback);
    if (status !== 200) throw new BadAnswer(`The VASP answered with status ${status} instead of 200.`);
    if (isAccepted(body)) return null;
    return { problem: null, hint: 'It counts as delivered. The documented answer is {"result": true}.' };
  },
};

function isAccepted(body: string): boolean {
  try {
    return (JSON.parse(body) as { result?: unknown } | null)?.result === true;
  } catch {
    return false;
  }
}
