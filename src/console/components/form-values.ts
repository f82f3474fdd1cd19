export type FormValues = Record<string, string>;

/** The values of the sent form, if its hidden fields match. Of any other form: nothing. */
export const valuesOfForm = (sent: FormValues | undefined, hidden: FormValues): FormValues =>
  sent && Object.entries(hidden).every(([name, value]) => sent[name] === value) ? sent : {};
