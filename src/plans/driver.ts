import { DriverDescription, type DriverRequest } from '../contract/driver.ts';
import { codeOf } from '../vasps/call-failure.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import { guardedClient } from '../vasps/http-client.ts';
import { requestHeaders } from '../vasps/wire.ts';

/** The driver address: it makes the tested VASP act. */
export interface Driver {
  /** Never throws. */
  act(request: DriverRequest, limitMs: number): Promise<DriverOutcome>;
  /** Undefined: the VASP describes nothing. */
  describe(limitMs: number): Promise<DriverDescription | undefined>;
  close(): Promise<void>;
}

export type DriverOutcome =
  /** `value`: of any shape. Undefined: the answer has none. */
  | { kind: 'accepted'; value: unknown }
  | { kind: 'unsupported' }
  /** `why` continues "The driver address …". */
  | { kind: 'failed'; why: string };

export interface DriverAddress {
  url: string;
  header: string;
  token?: string | undefined;
}

interface DriverDeps {
  guard: CallGuard;
  signal: AbortSignal;
}

export function driverAt({ url, ...authorization }: DriverAddress, { guard, signal }: DriverDeps): Driver {
  const http = guardedClient(guard);
  const headers = requestHeaders(authorization);
  return {
    async act(request, limitMs) {
      try {
        const sent = { method: 'POST', headers, body: JSON.stringify(request) } as const;
        const { status, body } = await http.call(url, sent, { timeoutMs: limitMs, signal });
        if (status === 501) return { kind: 'unsupported' };
        if (status !== 200 && status !== 202) return { kind: 'failed', why: `answered ${status}` };
        return { kind: 'accepted', value: valueIn(body) };
      } catch (error) {
        return { kind: 'failed', why: failureOf(error as Error, limitMs) };
      }
    },
    async describe(limitMs) {
      try {
        const { status, body } = await http.call(
          url,
          { method: 'GET', headers },
          { timeoutMs: limitMs, signal },
        );
        if (status !== 200) return undefined;
        return DriverDescription.safeParse(JSON.parse(body)).data;
      } catch {
        return undefined;
      }
    },
    close: () => http.close(),
  };
}

function valueIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { value?: unknown } | null)?.value;
  } catch {
    return undefined;
  }
}

function failureOf(error: Error, limitMs: number): string {
  if (error.name === 'TimeoutError') return `did not answer within ${limitMs} ms`;
  return `could not be reached (${codeOf(error)})`;
}
