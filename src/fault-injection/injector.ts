import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { FaultEvent, FaultHit, FaultInjector } from './port.ts';
import { type FaultRow, faultStore, type NewFault } from './store.ts';
import type { FaultMode, FaultTarget } from './targets.ts';

/**
 * Which ordered failure hits which event. The table is the truth; the rows of each VASP also stand in memory, so that
 * an event of a VASP that has ordered nothing costs no query. A use is counted where it is told, in one transaction.
 */
export interface OrderedFaults extends FaultInjector {
  /** Oldest first. */
  active(vaspId: string): FaultRow[];
  /** Replaces the one of the same target, verification and mode; undefined: there are `MOST_FAULTS` others. */
  add(fault: NewFault): FaultRow | undefined;
  /** False: the VASP has no such active fault. */
  remove(vaspId: string, id: number): boolean;
  removeOf(tx: Tx, vaspId: string): void;
}

/** Of one VASP, active. */
export const MAX_ACTIVE_FAULTS = 100;

interface InjectorDeps {
  db: Db;
  now(vaspId: string): number;
  /** Is it a verification of this VASP? What it only names is not its story. */
  isPartyTo(vaspId: string, verificationUuid: string): boolean;
}

/** What the history keeps of a hit. */
export interface FaultRecord {
  fault: string;
  target: string;
  mode: FaultMode;
  parameters: object;
}

const isActive = ({ times, used }: FaultRow): boolean => times === null || used < times;

export function createInjector({ db, now, isPartyTo }: InjectorDeps): OrderedFaults {
  const store = faultStore(db);
  const known = new Map<string, FaultRow[]>();
  const refresh = (vaspId: string) => {
    const rows = store.allOf(vaspId);
    if (rows.length > 0) known.set(vaspId, rows);
    else known.delete(vaspId);
  };
  for (const vaspId of store.owners()) refresh(vaspId);

  const changed = (tx: Tx, vaspId: string) => afterCommit(tx, () => refresh(vaspId));
  const active = (vaspId: string) => known.get(vaspId)?.filter(isActive) ?? [];

  function decided(verificationUuid: string, occasion: string): FaultHit | undefined {
    const row = store.recordedAt(verificationUuid, occasion);
    return row && hitOf(JSON.parse(row.detail!) as FaultRecord, row.at);
  }

  function hit(tx: Tx, row: FaultRow, event: FaultEvent): FaultHit {
    const at = now(row.vaspId);
    const told = faultRecordOf(row);
    const { verificationUuid } = event;
    if (verificationUuid !== null && isPartyTo(row.vaspId, verificationUuid))
      record(tx, {
        machine: 'fault',
        rowKey: event.occasion ?? told.fault,
        verificationUuid,
        vaspId: row.vaspId,
        from: null,
        event: row.mode,
        to: null,
        at,
        cause: causeOf(told),
        detail: told,
      });
    changed(tx, row.vaspId);
    return hitOf(told, at);
  }

  return {
    isArmed: vaspId => known.has(vaspId),
    consume(event) {
      if (!known.has(event.vaspId)) return undefined;
      const { vaspId, verificationUuid, occasion, except = [] } = event;
      const earlier =
        occasion === undefined || verificationUuid === null ? undefined : decided(verificationUuid, occasion);
      if (earlier) return except.includes(earlier.mode) ? undefined : earlier;
      const fitting = active(vaspId).filter(row => fits(row, event));
      if (fitting.length === 0) return undefined;
      return write(db, tx => {
        const row = fitting.find(({ id }) => store.countUse(tx, id));
        return row && hit(tx, row, event);
      });
    },
    decisionAt: decided,
    active,
    add: fault =>
      write(db, tx => {
        const rows = known.get(fault.vaspId) ?? [];
        const replaced = rows.filter(row => !isActive(row) || isSame(row, fault));
        if (rows.length - replaced.length >= MAX_ACTIVE_FAULTS) return undefined;
        for (const { id } of replaced) store.remove(tx, id);
        changed(tx, fault.vaspId);
        return store.insert(tx, fault);
      }),
    remove: (vaspId, id) =>
      write(db, tx => {
        if (!active(vaspId).some(row => row.id === id)) return false;
        store.remove(tx, id);
        changed(tx, vaspId);
        return true;
      }),
    removeOf(tx, vaspId) {
      store.removeOf(tx, vaspId);
      changed(tx, vaspId);
    },
  };
}

const fits = (row: FaultRow, { targets, verificationUuid, except = [] }: FaultEvent): boolean =>
  targets.includes(row.target as FaultTarget) &&
  (row.verificationUuid === null || row.verificationUuid === verificationUuid) &&
  !except.includes(row.mode as FaultMode);

const isSame = (row: FaultRow, fault: NewFault): boolean =>
  row.target === fault.target && row.mode === fault.mode && row.verificationUuid === fault.verificationUuid;

const faultRecordOf = ({ id, target, mode, parameters }: FaultRow): FaultRecord => ({
  fault: String(id),
  target,
  mode: mode as FaultMode,
  parameters: JSON.parse(parameters) as object,
});

const hitOf = (told: FaultRecord, at: number): FaultHit =>
  ({ mode: told.mode, at, cause: causeOf(told), ...told.parameters }) as FaultHit;

/** `fault 7, callback: status 503` */
function causeOf({ fault, target, mode, parameters }: FaultRecord): string {
  const { delayMs, status } = parameters as { delayMs?: number; status?: number };
  const more = delayMs === undefined ? status : formatDuration(delayMs);
  return `fault ${fault}, ${target}: ${mode}${more === undefined ? '' : ` ${more}`}`;
}
