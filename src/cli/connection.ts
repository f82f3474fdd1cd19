import { type Client, client, Refused } from '../client/client.ts';
import { EXIT_CODES, Failure, wrongUsage } from './command.ts';

/** Options of all commands that call a running sandbox. */
export const CONNECTION = {
  url: {
    value: '<url>',
    meaning: 'address of the sandbox',
    default: 'http://127.0.0.1:8080',
    env: 'ROBOT_VASP_URL',
  },
  'api-key': {
    value: '<key>',
    meaning: 'key of a registered VASP (without it: the configured VASP)',
    env: 'ROBOT_VASP_API_KEY',
  },
} as const;

export const CONNECTION_EXITS = { 3: EXIT_CODES[3], 4: EXIT_CODES[4] } as const;

export interface Connection {
  url: string;
  'api-key': string | undefined;
}

/** A client that throws a `Failure`: 3 if the address does not answer, 4 if the sandbox refuses. */
export function connect(connection: Connection): Client {
  const url = addressOf(connection.url);
  const api = client(url, {
    ...(connection['api-key'] === undefined ? {} : { apiKey: keyOf(connection['api-key']) }),
    send: request => fetch(request).catch(error => Promise.reject(unreachable(url, error))),
  });
  return Object.fromEntries(
    Object.entries(api).map(([name, method]) => [
      name,
      typeof method === 'function' ? (...args: never[]) => withFailures(method as never, args) : method,
    ]),
  ) as unknown as Client;
}

async function withFailures(method: (...args: never[]) => Promise<unknown>, args: never[]): Promise<unknown> {
  try {
    return await method(...args);
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
    `${url} does not answer (${code ?? message}). Start the sandbox with \`robot-vasp serve\`, or set its address with --url.`,
  );
}

function addressOf(text: string): string {
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress)
    throw wrongUsage(`--url: \`${text}\` is not an address. Write for example http://127.0.0.1:8080`);
  return text.replace(/\/+$/, '');
}

/** Never prints the key. */
function keyOf(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw wrongUsage('--api-key may hold only printable ASCII without spaces. Check the key');
  return text;
}
