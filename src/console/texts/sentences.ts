/**
 * Sentences of the API in another language. A key is the English sentence with `{}` for each of its values; `{0}` of the
 * translation is the first of them, in words of its own where it is a sentence, too. What has no key stays as it is.
 */
export function translatorOf(sentences: Readonly<Record<string, string>>): (text: string) => string {
  const own = new Map(Object.entries(sentences));
  const patterns = Object.entries(sentences)
    .map(([english, translated]) => ({ pieces: english.split('{}'), translated }))
    .sort((one, other) => other.pieces.join('').length - one.pieces.join('').length);

  const whole = (text: string): string | undefined => {
    for (const { pieces, translated } of patterns) {
      const values = valuesIn(text, pieces)?.map(translate);
      if (values && !values.some(value => IS_PROSE.test(value)))
        return translated.replace(/\{(\d)\}/g, (_, position: string) => values[+position] ?? '');
    }
    return undefined;
  };
  const translate = (text: string): string =>
    own.get(text.trim()) ??
    whole(text.trim()) ??
    text
      .split(SENTENCES)
      .map(each => whole(each) ?? each)
      .join(' ');
  return translate;
}

/** English words, not a name, an address or a code: around them a translation would be half of one. */
const IS_PROSE = /(?<![\w`-])[a-z]{2,} [a-z]{2,}(?![\w`-])/;
const SENTENCES = /(?<=\.) (?=\p{Lu})/u;

/** What stands between the pieces: never several sentences. Undefined: it is another sentence. */
function valuesIn(text: string, pieces: readonly string[]): string[] | undefined {
  const [first = '', ...others] = pieces;
  if (!text.startsWith(first)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const [position, piece] of others.entries()) {
    const isLast = position === others.length - 1;
    const at = isLast ? text.length - piece.length : text.indexOf(piece, from);
    if (at <= from - 1 || (isLast && !text.endsWith(piece))) return undefined;
    values.push(text.slice(from, at));
    from = at + piece.length;
  }
  return from === text.length && !values.some(value => SENTENCES.test(value)) ? values : undefined;
}
