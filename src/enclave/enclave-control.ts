import { refusals } from '../contract/refusals.ts';
import { ownRow } from '../contract/tenancy.ts';
import { write } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import type { TimerKind } from '../timers/registry.ts';
import * as callbackAttempts from './callbacks/attempt-store.ts';
import { deliveryKey, deliveryTimer, receiverOwner } from './callbacks/enqueue.ts';
import type { CallbackQuery } from './callbacks/list-store.ts';
import * as callbackLists from './callbacks/list-store.ts';
import { callbackStatus } from './callbacks/machine.ts';
import { recoverCallbacks } from './callbacks/recover.ts';
import type { CallbackRow } from './callbacks/store.ts';
import * as callbacks from './callbacks/store.ts';
import type { EnclaveControl, Parties } from './control.ts';
import { deleteSomeVaspData, deleteVaspData, deleteVerification } from './delete-vasp-data.ts';
import type { EnclaveDeps, OutboxDeps } from './deps.ts';
import { presentAssessment } from './risk/present.ts';
import { collectAgain } from './risk/register-assessment.ts';
import * as assessments from './risk/store.ts';
import { endVerificationsOn } from './verification/end-on-chain.ts';
import { requireVerification } from './verification/get.ts';
import * as verificationLists from './verification/list-store.ts';
import * as verificationRemoval from './verification/removal-store.ts';
import { timeOutOpen } from './verification/schedule-time-out.ts';
import * as verifications from './verification/store.ts';

export function createEnclaveControl(deps: EnclaveDeps): EnclaveControl {
  const { db, vasps } = deps;
  return {
    timeoutMs: deps.timeoutMs,
    thresholds: deps.thresholds,
    riskScenarios: deps.risk.scenarios,

    requireParties(uuid, caller) {
      const { originatingVaspId, beneficiaryVaspId } = requireVerification(deps, uuid, caller);
      return ownVerification({ verificationUuid: uuid, originatingVaspId, beneficiaryVaspId });
    },
    findParties: uuid => verifications.find(db, uuid),
    listFinal: (caller, range) =>
      verificationRemoval.final(db, caller, deps.residentVaspId, range).map(ownUuid),
    deleteVerification,
    countOf: caller => verificationLists.countAll(db, caller),
    listVerifications(search, caller) {
      const { rows, next } = verificationLists.newest(db, search, caller);
      return { rows: rows.map(ownUuid), next };
    },
    countVerifications: (search, caller) => verificationLists.countFound(db, search, caller),
    countsSince: (caller, since, most) => verificationLists.countsSince(db, caller, since, most),
    neighboursOf: (uuid, caller) =>
      verificationLists.neighboursOf(db, requireVerification(deps, uuid, caller), caller),
    newestVerified: (actionType, caller, symbol) => newestVerified(deps, actionType, caller, symbol),

    listCallbacks: (query, caller) => callbackLists.page(db, caller, query).map(ownId),
    countCallbacks: (query, caller, most) => callbackLists.count(db, caller, query, most),
    waitForCallbacks: async (query, caller, signal) =>
      (await readMailbox(deps, query, caller, signal)).map(ownId),
    callbackAttempts: rows => callbackAttempts.of(db, rows),
    replayCallback: (id, caller) => ownId(replay(deps, id, caller)),

    listAssessments: (uuid, limit, caller) =>
      assessments
        .listOf(db, caller, uuid, limit)
        .map(row => ({ ...row, riskAssessment: presentAssessment(row) })),

    guard: deps.guard,
    signer: deps.signing.signer,
    rollSigningSecret: (vaspId, overlapMs) =>
      write(deps.db, tx => deps.signing.secrets.roll(tx, vaspId, overlapMs)),

    listVasps: vasps.all,
    findVasp: vasps.find,
    vaspName: vasps.nameOf,
    saveVasp(vasp, apiKey) {
      write(deps.db, tx => vasps.save(tx, vasp, apiKey));
      return vasps.find(vasp.vaspId)!;
    },
    sealedVasp: vaspId => ({
      registration: vasps.sealed(vaspId),
      signingSecrets: deps.signing.secrets.sealed(vaspId),
    }),
    adoptVasp(tx, { registration, signingSecrets }) {
      deps.signing.secrets.adopt(tx, registration.vaspId, signingSecrets);
      return vasps.adopt(tx, registration);
    },
    recoverCallbacks: toVaspId => recoverCallbacks(deps, toVaspId),
    connectVasp: deps.directory.connect,
    endVerificationsOn: (tx, symbol, message, isPaid) =>
      endVerificationsOn(deps, tx, symbol, message, isPaid),

    timersOf: (uuid, caller) => timersOf(deps, uuid, caller),
    deleteVaspData: (tx, vaspId, among) => deleteVaspData(deps, tx, vaspId, among),
    deleteSomeVaspData: (tx, vaspId, some) => deleteSomeVaspData(deps, tx, vaspId, some),
    moveBack: (tx, vaspId, most) => verifications.moveBack(tx, vaspId, deps.clock.now(vaspId), most),
    resumeShared(tx, vaspId) {
      timeOutOpen(deps, tx, vaspId);
      collectAgain(deps, tx, vaspId);
      recoverCallbacks(deps, vaspId);
    },
    forgetVasp(tx, vaspId) {
      vasps.forget(tx, vaspId);
      deps.signing.secrets.removeOf(tx, vaspId);
    },
  };
}

const ownVerification = ownRow('verificationUuid');
const ownUuid = ownRow('uuid');
const ownId = ownRow('id');

function newestVerified(
  { db }: EnclaveDeps,
  ...[actionType, caller, symbol]: Parameters<EnclaveControl['newestVerified']>
) {
  const filters = { actionType, result: 'VERIFIED', symbol, fromDate: '1970-01-01' } as const;
  const [newest] = verificationLists.page(db, { ...filters, page: 1, rpp: 1 }, caller).rows;
  return newest && { verificationUuid: newest.uuid, ivms101Beneficiary: newest.ivms101Beneficiary };
}

const MAX_ASSESSMENTS = 100;

type EnclaveTimerKind = Extract<TimerKind, `enclave.${string}`>;
type Subject = Parties & { verificationUuid: string; caller: string };

/** The keys of the timers of a verification. A new kind of timer does not compile without them. */
const TIMER_KEYS: Record<EnclaveTimerKind, (deps: EnclaveDeps, subject: Subject) => string[]> = {
  'enclave.verification.ask': (_, { verificationUuid }) => [verificationUuid],
  'enclave.verification.time-out': (_, { verificationUuid }) => [verificationUuid],
  'enclave.callback.deliver': ({ residentVaspId }, subject) =>
    [subject.originatingVaspId, subject.beneficiaryVaspId]
      .filter(receiver => receiver === subject.caller || receiver === residentVaspId)
      .map(receiver => deliveryKey(subject.verificationUuid, receiver)),
  'enclave.risk.collect': ({ db }, { verificationUuid, caller }) =>
    assessments.listOf(db, caller, verificationUuid, MAX_ASSESSMENTS).map(({ requestId }) => requestId),
};

function timersOf(deps: EnclaveDeps, verificationUuid: string, caller: string) {
  const parties = verifications.find(deps.db, verificationUuid);
  if (!parties) return [];
  const subject = { ...parties, verificationUuid, caller };
  return Object.entries(TIMER_KEYS).flatMap(([kind, keysOf]) =>
    keysOf(deps, subject).map(key => ({ kind: kind as EnclaveTimerKind, key })),
  );
}

/** The callbacks of a VASP after a position, by long poll. Returns none when `signal` aborts first. */
async function readMailbox(
  deps: Pick<EnclaveDeps, 'db' | 'waiters'>,
  query: CallbackQuery,
  vaspId: string,
  signal: AbortSignal,
): Promise<CallbackRow[]> {
  for (;;) {
    const rows = callbackLists.page(deps.db, vaspId, query);
    if (rows.length > 0 || signal.aborted) return rows;
    await deps.waiters.wait(vaspId, signal);
  }
}

/** D-13: sends a callback again, with a fresh schedule of attempts. A PENDING one does not wait for its next attempt. */
function replay(deps: OutboxDeps & Pick<EnclaveDeps, 'db'>, id: number, caller: string): CallbackRow {
  const row = callbacks.find(deps.db, id);
  const verification = row && verifications.find(deps.db, row.verificationUuid);
  if (row?.receiverVaspId !== caller || !verification) throw refusals.notFound(`Callback(${id})`);
  const owner = receiverOwner(deps, verification, caller);
  const at = deps.clock.now(owner);
  const timer = deliveryTimer(deps, { ...row, owner });
  return write(deps.db, tx => {
    if (row.status === 'PENDING') {
      deps.timers.schedule(tx, 'enclave.callback.deliver', timer);
      return row;
    }
    const replayed = transition(tx, callbackStatus, row, 'replay', {
      patch: { attempts: 0 },
      at,
      cause: 'replayed by hand',
    });
    deps.timers.ensure(tx, 'enclave.callback.deliver', timer);
    return replayed;
  });
}
