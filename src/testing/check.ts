import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ALL_SETTINGS, VARIABLES, type Variable } from '../app/config/config.ts';
import type { Client, RobotUser } from '../client/client.ts';
import type { CallbackType } from '../contract/callbacks.ts';
import type { DriverRequest } from '../contract/customers.ts';
import type { RunReport } from '../contract/plans.ts';
import { robotUserRequest, userRequest } from '../contract/sample-requests.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { defined } from '../kernel/json.ts';
import { didYouMean } from '../kernel/text.ts';
import { FOREIGN } from '../sandbox/scenarios/provocations.ts';
import { pause } from '../timers/loop.ts';
import type {
  Received,
  RequestInput,
  RobotCheckOptions,
  RobotDriver,
  RobotMailbox,
  RobotOptions,
  RobotRequests,
  WaitOptions,
} from './robot.ts';

const LOOK_EVERY_MS = 100;

/** Starts a run and resolves with its report. A function becomes a driver endpoint of this process. */
export async function checkWith(api: Client, { driver, ...order }: RobotCheckOptions = {}): Promise<RunReport> {
  const served = typeof driver === 'function' ? await serveDriver(driver) : undefined;
  const address = typeof driver === 'function' ? { url: served!.url } : driver;
  try {
    const { id } = await api.startRun({ unattended: true, ...order, driver: address });
    for (;;) {
      const { endedAt } = await api.run(id, { exchangesOf: '' });
      if (endedAt !== null) return await api.run(id);
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    served?.close();
  }
}

async function serveDriver(driver: RobotDriver): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST') return answer(404, { code: 'NOT-FOUND' });
    json(request)
      .then(order => driver(order as DriverRequest))
      .then(
        result => (result === 'not-supported' ? answer(501, { code: 'NOT-SUPPORTED' }) : answer(200, result ?? {})),
        error => answer(500, { code: 'DRIVER-FAILED', message: String(error) }),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const DEFAULTS: Partial<Record<Variable, string>> = {
  PORT: '0',
  DATABASE_PATH: ':memory:',
  LOG_LEVEL: 'error',
  XRPL_CLOSE_INTERVAL: '100ms',
};

/** The options that set a variable, by their paths: they stand at the same place of the configuration. */
export const OPTION_OF: Readonly<Record<string, string>> = Object.fromEntries(
  ALL_SETTINGS.filter(({ path }) => path.startsWith('vasp.')).map(({ variable, path }) => [variable, path]),
);

/** Options -> variables of the configuration. `vasp` overrides `env`. Throws `TypeError` on an unknown name. */
export function environmentOf(options: RobotOptions): Record<string, string> {
  const { vasp = {}, env = {} } = options;
  requireKnown('createRobot', options, ['vasp', 'referenceVasp', 'env']);
  requireKnown('env', env, VARIABLES);
  for (const [where, given] of [
    ['vasp', vasp],
    ['vasp.endpoints', vasp.endpoints ?? {}],
    ['vasp.authorization', vasp.authorization ?? {}],
  ] as const)
    requireKnown(where, given, namesBelow(where));
  const own = Object.entries(OPTION_OF).map(([variable, path]) => [variable, valueAt(options, path)] as const);
  return defined({ ...DEFAULTS, ...env, ...defined(Object.fromEntries(own)) });
}

/** `vasp.endpoints` -> `verifyUser`, … */
const namesBelow = (where: string): string[] => {
  const below = Object.values(OPTION_OF).filter(path => path.startsWith(`${where}.`));
  return [...new Set(below.map(path => path.slice(where.length + 1).split('.')[0]!))];
};

const valueAt = (options: object, path: string): string | undefined =>
  path.split('.').reduce<unknown>((part, name) => (part as Container | undefined)?.[name], options) as
    | string
    | undefined;

/** In JavaScript a mistyped name would be ignored, and the test would test something else. Throws `TypeError`. */
function requireKnown(where: string, given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).filter(name => !names.includes(name));
  if (unknown.length === 0) return;
  const each = unknown.map(name => `\`${name}\` is unknown.${didYouMean(name, names)}`);
  throw new TypeError(`${where}: ${each.join(' ')} Known are ${names.join(', ')}.`);
}

const WAIT_MS = 5_000;
/** Limit of one request. */
const LONGEST_POLL_MS = 60_000;

export function mailboxOf(api: Client): RobotMailbox {
  return { wait: options => wait(api, options), all: () => all(api) };
}

async function wait<T extends CallbackType>(api: Client, options: WaitOptions<T> = {}): Promise<Received<T>> {
  requireKnown('mailbox.wait', options, ['type', 'verificationUuid', 'after', 'timeout']);
  const { type, verificationUuid, after, timeout } = options;
  const limitMs = timeout === undefined ? WAIT_MS : parseDuration(timeout);
  if (limitMs === undefined)
    throw new TypeError(`timeout: \`${timeout}\` is not a duration. Write for example \`5s\` or \`250ms\``);
  const query = { type, verificationUuid, after };
  const end = elapsedMs() + limitMs;
  for (;;) {
    const left = Math.max(0, Math.min(Math.ceil(end - elapsedMs()), LONGEST_POLL_MS));
    const { callbacks } = await api.mailbox({ ...query, wait: `${left}ms` });
    const [first] = callbacks;
    if (first) return first as unknown as Received<T>;
    if (elapsedMs() >= end) throw new Error(await timeoutMessage(api, query, limitMs));
  }
}

async function timeoutMessage(api: Client, query: WaitOptions, limitMs: number): Promise<string> {
  const { type = 'callback', verificationUuid, after } = query;
  const about = verificationUuid === undefined ? '' : ` for ${verificationUuid}`;
  const since = after === undefined ? '' : ` after ${after}`;
  const received = (await all(api)).map(
    ({ id, callbackType, data }) => `  ${id}: ${callbackType} for ${data.verificationUuid}`,
  );
  const others = received.length === 0 ? 'The mailbox is empty.' : `The mailbox holds:\n${received.join('\n')}`;
  return `No ${type}${about}${since} within ${formatDuration(limitMs)}. ${others}`;
}

async function all(api: Client): Promise<Received[]> {
  const found: Received[] = [];
  for (let after = '0'; ; ) {
    const { callbacks, next } = await api.mailbox({ after });
    if (callbacks.length === 0) return found;
    found.push(...(callbacks as unknown as Received[]));
    after = next;
  }
}

const INPUT = ['symbol', 'amount', 'user', 'with'] satisfies (keyof RequestInput)[];
const USER = 'taylor-robbins';
const AMOUNT = '0.024';

interface Parties {
  vaspId: string;
  robotVaspId: string;
  user(id: string): RobotUser;
}

export const requestsOf = ({ vaspId, robotVaspId, user }: Parties): RobotRequests => ({
  withdrawal(input = {}) {
    requireKnown('requests.withdrawal', input, [...INPUT, 'from']);
    const { symbol = 'ETH', amount = AMOUNT, user: id = USER, from = FOREIGN[symbol], with: changes } = input;
    return changed(userRequest({ robotVaspId, user: user(id), symbol, amount, from }), changes);
  },
  deposit(input = {}) {
    requireKnown('requests.deposit', input, [...INPUT, 'to']);
    const { symbol = 'ETH', amount = AMOUNT, user: id = USER, to = FOREIGN[symbol], with: changes } = input;
    return changed(robotUserRequest({ vaspId, user: user(id), symbol, amount, to }), changes);
  },
});

/** Changes members of a request by their paths, such as `assetInfo.network` or `originator.originatorPersons[0]`. */

const SHORT: Record<string, string> = {
  originator: 'payload.ivms101.originator',
  beneficiary: 'payload.ivms101.beneficiary',
};
type Container = Record<string, unknown>;

/** `undefined` removes the member. Throws `RangeError` where the path leads nowhere: a mistyped change would test nothing. */
function changed<R extends object>(request: R, changes: Readonly<Record<string, unknown>> = {}): R {
  const copy = structuredClone(request);
  for (const [path, value] of Object.entries(changes)) change(copy as Container, path, value);
  return copy;
}

function change(request: Container, path: string, value: unknown): void {
  const names = namesOf(path);
  const last = names.pop()!;
  const container = names.reduce<unknown>((part, name) => {
    const inside = isContainer(part) ? part[name] : undefined;
    if (isContainer(inside)) return inside;
    const members = isContainer(part) ? Object.keys(part).join(', ') : 'none';
    throw new RangeError(`with: \`${path}\` leads nowhere. Instead of \`${name}\` there is: ${members}`);
  }, request) as Container;
  if (value === undefined) delete container[last];
  else container[last] = structuredClone(value);
}

function namesOf(path: string): string[] {
  const [first = '', ...others] = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  return [...(SHORT[first] ?? first).split('.'), ...others];
}

const isContainer = (part: unknown): part is Container => typeof part === 'object' && part !== null;
