import { Refused } from '../../client/client.ts';
import type { VaspDeps } from '../deps.ts';
import { accountQuestion, userQuestion } from '../messages.ts';
import { cancel, follow, pay, report, send } from './pay.ts';
import * as withdrawals from './store.ts';
import { isOver, type OpenState, type Order, type Withdrawal } from './withdrawal.ts';

/** Begins a withdrawal. Its id. */
export function withdraw(deps: VaspDeps, order: Order): string {
  const id = deps.random.uuid();
  withdrawals.add(deps.store, id, order, order.goal === 'user' ? 'ASKS-USER' : 'ASKS-ACCOUNT');
  resumeWithdrawal(deps, id);
  return id;
}

/** Goes on with a withdrawal, also after a restart and after a callback about it. */
export function resumeWithdrawal(deps: VaspDeps, id: string): void {
  deps.tasks.run(`withdrawal ${id}`, async attempt => {
    for (;;) {
      const withdrawal = withdrawals.find(deps.store, id)!;
      if (isOver(withdrawal.state)) return undefined;
      await STEPS[withdrawal.state](deps, withdrawal, attempt);
      const { state } = withdrawals.find(deps.store, id)!;
      if (state === withdrawal.state) return AWAITS_CALLBACK.has(state) ? undefined : 'later';
      deps.log.info({ id, uuid: withdrawal.uuid, state }, 'withdrawal');
    }
  });
}

/** The callback goes on with the withdrawal. */
const AWAITS_CALLBACK: ReadonlySet<string> = new Set(['AWAITS-RESULT', 'SCREENS'] satisfies OpenState[]);

type Step = (deps: VaspDeps, withdrawal: Withdrawal, attempt: number) => Promise<unknown>;

/** One step per state. A step that changes nothing is tried again later. */
const STEPS: Record<OpenState, Step> = {
  'ASKS-ACCOUNT': askAccount,
  'ASKS-USER': askUser,
  'AWAITS-RESULT': takeResult,
  SCREENS: screen,
  VERIFIED: pay,
  SIGNED: send,
  SENT: report,
  FOLLOWED: follow,
  CANCELS: cancel,
};

async function askAccount(deps: VaspDeps, { id, order }: Withdrawal): Promise<void> {
  await verifying(deps, id, async () => {
    await findVasp(deps, order.beneficiary.vaspId);
    const answer = await deps.enclave.verifyAccount(accountQuestion(order));
    if (answer.accountVerificationResult !== 'VERIFIED')
      withdrawals.move(deps.store, id, 'DENIED', `account: ${answer.reason}`);
    else withdrawals.move(deps.store, id, order.goal === 'account' ? 'DONE' : 'ASKS-USER');
  });
}

async function askUser(deps: VaspDeps, { id, order }: Withdrawal): Promise<void> {
  await verifying(deps, id, async () => {
    await findVasp(deps, order.beneficiary.vaspId);
    const { verificationUuid } = await deps.enclave.verifyUser(userQuestion(order, deps.clock.now()));
    withdrawals.opened(deps.store, id, verificationUuid);
  });
}

/** The beneficiary VASP must be in the list. */
async function findVasp({ enclave }: VaspDeps, vaspId: string): Promise<void> {
  const { vasps } = await enclave.vasps();
  if (!vasps.some(vasp => vasp.vaspId === vaspId)) throw new Error(`VASP ${vaspId} is not in the list`);
}

/**
 * Before VERIFIED nothing is owed: a failure ends the withdrawal, and the customer may try again. A call above the limit
 * of calls was not carried out, so it is made again.
 */
async function verifying({ store }: VaspDeps, id: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Refused && error.code === 'RATE-LIMITED') return;
    withdrawals.move(store, id, 'FAILED', error instanceof Refused ? (error.code ?? '') : (error as Error).message);
  }
}

/** REF-6: the result comes by callback, maybe before the answer of the call that caused it. */
async function takeResult({ store }: VaspDeps, { id, uuid, order }: Withdrawal): Promise<void> {
  const found = withdrawals.resultOf(store, uuid!);
  if (!found) return;
  const { result, reason } = found;
  if (result !== 'VERIFIED') withdrawals.move(store, id, 'DENIED', `${result}: ${reason}`);
  else if (order.goal === 'error') withdrawals.move(store, id, 'CANCELS', 'USER-CANCELED');
  else if (order.goal === 'user') withdrawals.move(store, id, 'DONE');
  else withdrawals.move(store, id, order.kinds?.length ? 'SCREENS' : 'VERIFIED');
}

/** The assessments before the payment. An assessment that speaks against it, or fails, ends the withdrawal. */

type Kind = NonNullable<Order['kinds']>[number];
const NOT_SANCTIONED = 'NOHIT';
const BAD_ALERTS: readonly string[] = ['HIGH', 'SEVERE'];
const BAD_MATCHES: readonly unknown[] = ['STRONG', 'EXACT'];

async function screen(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, order } = withdrawal;
  for (const kind of order.kinds ?? []) {
    const isGood = await judge(deps, withdrawal, kind);
    if (isGood === undefined) return;
    if (!isGood) return void withdrawals.move(deps.store, id, 'CANCELS', 'NOT-ALLOWED');
  }
  withdrawals.move(deps.store, id, 'VERIFIED');
}

/** Undefined: the result is not there yet. */
async function judge(deps: VaspDeps, { id, uuid }: Withdrawal, kind: Kind): Promise<boolean | undefined> {
  const { store, enclave } = deps;
  try {
    if (kind === 'sanction') return (await enclave.assessSanction(uuid!)).providerASanction.status === NOT_SANCTIONED;
    const asked = withdrawals.screening(store, id, kind);
    if (asked !== undefined) return isGood(withdrawals.assessment(store, asked));
    const { requestId } = await (kind === 'kyt' ? enclave.assessKyt(uuid!) : enclave.assessWco(uuid!));
    withdrawals.addScreening(store, id, kind, requestId);
    return isGood(withdrawals.assessment(store, requestId));
  } catch (error) {
    if (error instanceof Refused && error.status < 500 && error.status !== 429) return false;
    throw error;
  }
}

/** REF-3: REGISTERED is no result. */
function isGood(kept: string | undefined): boolean | undefined {
  if (kept === undefined) return undefined;
  const {
    providerAKYT,
    providerAKYTAlerts = [],
    providerBWCO,
  } = JSON.parse(kept) as {
    providerAKYT?: { status: string };
    providerAKYTAlerts?: { alertLevel: string }[];
    providerBWCO?: { status: string; matchStrength?: string | null };
  };
  if ((providerAKYT ?? providerBWCO)?.status !== 'PROCESSED') return undefined;
  const isAlarming = providerAKYTAlerts.some(({ alertLevel }) => BAD_ALERTS.includes(alertLevel));
  return !isAlarming && !BAD_MATCHES.includes(providerBWCO?.matchStrength);
}
