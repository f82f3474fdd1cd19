import type { Answers } from '../../client/client.ts';
import { questionOf } from '../../contract/vasp-api.ts';
import type { Texts } from './english.ts';

type TimelineEvent = Pick<Answers['timeline']['timeline'][number], 'what' | 'event' | 'cause' | 'detail'>;

/**
 * An event in the language of the page: by its code, with the members of its detail. The API has it in English. `say`
 * translates its `{cause}`.
 */
export function eventText(
  { what, event, cause, detail = {} }: TimelineEvent,
  texts: Texts,
  say: (text: string) => string,
): string {
  const code = { finding: texts.findings, report: texts.verdicts }[what] as Texts['reasons'] | undefined;
  const row = code?.[event as keyof Texts['reasons']];
  if (row) return what === 'report' ? `${row.meaning} ${row.advice}` : row.meaning;
  const text = texts.events[`${what}.${event}`] ?? texts.events[what === 'timer' ? `timer.${detail.kind}` : what];
  const values: Record<string, unknown> = { ...detail, cause: say(cause) };
  return (text ?? '{cause}').replace(/\{(\w+)\}/g, (_, member: string) => String(values[member] ?? '–'));
}

/** `verify-user` is a call of the VASP, `asks you: verify-user` one to it. */
export const callText = (operation: string, { exchange }: Texts): string => {
  const question = questionOf(operation);
  return question === undefined ? operation : exchange.asksYou.replace('{question}', question);
};

export const timerText = ({ kind, why }: { kind: string; why: string }, { events }: Texts): string =>
  events[`timer.${kind}`] ?? why;
