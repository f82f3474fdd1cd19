import type { Tx } from '../../db/write.ts';
import type {
  MonitoredTransfer,
  ProviderKeys,
  Registered,
  ScreenedParty,
  StillWorking,
} from '../../screening/port.ts';
import { enqueue } from '../callbacks/enqueue.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { presentKyt, presentWco } from './present.ts';
import type { Assessment } from './store.ts';

/** The assessments whose result comes by callback (§6): how the provider is called, and what the VASP is told. */
interface SlowKind {
  register(deps: EnclaveDeps, keys: ProviderKeys, request: unknown, attempt: number): Promise<Registered>;
  result(deps: EnclaveDeps, keys: ProviderKeys, row: Assessment): Promise<object | StillWorking>;
  tell(deps: EnclaveDeps, tx: Tx, verification: Verification, row: Assessment): void;
}

export const attemptOf = (row: Pick<Assessment, 'failures'>): number => row.failures + 1;

export const SLOW_KINDS: Record<'kyt' | 'wco', SlowKind> = {
  kyt: {
    register: ({ risk }, keys, request, attempt) =>
      risk.screening.kyt.register(keys, request as MonitoredTransfer, attempt),
    result: ({ risk }, keys, row) =>
      risk.screening.kyt.result(keys, row.reference!, JSON.parse(row.request), attemptOf(row)),
    tell: (deps, tx, verification, row) =>
      enqueue(deps, tx, verification, {
        receiverVaspId: row.callerVaspId,
        callbackType: 'PROVIDER_A_KYT_RESULT',
        data: { verificationUuid: verification.uuid, riskAssessment: presentKyt(row) },
      }),
  },
  wco: {
    register: ({ risk }, keys, request, attempt) =>
      risk.screening.wco.register(keys, request as ScreenedParty, attempt),
    result: ({ risk }, keys, row) =>
      risk.screening.wco.result(keys, row.reference!, JSON.parse(row.request), attemptOf(row)),
    tell: (deps, tx, verification, row) =>
      enqueue(deps, tx, verification, {
        receiverVaspId: row.callerVaspId,
        callbackType: 'PROVIDER_B_WCO_RESULT',
        data: { verificationUuid: verification.uuid, riskAssessment: presentWco(row) },
      }),
  },
};
