import type { Client } from '../client/client.ts';
import { parseDuration } from '../kernel/duration.ts';
import { repeat } from '../kernel/interval.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

const PROGRESS_MS = 2_000;

const totalOf = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** On standard error, while a long advance runs. */
async function showProgress(api: Client): Promise<void> {
  const clock = await api.clock().catch(() => undefined);
  if (clock?.advancing) process.stderr.write(`now ${clock.now}, ${totalOf(clock.advancing)} timers fired\n`);
}

export const advance = command({
  name: 'advance',
  summary: 'advances the time of your VASP',
  details: 'First it reads both ledgers, then it runs all due timers. `0s` does only that.',
  argument: { name: '<duration>', meaning: 'for example 10m, 90s or 1h' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp advance 10m', 'robot-vasp advance 0s --json'],
  async run({ argument = '', values, print }) {
    if (parseDuration(argument) === undefined)
      throw wrongUsage(`\`${argument}\` is not a duration. Write for example 10m, 90s or 1h`);
    const api = connect(values);
    const stopShowing = repeat(
      () => PROGRESS_MS,
      () => void showProgress(api),
    );
    const answer = await api.advance(argument).finally(stopShowing);
    const fired = answer.fired.map(({ dueAt, kind, key }) => `  ${dueAt}  ${kind}  ${key}`);
    const more = totalOf(answer.counts) - fired.length;
    print([`now ${answer.now}`, ...fired, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'), answer);
    return 0;
  },
});
