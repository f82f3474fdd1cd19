import type { RunOrder } from '../../client/answers.ts';
import { type Client, Refused } from '../../client/client.ts';
import type { ModuleReport, RunReport } from '../../contract/plans.ts';
import { hasFallen } from '../../plans/outcome.ts';
import { pause } from '../../timers/loop.ts';
import { Failure } from '../command.ts';

const LOOK_EVERY_MS = 500;
/** A driver acts before that. */
const SHOWN_AFTER_LOOKS = 3;

/** Starts the run and prints every module as it ends. An interrupt stops the run. */
export async function play(api: Client, order: RunOrder, print: (text: string) => void): Promise<RunReport> {
  const { id } = await api.startRun(order).catch(error => {
    if (error instanceof Refused) throw new Failure(4, error.code ?? 'REFUSED', error.message);
    throw error;
  });
  const stop = () => void api.stopRun(id).catch(() => {});
  process.once('SIGINT', stop);
  try {
    const printed = new Set<number>();
    let instruction: string | undefined;
    let looks = 0;
    for (;;) {
      const report = await api.run(id);
      report.modules.forEach((module, position) => {
        if (module.status === 'CREATED' || module.result === null || printed.has(position)) return;
        printed.add(position);
        print(linesOf(module).join('\n'));
      });
      const waiting = report.modules.find(each => each.status === 'WAITING')?.waiting ?? undefined;
      looks = waiting && waiting.instruction === instruction ? looks + 1 : 0;
      if (waiting && looks === SHOWN_AFTER_LOOKS)
        print(`WAITING  ${waiting.instruction} (until ${waiting.until})`);
      instruction = waiting?.instruction;
      if (report.endedAt !== null) return report;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    process.off('SIGINT', stop);
  }
}

function linesOf(module: ModuleReport): string[] {
  const { id, symbol = '', title, result, skippedBecause, note, durationMs, conditions } = module;
  const time = durationMs === null ? '' : `  ${durationMs} ms`;
  const shown = conditions.filter(
    each => hasFallen(each) || each.result === 'WARNING' || each.result === 'REVIEW',
  );
  return [
    `${(result ?? '').padEnd(8)} ${`${id} ${symbol}`.padEnd(9)} ${title}${time}`,
    ...[skippedBecause, note].flatMap(text => (text ? [`         ${text}`] : [])),
    ...shown.map(
      each =>
        `         ${each.result} ${each.id} (${each.clause}): ${each.text}${sentence('Expected', each.expected)}${sentence('Got', each.got)}`,
    ),
  ];
}

const sentence = (what: string, text: string | null): string =>
  text ? ` ${what}: ${text.replace(/\.$/, '')}.` : '';
