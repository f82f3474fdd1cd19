/** The text as one word of a POSIX shell: nothing in it runs, and nothing is replaced. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
