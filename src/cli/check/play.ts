import type { Order } from '../../client/calls.ts';
import type { Client } from '../../client/client.ts';
import type { ModuleReport, RunReport, Waiting } from '../../contract/plans.ts';
import { systemClock } from '../../kernel/clock.ts';
import { hasFailed, nameOf } from '../../plans/outcome.ts';
import { pause } from '../../timers/loop.ts';
import { type Interrupted, whenInterrupted } from '../output.ts';

const LOOK_EVERY_MS = 500;
/** A driver acts before that. */
const SHOWN_AFTER_LOOKS = 3;

interface Terminal {
  print(text: string): unknown;
  progress(text: string): void;
  /** What the terminal may show of a report: without persons, unless they are wanted. */
  shown(report: RunReport): RunReport;
}

/**
 * Starts the run and prints every module as it ends. The first signal stops the run, a second one ends the process.
 * `interrupted`: the exit code where a signal has stopped the run.
 */
export async function play(
  api: Client,
  order: Order<'startRun'>,
  { print, progress, shown }: Terminal,
): Promise<{ report: RunReport; interrupted: Interrupted | undefined }> {
  const started = api.startRun(order);
  let interrupted: Interrupted | undefined;
  const callOff = whenInterrupted(code => {
    interrupted = code;
    started.then(({ id }) => api.stopRun(id)).catch(() => {});
  });
  try {
    const { id } = await started;
    const printed = new Set<number>();
    /** What is masked in the sentences of a module stands in its exchanges. */
    const shownModules = async (positions: readonly number[]): Promise<Map<number, ModuleReport>> => {
      if (positions.length === 0) return new Map();
      const report = await api.run(id, { exchangesOf: positions.join() });
      const shownOf = (module: ModuleReport) => shown({ ...report, causes: [], modules: [module] }).modules[0]!;
      return new Map(positions.map(position => [position, shownOf(report.modules[position]!)]));
    };
    const showWaiting = prompts(print);
    for (;;) {
      const { modules, ...run } = await api.run(id, { exchangesOf: '' });
      if (run.problem) break;
      const isNew = ({ status, result }: ModuleReport, position: number) =>
        status !== 'CREATED' && result !== null && !printed.has(position);
      const ended = [...modules.keys()].filter(position => isNew(modules[position]!, position));
      const waiting = modules.findIndex(({ status }) => status === 'WAITING');
      const told = await shownModules([...ended, ...(waiting < 0 ? [] : [waiting])]);
      for (const position of ended) {
        printed.add(position);
        print(linesOf(told.get(position)!).join('\n'));
      }
      progress(progressText(modules));
      showWaiting(told.get(waiting)?.waiting);
      if (run.endedAt !== null) break;
      await pause(LOOK_EVERY_MS);
    }
    return { report: await api.run(id), interrupted };
  } finally {
    callOff();
  }
}

/** `37 of 122, W3.c ETH` */
function progressText(modules: RunReport['modules']): string {
  const finished = modules.filter(({ status }) => status === 'FINISHED').length;
  const running = modules.filter(({ status }) => status === 'RUNNING' || status === 'WAITING').map(nameOf);
  return [`${finished} of ${modules.length}`, ...running].join(', ');
}

/** Prints what a person has to do, and calls that came close. */
function prompts(print: (text: string) => unknown): (waiting: Waiting | null | undefined) => void {
  let instruction: string | undefined;
  let looks = 0;
  let shown = 0;
  return waiting => {
    if (waiting?.instruction !== instruction) [instruction, looks, shown] = [waiting?.instruction, 0, 0];
    if (!waiting || ++looks < SHOWN_AFTER_LOOKS) return;
    if (looks === SHOWN_AFTER_LOOKS) print(`WAITING  ${waiting.instruction} ${timeLeft(waiting)}`);
    for (const { fields } of waiting.nearMisses.slice(shown))
      print(`         A call came close: ${fields.map(differenceText).join(', ')}. ${timeLeft(waiting)}`);
    shown = waiting.nearMisses.length;
  };
}

const differenceText = ({ field, expected, got }: Waiting['nearMisses'][number]['fields'][number]): string =>
  `${field} is ${got} instead of ${expected}`;

const timeLeft = ({ until }: Waiting): string =>
  `(${Math.max(0, Math.round((Date.parse(until) - systemClock.now()) / 1000))} s left, until ${until})`;

function linesOf(module: ModuleReport): string[] {
  const { id, symbol = '', title, result, skippedBecause, note, durationMs, conditions } = module;
  const time = durationMs === null ? '' : `  ${durationMs} ms`;
  const shown = conditions.filter(each => hasFailed(each) || each.result === 'WARNING' || each.result === 'REVIEW');
  return [
    `${(result ?? '').padEnd(8)} ${`${id} ${symbol}`.padEnd(9)} ${title}${time}`,
    ...[skippedBecause, note].flatMap(text => (text ? [`         ${text}`] : [])),
    ...shown.map(
      each =>
        `         ${each.result} ${each.id} (${each.clause}): ${each.text}${sentence('Expected', each.expected)}${sentence('Got', each.got)}`,
    ),
  ];
}

const sentence = (what: string, text: string | null): string => (text ? ` ${what}: ${text.replace(/\.$/, '')}.` : '');
