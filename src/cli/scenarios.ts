import { ASSET_SYMBOLS, isAssetSymbol } from '../contract/assets.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const scenarios = command({
  name: 'scenarios',
  summary: 'lists everything that can be provoked, or shows the request that does it',
  argument: { name: '<id>', meaning: 'of a scenario: its request as a curl command', isOptional: true },
  options: {
    ...CONNECTION,
    symbol: { value: '<symbol>', meaning: `of the request: ${ASSET_SYMBOLS.join(' or ')}`, default: 'ETH' },
  },
  exits: CONNECTION_EXITS,
  examples: [
    'robot-vasp scenarios',
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' --symbol XRP",
    "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' | bash",
  ],
  async run({ argument, values, print }) {
    const { symbol } = values;
    if (!isAssetSymbol(symbol)) throw wrongUsage(`--symbol: ${ASSET_SYMBOLS.join(' or ')}`);
    const api = connect(values);
    const { scenarios: all } = await api.scenarios();
    if (argument === undefined) {
      const width = Math.max(...all.map(({ id }) => id.length));
      print(all.map(({ id, how }) => `${id.padEnd(width)}  ${how}`).join('\n'), { scenarios: all });
      return 0;
    }
    const found = all.find(({ id }) => id === argument);
    if (!found) throw wrongUsage(`there is no scenario \`${argument}\`: \`robot-vasp scenarios\` lists them`);
    const { requests, path, ...rest } = found;
    if (!requests || path === undefined) {
      print(`# ${found.id}: ${found.how}`, rest);
      return 0;
    }
    const body = requests[symbol];
    const told = [
      `# ${found.how}`,
      ...(found.advance ? [`# then: robot-vasp advance ${found.advance}`] : []),
    ];
    const expected = found.expect ? [`# leads to ${JSON.stringify(found.expect)}`] : [];
    const request = { method: 'POST', path, body };
    print([...told, ...expected, curl(api.url + path, values['api-key'] !== undefined, body)].join('\n'), {
      ...rest,
      symbol,
      request,
    });
    return 0;
  },
});

/** To be pasted into a shell. A key stays in its variable. */
function curl(url: string, hasKey: boolean, body: object): string {
  const authorization = hasKey ? `-H "Authorization: Bearer $ROBOT_VASP_API_KEY" ` : '';
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -s ${authorization}-H 'content-type: application/json' ${url} -d '${quoted}'`;
}
