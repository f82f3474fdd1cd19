export type Typed = Record<string, string>;

/** What was typed into the form with these hidden values, when that one was just sent; of others nothing. */
export const typedInto = (sent: Typed | undefined, hidden: Typed): Typed =>
  sent && Object.entries(hidden).every(([name, value]) => sent[name] === value) ? sent : {};
