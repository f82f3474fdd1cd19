import { withInvisible } from './text.ts';

/** The depth of nested objects and arrays in a JSON text. Reads no value, so that no depth is too much. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/** Position of the quote that ends the text which begins at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const ESCAPED_BACKSLASH = String.raw`\\`;
const HALF_OF_A_PAIR = /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i;

/** False: an escape in the JSON text is half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => !HALF_OF_A_PAIR.test(text.replaceAll(ESCAPED_BACKSLASH, ' '));

/**
 * A JSON-RPC id is returned as it came. JavaScript rounds a long number, so a program reads such an id as a text, and its
 * answer has the number again.
 */
export interface WholeIds {
  /** The request to read. */
  text: string;
  restored(answer: string): string;
}

const AS_IT_CAME = { restored: (answer: string) => answer };
/** Numbers that JavaScript may write in another way. */
const MAY_CHANGE = /"id"\s*:\s*(?:-0|-?\d{16}|-?\d+[.eE])/;
const TOKENS = /"id"\s*:\s*(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}])|"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;
/** JSON writes it escaped, as no client does. */
const MARK = '\\u0001id ';
const MARKED = /"\\u0001id (\d+)"/g;

/** `deepest`: the most objects and lists around an id. */
export function wholeIds(text: string, deepest: number): WholeIds {
  if (!MAY_CHANGE.test(text)) return { text, ...AS_IT_CAME };
  const ids: string[] = [];
  let depth = 0;
  const marked = text.replace(TOKENS, (token, id?: string) => {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (id === undefined || depth > deepest || String(Number(id)) === id) return token;
    return `"id":"${MARK}${ids.push(id) - 1}"`;
  });
  if (ids.length === 0) return { text, ...AS_IT_CAME };
  return { text: marked, restored: answer => answer.replace(MARKED, (whole, index) => ids[Number(index)] ?? whole) };
}

/** The number of members of all objects in a JSON text, also of those that another one of the same name replaces. */
export function membersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === ':') count += 1;
  }
  return count;
}

/** Those of a value that was read from such a text: fewer, where a member came twice. */
const membersOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, each) => sum + membersOf(each),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );

const LONGEST_PATH = 200;

/** A sentence about a member that came twice: readers differ in which one counts. Undefined: there is none. */
export function repetitionIn(text: string, value: unknown): string | undefined {
  if (membersOf(value) === membersIn(text)) return undefined;
  const path = repeatedMember(text) ?? '';
  return path.length <= LONGEST_PATH && path.isWellFormed() ? `\`${path}\` came twice.` : 'A member came twice.';
}

interface Level {
  names: Set<string>;
  /** The name or the place of the value that is being read. */
  step: string | number;
}

const JSON_MEMBERS_TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/** The path of the first member that its object has twice. Undefined: there is none. */
export function repeatedMember(text: string): string | undefined {
  const levels: Level[] = [];
  for (const [token, name, isMember] of text.matchAll(JSON_MEMBERS_TOKENS)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), step: '' });
    else if (token === '[') levels.push({ names: new Set(), step: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (!level) return undefined;
    else if (token === ',' && typeof level.step === 'number') level.step += 1;
    else if (isMember !== undefined) {
      level.step = JSON.parse(name!) as string;
      if (level.names.has(level.step)) return pathOf(levels);
      level.names.add(level.step);
    }
  }
  return undefined;
}

const pathOf = (levels: readonly Level[]): string =>
  levels.map(({ step }, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step}`)).join('');

/** Why a text is not JSON, in the words of Node.js, which name the line only in later versions. Undefined: it is JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = (error as Error).message.replace(/ in JSON at position (\d+).*$/s, (_, at: string) => {
      const before = text.slice(0, Number(at)).split('\n');
      return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
    });
    return withInvisible(message.replace(/[ \t\r\n]+/g, ' '));
  }
}

/** Undefined: the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members that are not undefined. */
export const defined = <V>(members: Readonly<Record<string, V | undefined>>): Record<string, V> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
