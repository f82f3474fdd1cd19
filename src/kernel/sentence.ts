/** The text with one full stop at its end. */
export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
