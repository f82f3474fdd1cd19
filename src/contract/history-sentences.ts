/** Of events that say the same each time: the history keeps their values, and the sentence is made where it is read. */
const SENTENCES: Readonly<Record<string, (values: Record<string, unknown>) => string>> = {
  'verification begin': () => 'user verification requested',
  'verification verified': () => 'the beneficiary VASP answered VERIFIED',
  'callback begin': ({ callbackType }) => `${callbackType} is queued`,
};

export const sentenceOf = ({ machine, event, detail }: { machine: string; event: string; detail?: unknown }): string =>
  SENTENCES[`${machine} ${event}`]?.((detail ?? {}) as Record<string, unknown>) ?? event;
