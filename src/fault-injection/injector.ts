import type { CallerId } from '../contract/tenancy.ts';
import { record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { afterCommit, type Tx, write } from '../db/transaction.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { FaultEvent, FaultHit, FaultInjector } from './port.ts';
import type { FaultRow, NewFault } from './store.ts';
import * as faultRows from './store.ts';
import type { FaultMode, FaultTarget } from './targets.ts';

/** The members by which two faults are the same. */
type Replacing = Pick<FaultRow, 'target' | 'mode' | 'verificationUuid'>;

/**
 * The faults of all VASPs. The table is the truth. Memory holds the rows of each VASP, so that an event of a VASP
 * without faults needs no query; it is read again after each commit that changes them.
 */
export interface OrderedFaults extends FaultInjector {
  /** The most active faults of one VASP. */
  readonly most: number;
  /** Oldest first. `besides`: without the one that this fault replaces. */
  active(vaspId: CallerId, besides?: Replacing): FaultRow[];
  /** Replaces the fault of the same target, verification and mode. Undefined: there are `most` already. */
  add(fault: NewFault): FaultRow | undefined;
  /** False: the VASP has no such active fault. */
  remove(vaspId: CallerId, id: number): boolean;
  removeOf(tx: Tx, vaspId: string): void;
}

/** The most active faults of one VASP. In hosted mode its quota comes first. */
export const MOST_FAULTS = 100;
export const MOST_FAULTS_HOSTED = 10_000;

interface InjectorDeps {
  db: Db;
  most?: number;
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

const isActive = ({ times, used }: FaultRow): boolean => times === null || used < times;

export function createInjector({ db, now, isPartyTo, most = MOST_FAULTS }: InjectorDeps): OrderedFaults {
  const byVasp = new Map<string, FaultRow[]>();
  const refresh = (vaspId: string) => {
    const rows = faultRows.allOf(db, vaspId);
    if (rows.length > 0) byVasp.set(vaspId, rows);
    else byVasp.delete(vaspId);
  };
  for (const vaspId of faultRows.owners(db)) refresh(vaspId);

  const refreshAfterCommit = (tx: Tx, vaspId: string) => afterCommit(tx, () => refresh(vaspId));
  const active = (vaspId: string) => byVasp.get(vaspId)?.filter(isActive) ?? [];

  function decisionOn(verificationUuid: string, name: string): FaultHit | undefined {
    const row = faultRows.recordedOn(db, verificationUuid, name);
    return row && hitOf(row.detail as FaultRecord, row.at);
  }

  function earlierDecision({ verificationUuid, name }: FaultEvent): FaultHit | undefined {
    if (name === undefined || verificationUuid === null) return undefined;
    return decisionOn(verificationUuid, name);
  }

  function recordHit(tx: Tx, row: FaultRow, { verificationUuid, name }: FaultEvent): FaultHit {
    const at = now(row.vaspId);
    const detail = faultRecordOf(row);
    if (verificationUuid !== null && isPartyTo(row.vaspId, verificationUuid))
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
    refreshAfterCommit(tx, row.vaspId);
    return hitOf(detail, at);
  }

  return {
    most,
    isArmed: vaspId => byVasp.has(vaspId),
    consume(event) {
      if (!byVasp.has(event.vaspId)) return undefined;
      const earlier = earlierDecision(event);
      if (earlier) return event.except?.includes(earlier.mode) ? undefined : earlier;
      const matching = active(event.vaspId).filter(row => matches(row, event));
      if (matching.length === 0) return undefined;
      return write(db, tx => {
        const row = matching.find(({ id }) => faultRows.countUse(tx, id));
        return row && recordHit(tx, row, event);
      });
    },
    decisionOn,
    active: (vaspId, besides) => active(vaspId).filter(row => !besides || !isSame(row, besides)),
    add: fault =>
      write(db, tx => {
        const rows = byVasp.get(fault.vaspId) ?? [];
        const replaced = rows.filter(row => !isActive(row) || isSame(row, fault));
        if (rows.length - replaced.length >= most) return undefined;
        for (const { id } of replaced) faultRows.remove(tx, id);
        refreshAfterCommit(tx, fault.vaspId);
        return faultRows.insert(tx, fault);
      }),
    remove: (vaspId, id) =>
      write(db, tx => {
        if (!active(vaspId).some(row => row.id === id)) return false;
        faultRows.remove(tx, id);
        refreshAfterCommit(tx, vaspId);
        return true;
      }),
    removeOf(tx, vaspId) {
      faultRows.removeOf(tx, vaspId);
      refreshAfterCommit(tx, vaspId);
    },
  };
}

const matches = (row: FaultRow, { targets, verificationUuid, except = [] }: FaultEvent): boolean =>
  targets.includes(row.target as FaultTarget) &&
  (row.verificationUuid === null || row.verificationUuid === verificationUuid) &&
  !except.includes(row.mode as FaultMode);

const isSame = (row: FaultRow, fault: Replacing): boolean =>
  row.target === fault.target && row.mode === fault.mode && row.verificationUuid === fault.verificationUuid;

const faultRecordOf = ({ id, target, mode, parameters }: FaultRow): FaultRecord => ({
  fault: String(id),
  target,
  mode: mode as FaultMode,
  parameters,
});

const hitOf = (detail: FaultRecord, at: number): FaultHit =>
  ({ mode: detail.mode, at, cause: causeOf(detail), ...detail.parameters }) as FaultHit;

/** `fault 7, callback: status 503` */
function causeOf({ fault, target, mode, parameters }: FaultRecord): string {
  const { delayMs, status } = parameters as { delayMs?: number; status?: number };
  const more = delayMs === undefined ? status : formatDuration(delayMs);
  return `fault ${fault}, ${target}: ${mode}${more === undefined ? '' : ` ${more}`}`;
}
