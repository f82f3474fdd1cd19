import { type Client, client } from '../client/client.ts';
import { NO_TLS, NOT_TRUSTED, servedAt, TLS_ALERT, useNoProxyForLoopback } from '../kernel/hosts.ts';
import { parseJson } from '../kernel/json.ts';
import { limitedText } from '../kernel/text-file.ts';
import { EXIT_CODES, Failure, type Options, wrongUsage } from './command.ts';
import { isAddress } from './input.ts';

/** Options of all commands that call a running sandbox. */
export const CONNECTION = {
  url: {
    value: '<url>',
    meaning: 'address of the sandbox, also by PORT and HOST',
    default: 'http://127.0.0.1:8080',
    env: 'ROBOT_VASP_URL',
    // D-53: beside the `.env` of a sandbox every command talks to that one.
    configured: ({ HOST, PORT }) => (HOST || PORT ? servedAt(HOST || '127.0.0.1', PORT || '8080') : undefined),
  },
  'api-key': {
    value: '<key>',
    meaning: 'key of a registered VASP (without it: the configured VASP)',
    env: 'ROBOT_VASP_API_KEY',
  },
} as const satisfies Options;

export const CONNECTION_EXITS = { 3: EXIT_CODES[3], 4: EXIT_CODES[4] } as const;

interface Connection {
  url: string;
  'api-key': string | undefined;
  headers?: Readonly<Record<string, string>>;
}

type Send = (request: Request) => Promise<Response>;

/** A client that throws a `Failure` with code 3 if the address does not answer. */
export function connect(connection: Connection, signal: AbortSignal | null = null): Client {
  const url = addressOf(connection.url);
  useNoProxyForLoopback();
  const send: Send = request =>
    fetch(request, signal ? { signal } : {}).catch(error => Promise.reject(unreachable(url, error)));
  let isRobotVasp = false;
  return client(url, {
    ...(connection['api-key'] === undefined ? {} : { apiKey: keyOf(connection['api-key']) }),
    ...(connection.headers ? { headers: connection.headers } : {}),
    async send(request) {
      if (!isRobotVasp) await requireRobotVasp(url, send);
      isRobotVasp = true;
      return send(request);
    },
  });
}

/** Throws a `Failure` with code 3 where another program answers. */
async function requireRobotVasp(url: string, send: Send): Promise<void> {
  const response = await send(new Request(`${url}/readyz`));
  if (await isReadiness(response)) return;
  const type = response.headers.get('content-type') ?? 'no content type';
  throw new Failure(
    3,
    'NOT-ROBOT-VASP',
    `the server at ${url} is no robot-vasp (GET /readyz answers ${response.status}, ${type}). Set the address of the sandbox with --url.`,
  );
}

/** Another program may answer without an end. */
const MAX_MIB = 1;

async function isReadiness(response: Response): Promise<boolean> {
  const body = await limitedText(response, MAX_MIB).then(parseJson, () => undefined);
  const { status } = (body ?? {}) as { status?: unknown };
  return status === 'READY' || status === 'NOT-READY';
}

const LOOK_MS = 2_000;
const isRobotVasp = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) }).then(isReadiness, () => false);

function unreachable(url: string, error: Error): Failure {
  const { code, message } = (error.cause ?? error) as Error & { code?: string | number };
  const why = typeof code === 'string' ? code : message;
  const [, problem, advice] = UNREACHABLE.find(([pattern]) => pattern.test(why))!;
  return new Failure(3, 'UNREACHABLE', `${problem} ${url} (${why}). ${advice}`);
}

/** The first match counts. */
const UNREACHABLE: readonly [pattern: RegExp, problem: string, advice: string][] = [
  [NO_TLS, 'no TLS is spoken at', 'Write http:// instead of https://.'],
  [TLS_ALERT, 'TLS is refused at', 'Look at the log there: it may want a certificate, or another version of TLS.'],
  [NOT_TRUSTED, 'there is no trust in', 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its CA.'],
  [
    /^bad port$/,
    'nobody answers at',
    'Neither browsers nor this program call this port. Start the sandbox at another with `robot-vasp serve --port 8080`, or set its address with --url.',
  ],
  [/^/, 'nobody answers at', 'Start the sandbox with `robot-vasp serve`, or set its address with --url.'],
];

function addressOf(text: string): string {
  // It may hold a password.
  if (/[?#@]/.test(text))
    throw wrongUsage('--url: write the address without a user, `?` and `#`. The key is given by --api-key');
  if (!isAddress(text))
    throw wrongUsage(`--url: \`${text}\` is not an address. Write for example http://127.0.0.1:8080`);
  return text.replace(/\/+$/, '');
}

/** Never prints the key. */
function keyOf(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw wrongUsage('--api-key may hold only printable ASCII without spaces. Check the key');
  return text;
}

/** Where port and address to listen on are set. `or`: what else helps where the port is taken. */
interface ListensAt {
  port: string;
  host: string;
  or?: string;
}
type ListenError = NodeJS.ErrnoException & { address?: string; port?: number };
const OF_THE_PORT = ['EADDRINUSE', 'EACCES'];

/** Throws a `Failure` with what to set where nobody can listen, and any other error as it is. */
export const cannotListen =
  ({ port, host, or = '' }: ListensAt) =>
  async (error: ListenError): Promise<never> => {
    const { code = 'LISTEN', message, syscall = '' } = error;
    // The system looks the name of a host up first.
    if (!['listen', 'getaddrinfo'].includes(syscall)) throw error;
    const isOurs = code === 'EADDRINUSE' && (await isRobotVasp(servedAt(error.address!, error.port!)));
    const advice = OF_THE_PORT.includes(code)
      ? `${isOurs ? 'A robot-vasp runs there. Stop it, or set' : 'Set'} ${port} to a free port${or}.`
      : `Set ${host} to an address of this machine.`;
    throw new Failure(1, code, `${message}. ${advice}`);
  };
