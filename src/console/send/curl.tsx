import { Copyable } from '../components/text.tsx';
import { useTexts } from '../texts/languages.ts';

interface Curl {
  method: string;
  url: string;
  body?: unknown;
  /** The VASP signed in with its own key. The command names a variable, never the key. */
  needsKey?: boolean;
  /** Names of the headers that hold a token. */
  tokens?: readonly string[];
}

export const Curl = (request: Curl) => (
  <div class="curl">
    <Copyable text={curlText(request)} label={useTexts().exchange.command} />
  </div>
);

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlText = ({ method, url, body, needsKey, tokens = [] }: Curl): string =>
  [
    `curl -s${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $API_KEY"`] : []),
    ...tokens.map(name => `-H "${name}: ${name === 'authorization' ? 'Bearer ' : ''}$TOKEN"`),
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d ${quoted(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`,
        ]),
  ].join(' \\\n  ');
