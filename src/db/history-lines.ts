import { customType } from 'drizzle-orm/sqlite-core';
import { remember } from '../kernel/remember.ts';
import { packedParts, packPart, unpack } from './packed-text.ts';

/** Writers of the history: the machines, and other events without a status. */
export const HISTORY_MACHINES = [
  'verification',
  'assessment',
  'callback',
  'expectation',
  'deposit',
  'transfer',
  'report',
  'remark',
  'judge',
  'timer',
  'fault',
  'reset',
  'run',
] as const;

/**
 * Machine, row key (null: the verification), the only VASP that sees it (null: both VASPs of the verification, without a
 * verification every VASP), state before, event, state after, time, cause, detail.
 */
export type HistoryLine = [
  machine: (typeof HISTORY_MACHINES)[number],
  rowKey: string | null,
  vaspId: string | null,
  from: string | null,
  event: string,
  to: string | null,
  at: number,
  cause: string,
  detail: unknown,
];
const AT = 6;

/** Lines as packed JSON. A time is 0 in a line of the same time as the line before. */
export const packedLines = customType<{ data: HistoryLine[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: lines =>
    packedParts(`[${lines.map((line, i) => packLine(line, lines[i - 1]?.[AT] === line[AT])).join(',')}]`),
  fromDriver(stored) {
    const lines = JSON.parse(unpack(stored)) as HistoryLine[];
    lines.forEach((line, i) => {
      line[AT] ||= lines[i - 1]?.[AT] ?? 0;
    });
    return lines;
  },
});

/** Lines of all verifications have the same members before the time, and the same causes, so their text is kept. */
function packLine(line: HistoryLine, isSameTime: boolean): string {
  const [, , , , , , at, cause, detail] = line;
  const end =
    detail === null ? endOf(cause) : packPart(`,${JSON.stringify(cause)},${JSON.stringify(detail)}]`);
  return beginningOf(line) + (isSameTime ? 0 : at) + end;
}

const endOf = remember(1_000, cause => packPart(`,${JSON.stringify(cause)},null]`));
const startOf = remember(HISTORY_MACHINES.length, machine => packPart(`["${machine}",`));

const MOST_KEPT = 1_000;
const movesByKey = new Map<string, string>();

/** The members before the time. The key of a timer is its kind; most other rows have a number. */
function beginningOf([machine, rowKey, vaspId, from, event, to]: HistoryLine): string {
  const kind = machine === 'timer' ? rowKey : null;
  const isApart = rowKey !== null && kind === null;
  const key = `${kind}\n${isApart}\n${vaspId}\n${from}\n${event}\n${to}`;
  let move = movesByKey.get(key);
  if (move === undefined) {
    const members = [...(isApart ? [] : [rowKey]), vaspId, from, event, to];
    move = packPart(members.map(member => `${JSON.stringify(member)},`).join(''));
    if (movesByKey.size >= MOST_KEPT) movesByKey.clear();
    movesByKey.set(key, move);
  }
  return startOf(machine) + (isApart ? `${JSON.stringify(rowKey)},` : '') + move;
}
