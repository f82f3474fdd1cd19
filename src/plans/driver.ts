import { DriverAnswer, DriverDescription, type DriverRequest } from '../contract/driver.ts';
import { requestHeaders } from '../vasps/wire.ts';

/** The driver address: it makes the tested VASP act. */
export interface Driver {
  /** Never throws. */
  act(request: DriverRequest, limitMs: number): Promise<DriverOutcome>;
  /** Undefined: the VASP describes nothing. */
  describe(limitMs: number): Promise<DriverDescription | undefined>;
}

export type DriverOutcome =
  | { kind: 'accepted'; value: string | undefined }
  | { kind: 'unsupported' }
  /** `why` continues "The driver address …". */
  | { kind: 'failed'; why: string };

export interface DriverAddress {
  url: string;
  header: string;
  token?: string | undefined;
}

export function driverAt({ url, ...authorization }: DriverAddress, signal: AbortSignal): Driver {
  const call = async (method: string, body: string | null, limitMs: number) =>
    fetch(url, {
      method,
      headers: requestHeaders(authorization),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    });
  return {
    async act(request, limitMs) {
      try {
        const answer = await call('POST', JSON.stringify(request), limitMs);
        const text = await answer.text();
        if (answer.status === 501) return { kind: 'unsupported' };
        if (answer.status !== 200 && answer.status !== 202)
          return { kind: 'failed', why: `answered ${answer.status}` };
        return { kind: 'accepted', value: balanceIn(text) };
      } catch (error) {
        return { kind: 'failed', why: failureOf(error as Error, limitMs) };
      }
    },
    async describe(limitMs) {
      try {
        const answer = await call('GET', null, limitMs);
        if (answer.status !== 200) return undefined;
        return DriverDescription.safeParse(await answer.json()).data;
      } catch {
        return undefined;
      }
    },
  };
}

function balanceIn(text: string): string | undefined {
  try {
    return DriverAnswer.safeParse(JSON.parse(text)).data?.value;
  } catch {
    return undefined;
  }
}

function failureOf(error: Error, limitMs: number): string {
  if (error.name === 'TimeoutError') return `did not answer within ${limitMs} ms`;
  const { code } = (error.cause ?? {}) as { code?: string };
  return `could not be reached (${code ?? error.name})`;
}
