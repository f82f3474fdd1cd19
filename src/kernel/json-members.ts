import { endOfText } from './json-depth.ts';

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

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/** The path of the first member that its object has twice. Undefined: there is none. */
export function repeatedMember(text: string): string | undefined {
  const levels: Level[] = [];
  for (const [token, name, isMember] of text.matchAll(TOKENS)) {
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
