import type { RunReport } from '../../contract/plans.ts';
import { cutText } from '../../kernel/text.ts';
import { withTexts } from '../outcome.ts';

/** Characters of all conditions together that are shown whole: a person reads no more, and the work is bounded. */
const MAX_WHOLE = 200_000;
/** Characters that each text may have in a report that is larger. */
const LIMITS = [100, 20];

/**
 * A report for a reader who takes `maxBytes` at most. Where it is larger, its texts are cut, and `note` says so. `others`:
 * characters that it shows besides those of the conditions.
 */
export function fitted(
  report: RunReport,
  maxBytes: number,
  render: (report: RunReport, note?: string) => string,
  others = 0,
): string {
  const isLong = charactersOf(report) > MAX_WHOLE || others > maxBytes;
  let text = isLong ? undefined : render(report);
  for (const maxLength of LIMITS) {
    if (text !== undefined && Buffer.byteLength(text) <= maxBytes) break;
    text = render(
      cut(report, maxLength),
      `Texts are cut to ${maxLength} characters here, so that this file stays readable. The JSON report has more of them.`,
    );
  }
  return text!;
}

const charactersOf = ({ modules }: RunReport): number =>
  modules
    .flatMap(({ conditions }) => conditions)
    .reduce((all, { expected, got }) => all + (expected?.length ?? 0) + (got?.length ?? 0), 0);

function cut(report: RunReport, maxLength: number): RunReport {
  const shown = <T extends string | null>(text: T): T => cutText(text, maxLength);
  return {
    ...report,
    causes: report.causes.map(each => ({ ...each, title: shown(each.title) })),
    modules: report.modules.map(module => ({
      ...withTexts(module, shown, shown),
      exchanges: module.exchanges.map(each => ({
        ...each,
        request: shown(each.request),
        response: shown(each.response),
      })),
    })),
  };
}
