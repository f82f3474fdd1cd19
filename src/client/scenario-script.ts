import type { AssetSymbol } from '../contract/assets.ts';
import { visibleJson } from '../kernel/json.ts';
import { shellWord } from '../kernel/text.ts';
import type { Answers } from './client.ts';

type Scenario = Answers['scenarios']['scenarios'][number];

interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
}

/** The calls of a scenario, one after another. `{name}` stands for the member `name` of the latest answer that has it. */
export function callsOf({ fault, path, requests, steps, advance }: Scenario, symbol: AssetSymbol): readonly Call[] {
  if (steps) return steps[symbol] ?? [];
  return [
    ...(fault ? [{ method: 'PUT' as const, path: '/sandbox/v1/faults', body: fault }] : []),
    ...(requests && path ? [{ method: 'POST' as const, path, body: requests[symbol] }] : []),
    ...(advance ? [{ method: 'POST' as const, path: '/sandbox/v1/clock/advance', body: { duration: advance } }] : []),
  ];
}

/** The calls for a shell that has curl and sed. With `hasKey` the API key stays in its variable. */
export const scriptOf = (calls: readonly Call[], url: string, hasKey: boolean): string =>
  calls
    .map((call, n) => {
      const needed = namesIn(calls.slice(n + 1));
      const run = curl(call, url, hasKey);
      return needed.length === 0 || call.method === 'GET'
        ? run
        : [`answer=$(${run})`, 'echo "$answer"', ...needed.map(remember)].join('\n');
    })
    .join('\n');

const PLACEHOLDER = /\{(\w+)\}/g;

const namesIn = (calls: readonly Call[]): string[] => [
  ...new Set(
    calls.flatMap(({ path, body }) =>
      [...`${path}${JSON.stringify(body)}`.matchAll(PLACEHOLDER)].map(([, name]) => name!),
    ),
  ),
];

/** The latest answer that has the member decides. */
const remember = (name: string): string =>
  `found=$(echo "$answer" | sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'); ${name}=\${found:-$${name}}`;

/** `'…/{name}/…'` -> `'…/'"$name"'/…'` */
const withVariables = (word: string): string => word.replace(PLACEHOLDER, `'"$$$1"'`);

function curl({ method, path, body }: Call, url: string, hasKey: boolean): string {
  const key = hasKey ? ' -H "Authorization: Bearer $ROBOT_VASP_API_KEY"' : '';
  const address = withVariables(shellWord(url + path));
  if (body === undefined) return `curl -s${key} ${address}`;
  const text = withVariables(shellWord(visibleJson(body)));
  return `curl -s -X ${method}${key} -H 'content-type: application/json' ${address} -d ${text}`;
}
