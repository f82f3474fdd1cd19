/** The depth of nested objects and arrays in a JSON text. Reads no value, so that no depth is too much. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') most = Math.max(most, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return most;
}

/** Position of the quote that ends the text which begins at `from`. */
export function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
