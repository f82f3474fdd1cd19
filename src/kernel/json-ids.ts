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
