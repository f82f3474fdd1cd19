import type { Callback } from '../../contract/callbacks.ts';
import { natural } from '../../contract/persons.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import {
  isAccountNumberChanged,
  type VaspOperation,
  type VaspVerifyAccountRequest,
  type VaspVerifyUserRequest,
} from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';
import { parseJson } from '../../kernel/json.ts';
import { BadAnswer, isPostponed, type Vasp } from '../../vasps/port.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Diagnosis } from './diagnose.ts';

/** Valid requests that move no money. `CheckResponse` describes them. */

export const SAMPLE_UUID = '00000000-0000-4000-8000-000000000000';
const ADDRESS = '0x000000000000000000000000000000000000dead';
const ORIGINATOR = natural('Check', 'Endpoint', {
  dateAndPlaceOfBirth: { dateOfBirth: '2000-01-01', placeOfBirth: 'Seoul' },
});
const beneficiary = { beneficiaryPersons: [natural('Check', 'Endpoint')], accountNumber: [ADDRESS] };

const sampleAccount = (originatingVaspId: string): VaspVerifyAccountRequest => ({
  originatingVaspId,
  symbol: 'ETH',
  network: 'Ethereum',
  version: '1.0',
  ivms101: { beneficiary },
});

const sampleUser = (originatingVaspId: string, now: number): VaspVerifyUserRequest => ({
  verificationUuid: SAMPLE_UUID,
  assetInfo: {
    symbol: 'ETH',
    network: 'Ethereum',
    amount: '0.000001',
    isExceedingThreshold: false,
    tradePrice: '4',
    tradeCurrency: 'KRW',
    tradeISODatetime: toIso(now),
  },
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  originatingVaspId,
  version: '1.0',
  ivms101: { originator: { originatorPersons: [ORIGINATOR], accountNumber: [ADDRESS] }, beneficiary },
});

/** DENIED: a VASP that believes it sends no money. */
const sampleCallback: Callback = {
  callbackType: 'VERIFICATION_RESULT',
  data: {
    verificationUuid: SAMPLE_UUID,
    verificationResult: 'DENIED',
    reason: 'NOT-ALLOWED',
    message: 'Endpoint check: no transfer belongs to this.',
  },
};

/** One call of an endpoint, with checks beyond the shape of the answer. */
interface Probe {
  request: object;
  /** Hint for a 4xx answer. */
  ifRefused: string;
  /** Resolves with null when the answer is correct. Throws the errors of `Vasp`. */
  probe(vasp: Vasp): Promise<Diagnosis | null>;
}

export const probesFor = (deps: SandboxDeps, vaspId: CallerId): Record<VaspOperation, Probe> => ({
  verifyAccount: accountProbe(deps),
  verifyUser: userProbe(deps, vaspId),
  transactionStatus: statusProbe(deps, vaspId),
  callback: CALLBACK_PROBE,
});

function accountProbe(deps: SandboxDeps): Probe {
  const request = sampleAccount(deps.robot.vaspId);
  return {
    request,
    ifRefused: 'Answer 200 and DENIED / UNKNOWN-ADDRESS about an account that you do not know.',
    async probe(vasp) {
      await vasp.verifyAccount(request);
      return null;
    },
  };
}

function userProbe(deps: SandboxDeps, vaspId: CallerId): Probe {
  const request = sampleUser(deps.robot.vaspId, deps.clock.now(vaspId));
  const sent = request.ivms101.beneficiary.accountNumber;
  return {
    request,
    ifRefused: 'Answer 200 and DENIED about a person or an account that you do not know.',
    async probe(vasp) {
      const answer = await vasp.verifyUser(request, []);
      const answered = isPostponed(answer) ? undefined : answer.ivms101?.beneficiary?.accountNumber;
      if (!answered?.length || !isAccountNumberChanged(sent, answered)) return null;
      return {
        problem: '`ivms101.beneficiary.accountNumber` came back changed.',
        hint: 'Send it back exactly as received. A changed one ends as ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED.',
      };
    },
  };
}

/** Asks about the newest withdrawal, which the VASP knows unless somebody sent it by hand, or about a made-up one. */
function statusProbe(deps: SandboxDeps, vaspId: CallerId): Probe {
  const newest = deps.enclave.newestVerified('SEND', vaspId);
  const verificationUuid = newest?.verificationUuid ?? SAMPLE_UUID;
  return {
    request: { verificationUuid },
    ifRefused: newest
      ? 'This verification is your newest VERIFIED withdrawal. If your VASP has sent it, answer PENDING as long as there is no transaction.'
      : 'This verification is made up, so your VASP may be right. Make a withdrawal test and check again.',
    async probe(vasp) {
      const answer = await vasp.transactionStatus({ verificationUuid });
      if (answer.verificationUuid === verificationUuid) return null;
      return {
        problem: '`verificationUuid` came back changed.',
        hint: 'Answer with the verificationUuid of the request.',
      };
    },
  };
}

/** WIRE-3.4: the answer is always `200 {"result": true}`. The body decides nothing (D-13). */
const CALLBACK_PROBE: Probe = {
  request: sampleCallback,
  ifRefused: 'Answer every callback with 200, even about a verification that you do not know.',
  async probe(vasp) {
    const { status, body, problem } = await vasp.callback(sampleCallback);
    if (status !== 200) throw new BadAnswer(`The VASP answered with status ${status} instead of 200.`);
    if (isAccepted(body)) return null;
    return {
      problem: null,
      hint: [problem, 'The callback counts as delivered. The documented answer is {"result": true}.']
        .filter(Boolean)
        .join(' '),
    };
  },
};

const isAccepted = (body: string): boolean =>
  (parseJson(body) as { result?: unknown } | null | undefined)?.result === true;
