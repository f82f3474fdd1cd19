import { CALLBACK_TYPES } from '../../contract/callbacks.ts';
import { REASON_CODES, RESULT_VALUES } from '../../contract/clauses.ts';
import type { EvidenceExchange, ModuleReport, RunReport } from '../../contract/plans.ts';
import { withTexts } from '../outcome.ts';
import { causesOf } from '../report-of.ts';

/**
 * A report names no person. A value of a message stands only if its member is listed here and the value has the listed
 * form: everything else is `***`. So a member that nobody thought of is masked. What a message holds is masked in the
 * sentences of the report, too.
 */

const MASK = '***';

const UUID = /^[0-9a-f-]{32,36}$/i;
const CODE = /^[A-Z][A-Z0-9_-]{0,63}$/;
const DECIMAL = /^-?\d{1,78}(?:\.\d{1,78})?(?:e[+-]?\d{1,3})?$/i;
const TRUTH = /^(?:true|false)$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)$/;
const ACCOUNT = /^(?:0x[0-9a-f]{40}|r[1-9A-HJ-NP-Za-km-z]{24,34}(?::\d{1,10})?)$/i;
const HASH = /^(?:0x)?[0-9a-f]{64}$/i;
/** Of IVMS101: `LEGL`, `RAID`, `BIRT`. */
const TYPE = /^[A-Z]{4}$/;
/** Right names, and those that people write instead. */
const NETWORK =
  /^(?:Ethereum|Ether|ETH|ERC-?20|Ripple|XRP|XRPL|XRP Ledger)(?:[ _-]?(?:mainnet|testnet|devnet|sepolia))?$/i;
const CODES = /^[A-Z_]{4,40}(?:\s*,\s*[A-Z_]{4,40})*$/;
const ID = /^\d{1,24}$/;

const membersOf = (form: RegExp, ...members: string[]) => members.map(member => [member, form] as const);
const MAY_STAND = new Map<string, RegExp>([
  ...membersOf(UUID, 'verificationUuid', 'uuid', 'requestId', 'runId'),
  ...membersOf(CODE, 'callbackType', 'result', 'verificationResult', 'accountVerificationResult', 'reason'),
  ...membersOf(CODE, 'code', 'status', 'transactionStatus', 'symbol', 'tradeCurrency', 'keyType', 'actionType'),
  ...membersOf(CODE, 'health', 'riskScore', 'severity', 'alertLevel', 'action', 'module'),
  ...membersOf(DECIMAL, 'amount', 'tradePrice', 'vout', 'count', 'page', 'rpp', 'alertCount', 'value'),
  ...membersOf(TRUTH, 'isExceedingThreshold', 'omitTxReport', 'exceedingThreshold'),
  ...membersOf(TIME, 'createdAt', 'verifiedAt', 'orderedAt', 'tradeISODatetime', 'timestamp', 'answerBy'),
  ...membersOf(ACCOUNT, 'accountNumber', 'originatorAccountNumber', 'beneficiaryAccountNumber', 'address'),
  ...membersOf(HASH, 'txHash'),
  ...membersOf(TYPE, 'nameIdentifierType', 'legalPersonNameIdentifierType', 'localNameIdentifierType'),
  ...membersOf(TYPE, 'nationalIdentifierType', 'addressType'),
  ...membersOf(NETWORK, 'network'),
  ...membersOf(CODES, 'requiredBeneficiaryInfo'),
  ...membersOf(ID, 'vaspId', 'originatingVaspId', 'beneficiaryVaspId', 'oppositeVaspId', 'verificationId'),
  ...membersOf(/^\d{1,4}(?:\.\d{1,4}){0,2}$/, 'version'),
]);

const mayStand = (member: string | undefined, value: string): boolean =>
  (member !== undefined && MAY_STAND.get(member)?.test(value)) === true;

/** A text, also one that was cut; a number; a word of JSON; what holds them together; anything else. */
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|([\s[\]{},:]+)|([^\s"[\]{},:]+)/g;
const BEGINS_LIKE_JSON = /^\s*[[{"]/;
const NAME_OF_MEMBER = /^[A-Za-z_$][\w$.-]{0,63}$/;

/** A body with its shape. One that was cut is no JSON, and one may hold another as a text. `onMasked` gets what is masked. */
export function maskedBody(body: string | null, onMasked: (value: string) => void = () => {}): string | null {
  if (body === null) return null;
  if (!BEGINS_LIKE_JSON.test(body)) return `${MASK} (not JSON, ${body.length} characters)`;
  const members: (string | undefined)[] = [undefined];
  const kept = (value: string, as: string): string => {
    if (mayStand(members.at(-1), value)) return as;
    onMasked(value);
    return JSON.stringify(MASK);
  };
  return body.replace(TOKEN, (all, quoted, colon, number, word, between) => {
    if (between !== undefined) return nested(members, between);
    if (number !== undefined) return kept(number, number);
    if (word !== undefined) return word === 'null' ? word : kept(word, word);
    if (quoted === undefined) return MASK;
    const value = textOf(quoted);
    if (colon === undefined) return isMessage(value) ? JSON.stringify(maskedBody(value, onMasked)) : kept(value, all);
    members[members.length - 1] = value;
    return NAME_OF_MEMBER.test(value) ? all : `"${MASK}"${colon}`;
  });
}

const isMessage = (value: string): boolean => /^\s*[[{]/.test(value);

/** The elements of a list belong to the member of the list. */
function nested(members: (string | undefined)[], between: string): string {
  for (const sign of between) {
    if (sign === '{') members.push(undefined);
    if (sign === '[') members.push(members.at(-1));
    if ((sign === '}' || sign === ']') && members.length > 1) members.pop();
  }
  return between;
}

/** As it is meant. One that was cut, or has a wrong escape, as it stands. */
function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.replace(/^"|"$/g, '');
  }
}

/** The values of its query, and what is no ordinary part of a path. */
function maskedAddress(url: string, onMasked: (value: string) => void): string {
  const mask = (value: string) => {
    onMasked(decoded(value));
    return MASK;
  };
  const [, origin = '', path = '', query] = /^(\w+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/.exec(url)!;
  const segments = path.split('/').map(each => (/^[\w.:-]*$/.test(each) ? each : mask(each)));
  const pairs = query?.split('&').map(pair => {
    const [name = '', value] = pair.split(/=(.*)/s);
    if (value === undefined) return NAME_OF_MEMBER.test(name) ? name : mask(name);
    return `${name}=${mayStand(name, decoded(value)) ? value : mask(value)}`;
  });
  return origin + segments.join('/') + (pairs ? `?${pairs.join('&')}` : '');
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

/** Words of the contract, as networks are: a VASP may also send them where a name belongs. */
const OWN_WORDS = new Set<string>([...RESULT_VALUES, ...REASON_CODES, ...CALLBACK_TYPES, 'true', 'false']);
/** What stands in sentences for itself: a short number, a single letter. */
const IS_PLAIN = /^(?:[\d.,-]{0,4}|.)$/su;

/** The report without the data of persons. The shape of every message stays. */
export function masked(report: RunReport): RunReport {
  const values = new Set<string>();
  const onMasked = (value: string) => {
    const words = value.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (!IS_PLAIN.test(words) && !OWN_WORDS.has(words) && !NETWORK.test(words)) values.add(words);
  };
  const modules = report.modules.map(module => ({
    ...module,
    exchanges: module.exchanges.map(each => ({
      ...each,
      url: maskedAddress(each.url, onMasked),
      request: maskedBody(each.request, onMasked),
      response: isRefusal(each) ? each.response : maskedBody(each.response, onMasked),
    })),
  }));
  const sentence = withoutValues(values);
  const shown = modules.map(module => maskedSentences(module, sentence));
  return {
    ...report,
    ...(report.problem ? { problem: { ...report.problem, message: sentence(report.problem.message) } } : {}),
    causes: causesOf(shown),
    modules: shown,
  };
}

/** The sandbox has written it. */
const isRefusal = ({ direction, status }: EvidenceExchange): boolean => direction === 'IN' && (status ?? 0) >= 400;

type Sentence = <T extends string | null>(text: T) => T;

/** What the modules say of the messages that they have seen. */
const maskedSentences = (module: ModuleReport, sentence: Sentence): ModuleReport => ({
  ...withTexts(module, sentence, maskedDifference),
  exchanges: module.exchanges.map(each => ({
    ...each,
    error: sentence(each.error),
    response: isRefusal(each) ? sentence(each.response) : each.response,
  })),
});

/** `field`: `assetInfo.amount`, `beneficiary.accountNumber[0]` */
const maskedDifference = (value: string, field: string): string =>
  mayStand(/(\w+)(?:\[\d+\])*$/.exec(field)?.[1], value) ? value : MASK;

const WORDS = /[\p{L}\p{N}]+/gu;
/** Each character by itself: of `İ` and `ß` one case is longer, and that of `Σ` depends on what follows. */
const folded = (text: string): string => [...text].map(each => each.toUpperCase().toLowerCase()).join('');
const firstWord = (text: string): string => folded(text).match(WORDS)?.[0] ?? '';

/** The end of a text that `cutText` has cut. */
const CUT = / \u2026 \(cut: \d+ more characters\)$/;

/** How much of the text from a place on is the folded value, as a whole word or up to `cutAt`. 0: it is not there. */
function lengthThere(text: string, at: number, value: string, cutAt: number | undefined): number {
  let left = value;
  let end = at;
  while (left !== '' && end !== cutAt) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    const same = folded(character);
    if (end >= text.length || !left.startsWith(same)) return 0;
    left = left.slice(same.length);
    end += character.length;
  }
  return left === '' && /^[\p{L}\p{N}]/u.test(text.slice(end)) ? 0 : end - at;
}

/** Replaces the masked values where they stand as whole words, without regard to case. */
function withoutValues(values: ReadonlySet<string>): Sentence {
  const byFirstWord = new Map<string, string[]>();
  for (const value of [...values].sort((one, other) => other.length - one.length)) {
    const word = firstWord(value);
    byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), folded(value)]);
  }
  return <T extends string | null>(text: T): T => {
    if (text === null) return text;
    let left = '';
    let from = 0;
    const cutAt = CUT.exec(text)?.index;
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      const lengthOf = (value: string) => lengthThere(text, index, value, cutAt);
      const value = index < from ? undefined : byFirstWord.get(firstWord(word))?.find(lengthOf);
      const length = value === undefined ? 0 : lengthOf(value);
      if (length === 0) continue;
      left += text.slice(from, index) + MASK;
      from = index + length;
    }
    return (left + text.slice(from)) as T;
  };
}
