import type { AsyncScreening, Registered, Screening, StillWorking } from '../../screening/port.ts';
import type { NewCallback } from '../callbacks/enqueue.ts';
import type { EnclaveDeps } from '../deps.ts';
import { presentKyt, presentWco } from './present.ts';
import { providerKeysOf } from './provider-errors.ts';
import type { Assessment } from './store.ts';

type Deps = Pick<EnclaveDeps, 'risk' | 'vasps'>;

/** A provider whose result comes later. The VASP gets it by callback (REF-6). */
interface AsyncProvider {
  register(deps: Deps, caller: string, request: unknown, attempt: number): Promise<Registered>;
  result(deps: Deps, row: Assessment): Promise<object | StillWorking>;
  callback(row: Assessment): NewCallback;
}
export type AsyncKind = 'kyt' | 'wco';

/** The number of the next call of the provider for this assessment. */
export const nextAttempt = (row: Pick<Assessment, 'failures'>): number => row.failures + 1;

/** `request` is the subject as JSON keeps it. */
function asyncProvider<Subject>(
  providerIn: (screening: Screening) => AsyncScreening<Subject, object>,
  callback: AsyncProvider['callback'],
): AsyncProvider {
  const providerFor = (deps: Deps, vaspId: string) => providerIn(deps.risk.screening(vaspId));
  return {
    register: (deps, caller, request, attempt) =>
      providerFor(deps, caller).register(providerKeysOf(deps, caller), request as Subject, attempt),
    result: (deps, row) =>
      providerFor(deps, row.callerVaspId).result(
        providerKeysOf(deps, row.callerVaspId),
        row.reference!,
        row.request as Subject,
        nextAttempt(row),
      ),
    callback,
  };
}

export const ASYNC_PROVIDERS: Readonly<Record<AsyncKind, AsyncProvider>> = {
  kyt: asyncProvider(
    ({ kyt }) => kyt,
    row => ({
      receiverVaspId: row.callerVaspId,
      callbackType: 'PROVIDER_A_KYT_RESULT',
      data: { verificationUuid: row.verificationUuid, riskAssessment: presentKyt(row) },
    }),
  ),
  wco: asyncProvider(
    ({ wco }) => wco,
    row => ({
      receiverVaspId: row.callerVaspId,
      callbackType: 'PROVIDER_B_WCO_RESULT',
      data: { verificationUuid: row.verificationUuid, riskAssessment: presentWco(row) },
    }),
  ),
};
