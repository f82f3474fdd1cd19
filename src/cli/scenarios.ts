import type { Answers } from '../client/client.ts';
import { callsOf, scriptOf } from '../client/scenario-script.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { didYouMean } from '../kernel/text.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

type Scenario = Answers['scenarios']['scenarios'][number];

export const scenarios = command({
  name: 'scenarios',
  summary: 'lists all scenarios, or prints the requests of one',
  argument: { name: '<id>', meaning: 'prints the requests of this scenario as curl commands', isOptional: true },
  options: {
    ...CONNECTION,
    symbol: {
      value: '<symbol>',
      meaning: `asset of the requests: ${ASSET_SYMBOLS.join(' or ')}`,
      choices: ASSET_SYMBOLS,
      default: 'ETH',
    },
  },
  exits: CONNECTION_EXITS,
  examples: [
    'robot-vasp scenarios',
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' --symbol XRP",
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' | bash",
  ],
  async run({ argument, values, print, printList }) {
    const { symbol, 'api-key': key } = values;
    const api = connect(values);
    const { scenarios: all } = await api.scenarios();
    if (argument === undefined) {
      printList(listOf(all), all);
      return 0;
    }
    const found = find(all, argument);
    const calls = callsOf(found, symbol);
    const lines = [...explained(found), scriptOf(calls, api.url, key !== undefined)];
    print(lines.join('\n'), { ...found, symbol, requests: calls });
    return 0;
  },
});

function find(all: readonly Scenario[], id: string): Scenario {
  const found = all.find(each => each.id === id);
  if (found) return found;
  const sameName = all.find(each => each.id.endsWith(`: ${id}`));
  const suggestion = sameName
    ? ` Did you mean \`${sameName.id}\`?`
    : didYouMean(
        id,
        all.map(each => each.id),
      );
  throw wrongUsage(`there is no scenario \`${id}\`.${suggestion} \`robot-vasp scenarios\` lists all`);
}

function listOf(all: readonly Scenario[]): string {
  const width = Math.max(...all.map(({ id }) => id.length));
  return all.map(({ id, how }) => `${id.padEnd(width)}  ${how}`).join('\n');
}

/** As shell comments. */
const explained = ({ how, user, expect }: Scenario): string[] => [
  `# ${how} (user: ${user})`,
  ...(expect ? [`# expect ${JSON.stringify(expect)}`] : []),
];
