import type { CallerId } from '../contract/tenancy.ts';
import { keptTable } from '../db/closing.ts';
import { firstLineOf, record, unguardedHistoryOf } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { deleteRows, insertRow, updateRows } from '../db/prepared-statements.ts';
import { faults } from '../db/schema/runtime.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import { formatDuration } from '../kernel/duration.ts';
import { firstAborted } from '../kernel/turns.ts';
import { pause } from '../timers/loop.ts';
import type { FaultEvent, FaultHit, FaultInjector, FaultMode } from './port.ts';

export type FaultRow = typeof faults.$inferSelect;
type NewFault = Omit<FaultRow, 'id' | 'used'>;

const kept = keptTable(faults, 'vaspId', 'id');

/** Oldest first, used-up faults too: they have decided on events that may come again. */
const allOf = (db: Db, vaspId: string): readonly FaultRow[] => kept.of(db, vaspId);

const isActive = ({ times, used }: FaultRow): boolean => times === null || used < times;

/** Oldest first. */
const activeOf = (db: Db, vaspId: string): FaultRow[] => allOf(db, vaspId).filter(isActive);

/** The oldest active fault that covers the event. */
const matching = (db: Db, { vaspId, targets, verificationUuid, except }: FaultEvent): FaultRow | undefined =>
  activeOf(db, vaspId).find(
    row =>
      targets.some(target => target === row.target) &&
      !except?.some(mode => mode === row.mode) &&
      (row.verificationUuid === null || row.verificationUuid === verificationUuid),
  );

const remove = (tx: Tx, { vaspId, id }: FaultRow) => kept.change(tx, vaspId, () => deleteRows(tx, faults, { id }));

/** The members by which two faults are the same. */
type Replacing = Pick<FaultRow, 'target' | 'mode' | 'verificationUuid'>;

/** The most active faults of one VASP. In hosted mode its quota comes first. */
export const MAX_FAULTS = 100;
export const MAX_FAULTS_HOSTED = 10_000;

interface Deps {
  db: Db;
  max: number;
  now(vaspId: string): number;
  /** A hit is recorded only in the timeline of the VASP's own verifications. */
  isPartyTo(vaspId: string, verificationUuid: string): boolean;
}

/** The part of a hit that the history keeps. */
interface FaultRecord {
  fault: string;
  target: string;
  mode: FaultMode;
  parameters: object;
}

export type OrderedFaults = ReturnType<typeof createInjector>;

/** The faults of all VASPs. */
export function createInjector(deps: Deps) {
  const { db, max } = deps;
  const held = answersHeld();
  const port: FaultInjector = {
    isArmed: vaspId => allOf(db, vaspId).length > 0,
    consume: event => consume(deps, event),
    decisionOn: (verificationUuid, name) => decisionOn(db, verificationUuid, name),
    hasSpoiled: (verificationUuid, operation) =>
      unguardedHistoryOf(db, verificationUuid).some(
        ({ machine, detail }) =>
          machine === 'fault' && ['answer', `answer.${operation}`].includes((detail as FaultRecord).target),
      ),
    hold: held.hold,
  };
  return {
    ...port,
    max,
    /** Oldest first. `besides`: without the one that this fault replaces. */
    active: (vaspId: CallerId, besides?: Replacing): FaultRow[] =>
      activeOf(db, vaspId).filter(row => !besides || !isSame(row, besides)),
    /** Replaces the fault of the same target, verification and mode. Undefined: there are `max` already. */
    add: (fault: NewFault): FaultRow | undefined => write(db, tx => add(tx, fault, max)),
    /** The answers that it holds go out. False: the VASP has no such active fault. */
    remove: (vaspId: CallerId, id: number): boolean =>
      write(db, tx => {
        const fault = activeOf(tx, vaspId).find(row => row.id === id);
        if (!fault) return false;
        remove(tx, fault);
        afterCommit(tx, () => held.release([fault]));
        return true;
      }),
    removeOf(tx: Tx, vaspId: string): void {
      const all = allOf(tx, vaspId);
      kept.change(tx, vaspId, () => deleteRows(tx, faults, { vaspId }));
      afterCommit(tx, () => held.release(all));
    },
  };
}

function answersHeld() {
  const held = new Map<string, Set<AbortController>>();
  return {
    async hold({ fault }: FaultHit, ms: number, ended: AbortSignal): Promise<boolean> {
      const removal = new AbortController();
      const all = held.get(fault) ?? new Set();
      held.set(fault, all.add(removal));
      const end = firstAborted(removal.signal, ended);
      await pause(ms, end.signal);
      end.release();
      all.delete(removal);
      if (all.size === 0) held.delete(fault);
      return removal.signal.aborted;
    },
    release(faults: readonly FaultRow[]): void {
      for (const { id } of faults) for (const removal of held.get(String(id)) ?? []) removal.abort();
    },
  };
}

function consume(deps: Deps, event: FaultEvent): FaultHit | undefined {
  const { verificationUuid, name, except, vaspId } = event;
  if (allOf(deps.db, vaspId).length === 0) return undefined;
  const isNamed = name !== undefined && verificationUuid !== null;
  const earlier = isNamed ? decisionOn(deps.db, verificationUuid, name) : undefined;
  if (earlier) return except?.includes(earlier.mode) ? undefined : earlier;
  const row = matching(deps.db, event);
  return row && write(deps.db, tx => hit(deps, tx, row, event));
}

function decisionOn(db: Db, verificationUuid: string, name: string): FaultHit | undefined {
  const row = firstLineOf(db, { verificationUuid, machine: 'fault', rowKey: name });
  return row && hitOf(row.detail as FaultRecord, row.at);
}

function hit(deps: Deps, tx: Tx, row: FaultRow, { verificationUuid, name }: FaultEvent): FaultHit {
  const at = deps.now(row.vaspId);
  const detail = faultRecordOf(row);
  kept.change(tx, row.vaspId, () => updateRows(tx, faults, { id: row.id }, { used: row.used + 1 }));
  if (verificationUuid !== null && deps.isPartyTo(row.vaspId, verificationUuid))
    record(tx, {
      machine: 'fault',
      rowKey: name ?? detail.fault,
      verificationUuid,
      vaspId: row.vaspId,
      from: null,
      event: row.mode,
      to: null,
      at,
      cause: causeOf(detail),
      detail,
    });
  return hitOf(detail, at);
}

function add(tx: Tx, fault: NewFault, max: number): FaultRow | undefined {
  const rows = allOf(tx, fault.vaspId);
  const replaced = rows.filter(row => !isActive(row) || isSame(row, fault));
  if (rows.length - replaced.length >= max) return undefined;
  for (const row of replaced) remove(tx, row);
  return kept.change(tx, fault.vaspId, () => insertRow(tx, faults, fault));
}

const isSame = (row: FaultRow, fault: Replacing): boolean =>
  row.target === fault.target && row.mode === fault.mode && row.verificationUuid === fault.verificationUuid;

const faultRecordOf = ({ id, target, mode, parameters }: FaultRow): FaultRecord => ({
  fault: String(id),
  target,
  mode: mode as FaultMode,
  parameters,
});

const hitOf = (detail: FaultRecord, at: number): FaultHit =>
  ({ mode: detail.mode, fault: detail.fault, at, cause: causeOf(detail), ...detail.parameters }) as FaultHit;

/** `fault 7, callback: status 503` */
function causeOf({ fault, target, mode, parameters }: FaultRecord): string {
  const { delayMs, status } = parameters as { delayMs?: number; status?: number };
  const more = delayMs === undefined ? status : formatDuration(delayMs);
  return `fault ${fault}, ${target}: ${mode}${more === undefined ? '' : ` ${more}`}`;
}
