/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MOST_KEPT = 65_536;

export const cut = (text: string | null): string | null =>
  text === null || text.length <= MOST_KEPT
    ? text
    : `${text.slice(0, MOST_KEPT).toWellFormed()}… (${text.length - MOST_KEPT} more characters are not kept)`;
