/** The place at which a text stops being JSON. Lines and columns begin with 1. */
export interface JsonProblem {
  line: number;
  column: number;
  message: string;
}

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;

/** The first problem of a text that should be JSON. Undefined: it is JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const open: string[] = [];
  let expects: 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'end' = 'value';
  let at = 0;
  const afterValue = () => (open.length === 0 ? ('end' as const) : (', or end' as const));
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const start = at + /^[ \t\r\n]*/.exec(text.slice(at))![0].length;
    const problem = (message: string) => problemAt(text, start, message);
    if (start === text.length)
      return expects === 'end' ? undefined : problem(`the text ends, but ${meaning(expects, open)} should follow`);
    if (!found) return problem(`${meaning(expects, open)} should stand here`);
    const [, mark, name] = found;
    const isValue = mark === undefined;
    if (expects === 'value' || expects === 'value or ]') {
      if (mark === '{') open.push('}');
      else if (mark === '[') open.push(']');
      else if (!isValue && !(mark === ']' && expects === 'value or ]'))
        return problem(`${meaning(expects, open)} should stand here`);
      if (mark === ']') open.pop();
      expects = mark === '{' ? 'name or }' : mark === '[' ? 'value or ]' : afterValue();
    } else if (expects === 'name' || expects === 'name or }') {
      if (mark === '}' && expects === 'name or }') {
        open.pop();
        expects = afterValue();
      } else if (name === undefined) return problem(`${meaning(expects, open)} should stand here`);
      else expects = ':';
    } else if (expects === ':') {
      if (mark !== ':') return problem('a colon should stand here');
      expects = 'value';
    } else if (expects === ', or end' && mark === ',') expects = open.at(-1) === '}' ? 'name' : 'value';
    else if (expects === ', or end' && mark === open.at(-1)) {
      open.pop();
      expects = afterValue();
    } else return problem(`${meaning(expects, open)} should stand here`);
    at = TOKEN.lastIndex;
  }
}

const meaning = (expects: string, open: readonly string[]): string =>
  ({
    value: 'a value',
    'value or ]': 'a value or ]',
    name: 'a name in double quotes',
    'name or }': 'a name in double quotes or }',
    ':': 'a colon',
    ', or end': `a comma or ${open.at(-1)}`,
    end: 'nothing more',
  })[expects]!;

function problemAt(text: string, at: number, message: string): JsonProblem {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1, message };
}
