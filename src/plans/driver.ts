import { type DriverAction, DriverDescription, type DriverRequest } from '../contract/customers.ts';
import { parse } from '../contract/parse.ts';
import { Refusal } from '../contract/refusals.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { NO_TLS, NOT_TRUSTED } from '../kernel/hosts.ts';
import type { HttpAnswer } from '../kernel/http-client.ts';
import { parseJson } from '../kernel/json.ts';
import { maskedUrl } from '../kernel/secrets.ts';
import { pause } from '../timers/loop.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import { codeOf, guardedClient, HUNG_UP, requestHeaders } from '../vasps/http-client.ts';

export type DriverOutcome =
  /** `value`: of any shape. Undefined: the answer has none. */
  | { kind: 'accepted'; value: unknown }
  | { kind: 'unsupported' }
  /** `why` continues "The driver endpoint …". */
  | { kind: 'failed'; why: string; status?: number | undefined };

export type Described =
  | { kind: 'described'; description: DriverDescription }
  /** The address offers no description. It may be a driver all the same. */
  | { kind: 'none' }
  /** It is no driver for this run. `why` continues "The driver endpoint …". */
  | { kind: 'failed'; why: string };

export interface DriverAddress {
  vaspId: string;
  url: string;
  header: string;
  token?: string | undefined;
}

interface DriverDeps {
  guard: CallGuard;
  signal: AbortSignal;
}

export type Driver = ReturnType<typeof driverAt>;

/** The driver endpoint: it makes the tested VASP act. */
export function driverAt({ vaspId, url, ...authorization }: DriverAddress, { guard, signal }: DriverDeps) {
  const http = guardedClient(guard, vaspId);
  const headers = requestHeaders(authorization);
  return {
    /** Never throws. */
    async act(request: DriverRequest, limitMs: number): Promise<DriverOutcome> {
      const sent = { method: 'POST', headers, body: JSON.stringify(request) } as const;
      const start = elapsedMs();
      for (;;)
        try {
          return outcomeOf(await http.call(url, sent, { timeoutMs: limitMs, signal }));
        } catch (error) {
          const { action } = request;
          const isOver = signal.aborted || elapsedMs() - start >= Math.min(RESTART_MS, limitMs);
          if (isOver || !isRepeatable(error as Error, action))
            return { kind: 'failed', why: failureOf(error as Error, limitMs) };
          await pause(RESTART_LOOK_MS, signal).catch(() => {});
        }
    },
    /** GET at the address. Never throws. */
    async describe(limitMs: number): Promise<Described> {
      try {
        const answer = await http.call(url, { method: 'GET', headers }, { timeoutMs: limitMs, signal });
        const why = refusalOf(answer);
        if (why !== undefined) return { kind: 'failed', why };
        const value = answer.status === 200 ? parseJson(answer.body) : undefined;
        return isDescription(value) ? describedBy(value) : { kind: 'none' };
      } catch (error) {
        return { kind: 'failed', why: failureOf(error as Error, limitMs) };
      }
    },
    /** For messages: `The driver endpoint http://…`. */
    name: `The driver endpoint ${maskedUrl(url)}`,
    close: () => http.close(),
  };
}

/** A VASP that restarts is there again within this time. */
export const RESTART_MS = 1_500;
const RESTART_LOOK_MS = 100;

/** A refused connection has delivered nothing, and a question may be asked twice. */
const isRepeatable = (error: Error, action: DriverAction): boolean =>
  codeOf(error) === 'ECONNREFUSED' || (action === 'balance' && error.name !== 'TimeoutError');

function outcomeOf(answer: HttpAnswer): DriverOutcome {
  const { status, body } = answer;
  if (status === 501) return { kind: 'unsupported' };
  if (status !== 200 && status !== 202)
    return { kind: 'failed', why: refusalOf(answer) ?? `answered ${status}`, status };
  if (body.trim() !== '' && parseJson(body) === undefined)
    return { kind: 'failed', why: `answered ${status} with text that is no JSON`, status };
  return { kind: 'accepted', value: (parseJson(body) as { value?: unknown } | null | undefined)?.value };
}

/** Statuses with which no driver answers a right call. */
function refusalOf({ status, headers }: HttpAnswer): string | undefined {
  if (status === 401 || status === 403) return `refused the token (${status}): set the token of the driver`;
  if (status < 300 || status > 399) return undefined;
  const place = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return `answered ${status}${place ? `, a redirect to ${maskedUrl(place)}` : ''}: name the address itself`;
}

const isDescription = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'customers' in value;

function describedBy(value: object): Described {
  try {
    return { kind: 'described', description: parse(DriverDescription, value) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'failed', why: `describes customers in a wrong shape: ${error.message}` };
  }
}

function failureOf(error: Error, limitMs: number): string {
  if (error.name === 'TimeoutError') return `did not answer within ${limitMs} ms`;
  const code = codeOf(error);
  if (HUNG_UP.test(code)) return `closed the connection without an answer (${code})`;
  if (NO_TLS.test(code)) return `could not be reached (${code}): it does not speak TLS, write http://`;
  const hint = NOT_TRUSTED.test(code) ? ': NODE_EXTRA_CA_CERTS names a certificate to trust' : '';
  return `could not be reached (${code})${hint}`;
}
