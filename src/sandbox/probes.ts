import type { Callback } from '../contract/callbacks.ts';
import { natural } from '../contract/persons.ts';
import type { CallerId } from '../contract/tenancy.ts';
import {
  isAccountNumberChanged,
  type VaspOperation,
  type VaspVerifyAccountRequest,
  type VaspVerifyUserRequest,
} from '../contract/vasp-api.ts';
import type { OutgoingExchange, RegisteredVasp } from '../enclave/control.ts';
import { toIso } from '../kernel/clock.ts';
import { formatDuration } from '../kernel/duration.ts';
import { NO_TLS, NOT_TRUSTED, TLS_ALERT } from '../kernel/hosts.ts';
import { type AnswerProblemCode, type CallFailureCode, MAX_INTERIM_ANSWERS } from '../kernel/http-exchange.ts';
import { parseJson } from '../kernel/json.ts';
import { BadAnswer, HANDSHAKE_WAIT_MS, isPostponed, NoAnswer, type Vasp } from '../vasps/port.ts';
import type { SandboxDeps } from './deps.ts';

/** Valid requests that move no money. `CheckResponse` describes them. */

export const SAMPLE_UUID = '00000000-0000-4000-8000-000000000000';
const ADDRESS = '0x000000000000000000000000000000000000dead';
const ORIGINATOR = natural('Check', 'Endpoint', {
  dateAndPlaceOfBirth: { dateOfBirth: '2000-01-01', placeOfBirth: 'Seoul' },
});
const beneficiary = { beneficiaryPersons: [natural('Check', 'Endpoint')], accountNumber: [ADDRESS] };

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

function accountProbe({ robot }: SandboxDeps): Probe {
  const request: VaspVerifyAccountRequest = {
    originatingVaspId: robot.vaspId,
    symbol: 'ETH',
    network: 'Ethereum',
    version: '1.0',
    ivms101: { beneficiary },
  };
  return {
    request,
    ifRefused: 'Answer 200 and DENIED / UNKNOWN-ADDRESS about an account that you do not know.',
    async probe(vasp) {
      await vasp.verifyAccount(request);
      return null;
    },
  };
}

function userProbe({ clock, robot }: SandboxDeps, vaspId: CallerId): Probe {
  const request: VaspVerifyUserRequest = {
    verificationUuid: SAMPLE_UUID,
    assetInfo: {
      symbol: 'ETH',
      network: 'Ethereum',
      amount: '0.000001',
      isExceedingThreshold: false,
      tradePrice: '4',
      tradeCurrency: 'KRW',
      tradeISODatetime: toIso(clock.now(vaspId)),
    },
    requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
    originatingVaspId: robot.vaspId,
    version: '1.0',
    ivms101: { originator: { originatorPersons: [ORIGINATOR], accountNumber: [ADDRESS] }, beneficiary },
  };
  return {
    request,
    ifRefused: 'Answer 200 and DENIED about a person or an account that you do not know.',
    async probe(vasp) {
      const answer = await vasp.verifyUser(request, []);
      const answered = isPostponed(answer) ? undefined : answer.ivms101?.beneficiary?.accountNumber;
      if (!answered?.length || !isAccountNumberChanged([ADDRESS], answered)) return null;
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

/** Says what is wrong with an endpoint and what to do next. The texts never contain a token or a value of the answer. */

export interface Diagnosis {
  problem: string | null;
  hint: string | null;
}

export interface FailedCall {
  /** Of `Vasp`. */
  error: NoAnswer | BadAnswer;
  exchange: OutgoingExchange | undefined;
  limitMs: number;
  authorization: RegisteredVasp['authorization'];
  /** Hint for a 4xx answer: the VASP does not know the persons of the sample. */
  ifRefused: string;
}

export function diagnose(call: FailedCall): Diagnosis {
  const { error, exchange, limitMs } = call;
  if (!exchange)
    return {
      problem: 'This endpoint is not configured.',
      hint: 'Enter its full address, for example http://127.0.0.1:3000/verify-user.',
    };
  if (error instanceof NoAnswer)
    return {
      problem: `No answer within ${formatDuration(limitMs)}, the limit of this call.`,
      hint: 'Answer faster, and do slow work after the answer. If nothing arrives at your VASP, a firewall may drop the connection.',
    };
  const hint = HINTS[error.code as keyof typeof HINTS];
  if (hint) return { problem: error.message, hint };
  if (exchange.status === null) return unreachable(exchange.url, error);
  if (exchange.status !== 200) return wrongStatus(exchange.status, call);
  return { problem: error.message, hint: 'Compare your answer with the API document: /docs, the calls to your VASP.' };
}

/** By the code of an error whose message says what is wrong. */
const HINTS = {
  'TOO-LONG':
    'Answer with the members of the API document only: at most 256 KiB after decoding, 64 KiB in the hosted mode.',
  'CODING-UNKNOWN': 'Send the answer without compression. The request asked for none.',
  'CODING-BROKEN':
    'A proxy before your VASP may compress the answer twice, or set the header without compressing. Send it without compression.',
  'CHARSET-UNKNOWN': 'JSON is UTF-8. Encode the answer so, and leave `charset` out of its Content-Type.',
  'NOT-UTF-8': 'JSON is UTF-8. Encode the answer so: many frameworks take another charset unless they are told.',
  'ANSWER-CUT-OFF': 'Compare Content-Length with the body, and look at the log of your VASP and of its proxy.',
  'INTERIM-ANSWERS': `Send a final answer after at most ${MAX_INTERIM_ANSWERS} interim ones.`,
  'TINY-CHUNKS': 'Write the answer at once, or in chunks of at least 256 bytes.',
  'PROTOCOL-SWITCHED': 'Answer the call in HTTP/1.1.',
  'HANDSHAKE-TOO-LARGE': 'Send the certificate of your server and those between it and the authority, and no others.',
  'HANDSHAKE-FAILED-BEFORE': `Look at the first endpoint that failed. Then wait ${HANDSHAKE_WAIT_MS / 1_000} seconds.`,
  'HANDSHAKE-TOO-LONG-BEFORE': 'Send fewer certificates, with usual keys. Then wait up to an hour.',
  HPE_HEADER_OVERFLOW: 'Send fewer or shorter headers. Cookies and policies of a proxy are often the longest.',
  'ADDRESS-NOT-ALLOWED': 'Use an endpoint of your VASP that the internet reaches.',
} satisfies Record<AnswerProblemCode | Exclude<CallFailureCode, 'CLOSED-WHILE-REUSED'>, string> &
  Record<string, string>;

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** Error codes with their texts. The first match counts. */
const UNREACHABLE: readonly [RegExp, (url: URL) => string, (url: URL) => string][] = [
  [
    /^ECONNREFUSED$/,
    ({ host }) => `The connection to ${host} was refused: nothing listens there.`,
    ({ hostname }) =>
      LOOPBACK.test(hostname)
        ? 'Start your VASP, and compare the port. In a container this name means the container itself: use host.docker.internal or the name of the service.'
        : 'Start your VASP, and compare host and port.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    ({ hostname }) => `The host name ${hostname} is unknown.`,
    () => 'Check the spelling. In a container only names of its own network are known.',
  ],
  [
    NOT_TRUSTED,
    ({ host }) => `The TLS certificate of ${host} is not trusted.`,
    () => 'Use http for the test, or start the sandbox with NODE_EXTRA_CA_CERTS=<file of your CA>.',
  ],
  [
    TLS_ALERT,
    ({ host }) => `${host} refused the TLS handshake.`,
    () => 'Look at its log: it may want a certificate of the client, or another version of TLS.',
  ],
  [
    NO_TLS,
    ({ host }) => `${host} does not speak TLS.`,
    () => 'Use http:// instead of https://, or the port that speaks TLS.',
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    ({ hostname }) => `There is no way to the host ${hostname}.`,
    () => 'Check network, VPN and firewall.',
  ],
  [
    /^(HPE_|ECONNRESET|EPIPE)/,
    ({ host }) => `${host} took the connection and gave no HTTP answer.`,
    ({ protocol }) =>
      protocol === 'http:'
        ? 'Look at the log of your VASP. If it speaks TLS there, use https://.'
        : 'Look at the log of your VASP.',
  ],
];

function unreachable(url: string, { code = '', message }: BadAnswer): Diagnosis {
  const parsed = new URL(url);
  const [, problem, hint] = UNREACHABLE.find(([pattern]) => pattern.test(code)) ?? [];
  return { problem: problem?.(parsed) ?? message, hint: hint?.(parsed) ?? 'Check address and network.' };
}

const STATUS_HINTS: Record<number, string> = {
  404: 'Compare the path with the routes of your VASP.',
  405: 'The endpoint must take POST.',
  415: 'The endpoint must take content-type application/json.',
};

function wrongStatus(status: number, { authorization, ifRefused }: FailedCall): Diagnosis {
  const problem = `Answered with status ${status} instead of 200.`;
  if (status === 401 || status === 403)
    return {
      problem: `${problem} ${headerSent(authorization)}`,
      hint: 'Set header and token here exactly as your VASP expects them.',
    };
  if (status >= 300 && status < 400)
    return { problem, hint: 'Redirects are not followed: enter the address that answers by itself.' };
  if (status >= 500) return { problem, hint: 'Your VASP failed: its log says why.' };
  if (status < 300) return { problem, hint: 'Only exactly 200 counts as an answer.' };
  return { problem, hint: [STATUS_HINTS[status], ifRefused].filter(Boolean).join(' ') };
}

function headerSent({ header, token }: RegisteredVasp['authorization']): string {
  if (token === undefined) return 'No authorization header was sent, because no token is set.';
  const isDefault = header.toLowerCase() === 'authorization';
  return isDefault
    ? 'The header `Authorization: Bearer <your token>` was sent.'
    : `The header \`${header}: <your token>\` was sent, without the word Bearer.`;
}
