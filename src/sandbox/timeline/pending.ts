import type { Verification } from '../../enclave/verification/store.ts';
import type { PendingTimer } from '../../timers/timers.ts';
import type { SandboxDeps } from '../deps.ts';

const MOST_ASSESSMENTS = 100;

/** What will happen by itself in this verification, next first. What the other VASP waits for is its own affair. */
export function pendingTimersOf(
  deps: SandboxDeps,
  { uuid, originatingVaspId, beneficiaryVaspId }: Verification,
  caller: string,
): PendingTimer[] {
  const receivers = [originatingVaspId, beneficiaryVaspId].filter(
    vaspId => vaspId === caller || vaspId === deps.robot.vaspId,
  );
  const transfer = deps.robot.transfers.find(uuid);
  const assessments = deps.enclave.assessments.listOf(caller, uuid, MOST_ASSESSMENTS);
  return deps.timers
    .pendingOf([
      { kind: 'enclave.verification.ask', key: uuid },
      { kind: 'enclave.verification.time-out', key: uuid },
      { kind: 'robot.deposit.inquire', key: uuid },
      ...receivers.map(vaspId => ({ kind: 'enclave.callback.deliver', key: `${uuid} ${vaspId}` }) as const),
      ...assessments.map(({ requestId }) => ({ kind: 'enclave.risk.collect', key: requestId }) as const),
      ...(transfer && transfer.status !== 'CONFIRMED' && transfer.status !== 'CANCELED'
        ? [{ kind: 'robot.wallet.pay', key: `${transfer.symbol} ${transfer.account}` } as const]
        : []),
    ])
    .sort((a, b) => a.dueAt - b.dueAt);
}
