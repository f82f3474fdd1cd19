import type { Answers } from '../client/client.ts';
import { callsOf, scriptOf } from '../client/scenario-script.ts';
import type { Texts } from '../console/texts/english.ts';
import { REASON_CODES, REASONS, type Reason } from '../contract/clauses.ts';
import {
  COMMON_ERRORS,
  type ErrorRow,
  INTERNAL_ERROR,
  OPERATIONS,
  type RefusalKind,
  STOPPING,
  STORAGE_UNAVAILABLE,
} from '../contract/errors.ts';
import { FINDING_CODES, FINDINGS } from '../contract/findings.ts';
import { NOT_PROVOKED, REPORT_VERDICT_VALUES } from '../contract/plan-list.ts';
import { CALLED, callbackBody, EXAMPLE_REFUSALS } from '../http/openapi/examples.ts';

/** One meaning of a code. A code may have several: BLACKLISTED is a reason, NOT-FOUND a refusal and a verdict. */
export interface Meaning {
  readonly kind: 'refusal' | 'reason' | 'verdict' | 'finding';
  /** Markdown. */
  readonly text: string;
  readonly advice: string;
  readonly clause?: string;
  /** Of a reason: the party that decides so. */
  readonly decidedBy?: 'beneficiary' | 'enclave';
  /** Id in the catalogue of what provokes it. */
  readonly scenario?: string;
  /** Bodies that show it: what you get as originating VASP, what you answer as beneficiary VASP, what is refused so. */
  readonly bodies?: Readonly<Partial<Record<(typeof BODIES)[number], object>>>;
  /** Operations that answer with a refusal. Empty: every operation. */
  readonly operations?: readonly string[];
}

/** The bodies of a meaning, in the order of the page. */
export const BODIES = ['asOriginator', 'asBeneficiary', 'refused'] as const;

/** The heading of a meaning. */
export const KIND_TEXTS = {
  refusal: 'asRefusal',
  reason: 'asReason',
  verdict: 'asVerdict',
  finding: 'asFinding',
} as const satisfies Record<Meaning['kind'], keyof Texts['guide']>;

/** Every code that an answer, a callback, a listing or a timeline may contain, in the order of the alphabet. */
export function codePages(texts: Texts): ReadonlyMap<string, readonly Meaning[]> {
  const pages = new Map<string, Meaning[]>();
  const add = (code: string, meaning: Meaning) => pages.set(code, [...(pages.get(code) ?? []), meaning]);
  for (const { code, meaning } of refusals(texts)) add(code, meaning);
  for (const code of REASON_CODES) {
    const { meaning, advice } = texts.reasons[code];
    const { result, clause } = REASONS[code];
    const decidedBy = result === 'ERROR' ? 'enclave' : 'beneficiary';
    const scenario = `verify-user: ${code}`;
    const bodies = bodiesOf(code);
    add(code, { kind: 'reason', text: `${result}: ${meaning}`, advice, clause, decidedBy, bodies, scenario });
  }
  for (const code of REPORT_VERDICT_VALUES) {
    const { meaning, advice } = texts.verdicts[code];
    const provoked = (NOT_PROVOKED as readonly string[]).includes(code) ? {} : { scenario: `report: ${code}` };
    add(code, { kind: 'verdict', text: meaning, advice, clause: 'D-24', ...provoked });
  }
  for (const code of FINDING_CODES) {
    const { meaning, advice } = texts.findings[code];
    add(code, { kind: 'finding', text: meaning, advice, clause: FINDINGS[code].clause });
  }
  return new Map([...pages].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One refusal for each code and kind, with the operations that answer so. */
function refusals({ refusals: texts, guide }: Texts): { code: string; meaning: Meaning }[] {
  const found = new Map<string, { row: ErrorRow; kind: RefusalKind; operations: string[] }>();
  for (const [operation, rows] of Object.entries(OPERATIONS))
    for (const [kind, row] of Object.entries(rows) as [RefusalKind, ErrorRow][]) {
      const key = `${row.code} ${row.status} ${kind}`;
      const entry = found.get(key) ?? { row, kind, operations: [] };
      found.set(key, { ...entry, operations: [...entry.operations, operation] });
    }
  for (const [kind, row] of Object.entries(COMMON_ERRORS) as [RefusalKind, ErrorRow][])
    found.set(`${row.code} ${row.status} ${kind}`, { row, kind, operations: [] });
  // First what every operation may answer.
  const ordered = [...found.values()].sort((a, b) => Number(a.operations.length > 0) - Number(b.operations.length > 0));
  const refused = ordered.map(({ row, kind, operations }) => ({
    code: kind === 'missing-field' ? 'MISSING-X' : row.code,
    meaning: {
      kind: 'refusal' as const,
      text: `HTTP ${row.status}. ${texts[kind].meaning}`,
      advice: texts[kind].advice,
      clause: 'REF-7',
      bodies: { refused: { code: row.code, message: row.message ?? EXAMPLE_REFUSALS[kind].message } },
      operations,
    },
  }));
  return [...refused, ...serverErrors(guide)];
}

const serverErrors = ({ internalError, notStored, stopping }: Texts['guide']) =>
  [
    { ...INTERNAL_ERROR, ...internalError },
    { ...STORAGE_UNAVAILABLE, ...notStored },
    { ...STOPPING, ...stopping },
  ].map(({ code, status, meaning, advice }) => ({
    code,
    meaning: { kind: 'refusal' as const, text: `HTTP ${status}. ${meaning}`, advice, operations: [] },
  }));

/** `MISSING-VASP` and its like have one page. */
export const pageOfCode = (code: string): string => (code.startsWith('MISSING-') ? 'MISSING-X' : code);

/** What `message` holds, by its kind. */
const MESSAGES = {
  symbol: 'BTC',
  network: 'Tron',
  address: '0x392C0d694228d85D48eE977a9210D581AD7943C0',
  fields: 'NATURAL_PERSON_NATIONALITY',
  text: 'the cause, in words',
  none: '',
} as const;

/** A reason from both sides. `asBeneficiary` is undefined where the enclave decides. */
function bodiesOf(reason: Reason): { asOriginator: object; asBeneficiary?: object } {
  const { result, message: kind } = REASONS[reason];
  const { callbackType, data } = callbackBody('VERIFICATION_RESULT') as { callbackType: string; data: Data };
  if (reason === 'OK') return { asOriginator: { callbackType, data }, asBeneficiary: CALLED.verifyUser.answer };
  const message = MESSAGES[kind];
  const { verificationUuid } = data;
  return {
    asOriginator: { callbackType, data: { verificationUuid, verificationResult: result, reason, message } },
    ...(result === 'ERROR' ? {} : { asBeneficiary: { result, reason, message } }),
  };
}
interface Data {
  verificationUuid: string;
}

/** Returns the answer of a GET of the own API. */
export type ReadApi = (request: Request) => Promise<Response>;

/**
 * The calls of a scenario for a shell, to the address that the reader uses. Undefined: the sandbox tells its scenarios only to
 * callers with a key.
 */
export async function scenarioScript(readApi: ReadApi, origin: string, id: string): Promise<string | undefined> {
  const answer = await readApi(new Request(`${origin}/sandbox/v1/scenarios`));
  if (!answer.ok) return undefined;
  const { scenarios } = (await answer.json()) as Answers['scenarios'];
  const found = scenarios.find(each => each.id === id);
  return found && scriptOf(callsOf(found, found.steps && !found.steps.ETH ? 'XRP' : 'ETH'), origin, false);
}
