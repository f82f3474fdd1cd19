import { type Client, client, Refused } from '../client/client.ts';
import { EXIT_CODES, Failure, wrongUsage } from './command.ts';

/** Options of every command that talks to a running sandbox. */
export const CONNECTION = {
  url: {
    value: '<url>',
    meaning: 'where it runs',
    default: 'http://127.0.0.1:8080',
    env: 'ROBOT_VASP_URL',
  },
  'api-key': {
    value: '<key>',
    meaning: 'of a registered VASP; without it you are the VASP of the configuration',
    env: 'ROBOT_VASP_API_KEY',
  },
} as const;

export const CONNECTION_EXITS = { 3: EXIT_CODES[3], 4: EXIT_CODES[4] } as const;

export interface Connection {
  url: string;
  'api-key': string | undefined;
}

/** Its methods throw a `Failure`: 3 when nobody answers at the address, 4 when the sandbox refuses. */
export function connect(connection: Connection): Client {
  const url = addressOf(connection.url);
  const api = client(url, {
    ...(connection['api-key'] === undefined ? {} : { apiKey: keyOf(connection['api-key']) }),
    send: request => fetch(request).catch(error => Promise.reject(unreachable(url, error))),
  });
  return Object.fromEntries(
    Object.entries(api).map(([name, method]) => [
      name,
      typeof method === 'function' ? (...given: never[]) => answered(method as never, given) : method,
    ]),
  ) as unknown as Client;
}

async function answered(method: (...given: never[]) => Promise<unknown>, given: never[]): Promise<unknown> {
  try {
    return await method(...given);
  } catch (error) {
    if (error instanceof Refused) throw new Failure(4, error.code ?? `HTTP-${error.status}`, error.message);
    throw error;
  }
}

function unreachable(url: string, error: Error): Failure {
  const { code, message } = (error.cause ?? error) as Error & { code?: string };
  return new Failure(
    3,
    'UNREACHABLE',
    `nobody answers at ${url} (${code ?? message}). Start it with \`robot-vasp serve\`, or name another address with --url.`,
  );
}

function addressOf(text: string): string {
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress) throw wrongUsage(`--url: \`${text}\` is not an address such as http://127.0.0.1:8080`);
  return text.replace(/\/+$/, '');
}

/** It is never echoed. */
function keyOf(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw wrongUsage('--api-key is not printable ASCII without blanks');
  return text;
}
