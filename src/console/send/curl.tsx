import { Copyable } from '../components/copyable.tsx';

interface Curl {
  method: string;
  url: string;
  body?: unknown;
  /** Of a VASP that signed in with a key of its own. Never the key itself. */
  needsKey?: boolean;
}

/** The request as a command to copy. */
export const Curl = (request: Curl) => (
  <div class="curl">
    <Copyable text={curlText(request)} what="the command" />
  </div>
);

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlText = ({ method, url, body, needsKey }: Curl): string =>
  [
    `curl -s${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $API_KEY"`] : []),
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
