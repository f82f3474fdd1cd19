import { DriverDescription, type DriverRequest } from '../contract/driver.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import { httpClient } from '../vasps/http-client.ts';
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
  const http = httpClient(guard);
  const headers = requestHeaders(authorization);
  return {
    async act(request, limitMs) {
      try {
        const { status, body } = await http.post(url, headers, JSON.stringify(request), {
          timeoutMs: limitMs,
          signal,
        });
        if (status === 501) return { kind: 'unsupported' };
        if (status !== 200 && status !== 202) return { kind: 'failed', why: `answered ${status}` };
        return { kind: 'accepted', value: valueIn(body) };
      } catch (error) {
        return { kind: 'failed', why: failureOf(error as Error, limitMs) };
      }
    },
    async describe(limitMs) {
      try {
        const { status, body } = await http.get(url, headers, { timeoutMs: limitMs, signal });
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
  return `could not be reached (${(error as { code?: string }).code ?? error.name})`;
}
