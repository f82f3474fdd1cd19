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
const [AT, CAUSE, DETAIL] = [6, 7, 8] as const;

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
  const cause = line[CAUSE];
  const end = line[DETAIL] === null ? endOf(cause) : detailedEndOf(line);
  return beginningOf(line) + (isSameTime ? 0 : line[AT]) + end;
}

const endOf = remember(1_000, cause => packPart(`,${JSON.stringify(cause)},null]`));
const startOf = remember(HISTORY_MACHINES.length, machine => packPart(`["${machine}",`));

/** Without a flaw the steps of the judge are long, the same for most verifications, and hold no personal data. */
const judgedEndOf = remember(500, packPart);
function detailedEndOf([machine, , , , , to, , cause, detail]: HistoryLine): string {
  const end = `,${JSON.stringify(cause)},${JSON.stringify(detail)}]`;
  return machine === 'judge' && to === 'VERIFIED' ? judgedEndOf(end) : packPart(end);
}

/** The members before the time, without the machine. `ownKey` undefined: without the key of the row, too. */
interface Move {
  ownKey: string | null | undefined;
  from: string | null;
  to: string | null;
  text: string;
}
const MOST_KEPT = 1_000;
let kept = 0;
/** By VASP and event: no key has to be made for a search. */
const movesOf = new Map<string | null, Map<string, Move[]>>();

/** The key of a timer is its kind. Most other rows have a number, which stands before the kept text. */
function beginningOf(line: HistoryLine): string {
  const [machine, rowKey, vaspId, from, event, to] = line;
  const ownKey = machine === 'timer' || rowKey === null ? rowKey : undefined;
  const move = movesOf
    .get(vaspId)
    ?.get(event)
    ?.find(each => each.from === from && each.to === to && each.ownKey === ownKey);
  const text = move?.text ?? keepMove(line, ownKey);
  return startOf(machine) + (ownKey === undefined ? `${JSON.stringify(rowKey)},` : '') + text;
}

function keepMove([, , vaspId, from, event, to]: HistoryLine, ownKey: Move['ownKey']): string {
  const members = [...(ownKey === undefined ? [] : [ownKey]), vaspId, from, event, to];
  const text = packPart(members.map(member => `${JSON.stringify(member)},`).join(''));
  if (kept >= MOST_KEPT) {
    movesOf.clear();
    kept = 0;
  }
  kept += 1;
  const ofVasp = movesOf.get(vaspId) ?? new Map<string, Move[]>();
  movesOf.set(vaspId, ofVasp.set(event, [...(ofVasp.get(event) ?? []), { ownKey, from, to, text }]));
  return text;
}
