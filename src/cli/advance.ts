import type { Client } from '../client/client.ts';
import { parseDuration } from '../kernel/duration.ts';
import { repeat } from '../kernel/interval.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

const PROGRESS_MS = 900;

const totalOf = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

async function readProgress(api: Client, show: (text: string) => void): Promise<void> {
  const clock = await api.clock().catch(() => undefined);
  if (clock?.advancing) show(`now ${clock.now}, ${totalOf(clock.advancing)} timers fired`);
}

export const advance = command({
  name: 'advance',
  summary: 'advances the time of your VASP',
  details:
    'First it reads both ledgers, then it runs all due timers. `0s` does only that. The clocks of robots that have joined go with it.',
  argument: { name: '<duration>', meaning: 'for example 10m, 90s or 1h' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp advance 10m', 'robot-vasp advance 0s --json'],
  async run({ argument = '', values, print, progress }) {
    if (parseDuration(argument) === undefined)
      throw wrongUsage(`\`${argument}\` is not a duration. Write for example 10m, 90s or 1h`);
    const api = connect(values);
    const stopReading = repeat(
      () => PROGRESS_MS,
      () => void readProgress(api, progress),
    );
    const answer = await api.advance(argument).finally(stopReading);
    const fired = answer.fired.map(({ dueAt, kind, key }) => `  ${dueAt}  ${kind}  ${key}`);
    const more = totalOf(answer.counts) - fired.length;
    const late = answer.behind.map(
      ({ vaspId, name, why }) => `  the clock of ${name} (${vaspId}) stays behind: ${why}`,
    );
    const text = [`now ${answer.now}`, ...fired, ...(more > 0 ? [`  and ${more} more`] : []), ...late];
    print(text.join('\n'), answer);
    return 0;
  },
});
