import { INVISIBLE, withInvisible } from './text.ts';

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

const LONGEST_PATH = 200;

/** A message may show this path of a member. */
export const isShownPath = (path: string): boolean => path.length <= LONGEST_PATH && path.isWellFormed();

/** A sentence about a member that came twice: readers differ in which one counts. Undefined: there is none. */
export function repetitionIn(text: string): string | undefined {
  const path = repeatedMember(text);
  if (path === undefined) return undefined;
  return isShownPath(path) ? `\`${path}\` came twice.` : 'A member came twice.';
}

interface Level {
  /** Undefined: of a list. */
  names: Set<string> | undefined;
  /** The name or the place of the value that is being read. */
  step: string | number;
  /** The next text is the name of a member. */
  isBeforeName: boolean;
}

/** The path of the first member that an object of the JSON text has twice. Undefined: there is none. */
export function repeatedMember(text: string): string | undefined {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const start = at;
      at = endOfText(text, at);
      if (!level?.isBeforeName) continue;
      level.isBeforeName = false;
      const name = text.slice(start + 1, at);
      level.step = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
      if (level.names!.has(level.step)) return pathOf(levels);
      level.names!.add(level.step);
    } else if (character === ',' && level) {
      level.isBeforeName = level.names !== undefined;
      if (typeof level.step === 'number') level.step += 1;
    } else if (character === '{' || character === '[') {
      const isObject = character === '{';
      level = { names: isObject ? new Set() : undefined, step: isObject ? '' : 0, isBeforeName: isObject };
      levels.push(level);
    } else if (character === '}' || character === ']') {
      levels.pop();
      level = levels.at(-1);
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

/** By its name: as a second number it would be the index of a `map`. */
interface MaxDepth {
  maxDepth?: number;
}

/** Undefined: the text is no JSON, or has more than `maxDepth` nested levels. */
export function parseJson(text: string, { maxDepth }: MaxDepth = {}): unknown {
  try {
    return maxDepth !== undefined && jsonDepth(text) > maxDepth ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same, or the text itself. */
export function jsonOrText(text: string, most: MaxDepth = {}): unknown {
  const value = parseJson(text, most);
  return value === undefined ? text : value;
}

/** JSON that a terminal may show and another program reads: characters that nobody sees are escaped. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(INVISIBLE, found => (found === '\n' ? found : escaped(found)));

const escaped = (found: string): string =>
  found
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The members that are not undefined. */
export const defined = <V>(members: Readonly<Record<string, V | undefined>>): Record<string, V> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
