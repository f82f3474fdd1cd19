/** The first characters of a text, and how many more it had. */
export const cutText = (text: string | null, most: number): string | null =>
  text === null || text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters are not kept)`;
