/** Controls, formats, fillers, variation selectors, and every blank but the ordinary one. */
export const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffe\uffff]|\u034f|(?! )\p{Zs}/gu;

export const codePointOf = (character: string): string =>
  `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Shows what nobody sees: `Robbins⟨U+200B⟩`. */
export const withInvisible = (text: string): string => text.replace(INVISIBLE, codePointOf);
