import type { Tx } from '../../db/transaction.ts';
import type { MonitoredTransfer, Registered, ScreenedParty, StillWorking } from '../../screening/port.ts';
import { enqueue } from '../callbacks/enqueue.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { presentKyt, presentWco } from './present.ts';
import { providerKeysOf } from './provider-errors.ts';
import type { Assessment } from './store.ts';

/** The assessments whose result comes by callback (REF-6): how the provider is called, and what the VASP is told. */
interface AsyncProvider {
  register(deps: EnclaveDeps, caller: string, request: unknown, attempt: number): Promise<Registered>;
  result(deps: EnclaveDeps, row: Assessment): Promise<object | StillWorking>;
  enqueueResult(deps: EnclaveDeps, tx: Tx, verification: Verification, row: Assessment): void;
}

export const attemptOf = (row: Pick<Assessment, 'failures'>): number => row.failures + 1;

export const ASYNC_PROVIDERS: Record<'kyt' | 'wco', AsyncProvider> = {
  kyt: {
    register: (deps, caller, request, attempt) =>
      deps.risk
        .screening(caller)
        .kyt.register(providerKeysOf(deps, caller), request as MonitoredTransfer, attempt),
    result: (deps, row) =>
      deps.risk
        .screening(row.callerVaspId)
        .kyt.result(
          providerKeysOf(deps, row.callerVaspId),
          row.reference!,
          JSON.parse(row.request),
          attemptOf(row),
        ),
    enqueueResult: (deps, tx, verification, row) =>
      enqueue(deps, tx, verification, {
        receiverVaspId: row.callerVaspId,
        callbackType: 'PROVIDER_A_KYT_RESULT',
        data: { verificationUuid: verification.uuid, riskAssessment: presentKyt(row) },
      }),
  },
  wco: {
    register: (deps, caller, request, attempt) =>
      deps.risk
        .screening(caller)
        .wco.register(providerKeysOf(deps, caller), request as ScreenedParty, attempt),
    result: (deps, row) =>
      deps.risk
        .screening(row.callerVaspId)
        .wco.result(
          providerKeysOf(deps, row.callerVaspId),
          row.reference!,
          JSON.parse(row.request),
          attemptOf(row),
        ),
    enqueueResult: (deps, tx, verification, row) =>
      enqueue(deps, tx, verification, {
        receiverVaspId: row.callerVaspId,
        callbackType: 'PROVIDER_B_WCO_RESULT',
        data: { verificationUuid: verification.uuid, riskAssessment: presentWco(row) },
      }),
  },
};
