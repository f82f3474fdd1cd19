import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, isAssetSymbol } from '../contract/assets.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { type Judged, judge, textOf } from './scenarios/judge.ts';
import type { Scenario } from './scenarios/play.ts';

const RUN = 'run';

interface Call {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
}

export const scenarios = command({
  name: 'scenarios',
  summary: 'lists all scenarios, prints the requests of one, or runs and judges them',
  details: '`run` sends the requests, moves the time of your VASP where needed, and compares the outcome.',
  argument: {
    name: '<id>|run',
    meaning: 'id of a scenario: prints its requests as curl commands; `run` plays scenarios',
    choices: ['run'],
    isOptional: true,
  },
  moreArguments: [{ name: '<id>', meaning: 'after `run`: the scenario to play', isOptional: true }],
  options: {
    ...CONNECTION,
    all: { meaning: 'after `run`: play all scenarios' },
    symbol: {
      value: '<symbol>',
      meaning: `asset of the requests: ${ASSET_SYMBOLS.join(' or ')}`,
      default: 'ETH',
    },
  },
  exits: { 1: 'a scenario did not end as expected', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp scenarios',
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' --symbol XRP",
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' | bash",
    "robot-vasp scenarios run 'report: WRONG-AMOUNT'",
    'robot-vasp scenarios run --all --symbol XRP',
  ],
  async run({ argument, moreArguments: [id], values, print, progress }) {
    const { symbol, all: isAll, 'api-key': key } = values;
    if (!isAssetSymbol(symbol)) throw wrongUsage(`--symbol must be ${ASSET_SYMBOLS.join(' or ')}`);
    const isRun = argument === RUN;
    if (!isRun && (isAll || id !== undefined))
      throw wrongUsage('--all and a second argument need `run` first');
    if (isRun && (id === undefined) !== isAll) throw wrongUsage('after `run`, give either <id> or --all');
    const api = connect(values);
    const { scenarios: all } = await api.scenarios();
    if (isRun) {
      const chosen = id === undefined ? all : [find(all, id)];
      return runAll(api, chosen, symbol, { print, progress });
    }
    if (argument === undefined) {
      print(listOf(all), { scenarios: all });
      return 0;
    }
    const found = find(all, argument);
    const calls = callsOf(found, symbol);
    const lines = [...explained(found), ...calls.map(call => curl(api.url, key !== undefined, call))];
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

interface Output {
  print(text: string, machine: unknown): void;
  progress(text: string): void;
}

async function runAll(
  api: Client,
  chosen: readonly Scenario[],
  symbol: AssetSymbol,
  { print, progress }: Output,
): Promise<0 | 1> {
  const counts: Record<Judged['result'], number> = { PASSED: 0, FAILED: 0, SKIPPED: 0 };
  for (const scenario of chosen) {
    progress(`playing ${scenario.id}`);
    const judged = await judge(api, scenario, symbol);
    counts[judged.result] += 1;
    print(textOf(judged), judged);
  }
  if (chosen.length > 1)
    print(`${counts.PASSED} passed, ${counts.FAILED} failed, ${counts.SKIPPED} skipped`, counts);
  return counts.FAILED === 0 ? 0 : 1;
}

function listOf(all: readonly Scenario[]): string {
  const width = Math.max(...all.map(({ id }) => id.length));
  return all.map(({ id, how }) => `${id.padEnd(width)}  ${how}`).join('\n');
}

const callsOf = ({ fault, path, requests }: Scenario, symbol: AssetSymbol): Call[] => [
  ...(fault ? [{ method: 'PUT' as const, path: '/sandbox/v1/faults', body: fault }] : []),
  ...(requests && path ? [{ method: 'POST' as const, path, body: requests[symbol] }] : []),
];

/** As shell comments. */
const explained = ({ how, user, advance, expect }: Scenario): string[] => [
  `# ${how} (user: ${user})`,
  ...(advance ? [`# then: robot-vasp advance ${advance}`] : []),
  ...(expect ? [`# expect ${JSON.stringify(expect)}`] : []),
];

/** A shell command. The key stays in its variable. */
function curl(url: string, hasKey: boolean, { method, path, body }: Call): string {
  const authorization = hasKey ? `-H "Authorization: Bearer $ROBOT_VASP_API_KEY" ` : '';
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -s -X ${method} ${authorization}-H 'content-type: application/json' ${url}${path} -d '${quoted}'`;
}
