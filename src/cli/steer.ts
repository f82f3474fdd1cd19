import { type Answers, type Client, Refused } from '../client/client.ts';
import { callsOf, scriptOf } from '../client/scenario-script.ts';
import { applySetup, parseSetup, readSetup, type Setup, setupText } from '../client/setup.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { isUuid } from '../contract/text.ts';
import { repeat } from '../kernel/clock.ts';
import { parseDuration } from '../kernel/duration.ts';
import { didYouMean } from '../kernel/text.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import { requireWritable, textOf, writeText } from './input.ts';

const PROGRESS_MS = 900;

const totalOf = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

async function readProgress(api: Client, show: (text: string) => void): Promise<void> {
  const clock = await api.clock().catch(() => undefined);
  if (clock?.advancing) show(`now ${clock.now}, ${totalOf(clock.advancing)} timers fired`);
}

export const advance = command({
  name: 'advance',
  summary: 'advances the time of your VASP',
  details:
    'First it reads both ledgers, then it runs all due timers. `0s` does only that. The clocks of robots that have joined go with it.',
  argument: { name: '<duration>', meaning: 'for example 10m, 90s or 1h' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp advance 10m', 'robot-vasp advance 0s --json'],
  async run({ argument = '', values, print, progress }) {
    if (parseDuration(argument) === undefined)
      throw wrongUsage(`\`${argument}\` is not a duration. Write for example 10m, 90s or 1h`);
    const api = connect(values);
    const stopReading = repeat(
      () => PROGRESS_MS,
      () => void readProgress(api, progress),
    );
    const answer = await api.advance(argument).finally(stopReading);
    const fired = answer.fired.map(({ dueAt, kind, key }) => `  ${dueAt}  ${kind}  ${key}`);
    const more = totalOf(answer.counts) - fired.length;
    const late = answer.behind.map(
      ({ vaspId, name, why }) => `  the clock of ${name} (${vaspId}) stays behind: ${why}`,
    );
    const text = [`now ${answer.now}`, ...fired, ...(more > 0 ? [`  and ${more} more`] : []), ...late];
    print(text.join('\n'), answer);
    return 0;
  },
});

type Held = Awaited<ReturnType<ReturnType<typeof connect>['resumeChain']>>['held'][number];
const heldText = ({ name, account, number, to, amount, reference }: Held): string =>
  to === null
    ? `  held: ${name}: payments of ${account} that were not found`
    : `  held: ${name}: number ${number} of ${account} has paid ${amount} to ${to}${reference === null ? '' : ` (InvoiceID ${reference})`}`;

export const chain = command({
  name: 'chain',
  summary: 'goes on with a chain that is CHAIN-RESTARTED, or with accounts of the robot that are held',
  details:
    'CHAIN-RESTARTED: open verifications on it end as ERROR, unfinished transfers become CANCELED, deposits stay as history, balances start at zero. An account whose payments no transfer explains pays nothing: each is printed, and --accept lets go of those that it names.',
  argument: { name: '<resume>', meaning: 'what to do with the chain', choices: ['resume'] },
  moreArguments: [{ name: '<ETH|XRP>', meaning: 'symbol of the chain', choices: ASSET_SYMBOLS }],
  options: {
    accept: { value: '<names>', meaning: 'payments to let go of, by their names, separated by commas' },
    ...CONNECTION,
  },
  exits: { 1: 'payments still hold accounts; each has a line', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp chain resume ETH',
    'robot-vasp chain resume XRP --json',
    'robot-vasp chain resume ETH --accept 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  ],
  async run({ moreArguments: [symbol = ''], values, print }) {
    const accept = values.accept?.split(',') ?? [];
    const answer = await connect(values).resumeChain(symbol, { accept });
    const { resumed, endedVerifications, canceledTransfers, releasedPayments, held } = answer;
    const done =
      releasedPayments > 0
        ? `${symbol}: ${releasedPayments} payments hold no account any more`
        : `${symbol} goes on with the new chain: ${endedVerifications} verifications ended, ${canceledTransfers} transfers were canceled`;
    const lines = held.map(heldText);
    print([resumed ? done : `${symbol} did not start over: nothing was changed`, ...lines].join('\n'), answer);
    return held.length > 0 ? 1 : 0;
  },
});

export const deposit = command({
  name: 'deposit',
  summary: 'lets the robot send you a deposit: it verifies, gets money, pays and reports',
  progress: 'the robot pays',
  options: {
    amount: { value: '<amount>', meaning: 'amount, decimal text', default: '0.5' },
    symbol: { value: '<symbol>', meaning: ASSET_SYMBOLS.join(' or '), choices: ASSET_SYMBOLS, default: 'ETH' },
    to: { value: '<address>', meaning: 'address of your customer; default: the one of the newest deposit' },
    'last-name': { value: '<name>', meaning: 'last name of your customer, with --first-name' },
    'first-name': { value: '<name>', meaning: 'first name of your customer' },
    user: { value: '<id>', meaning: 'the user of the robot who pays; default: one who can' },
    ...CONNECTION,
  },
  exits: { 1: 'a step failed; its line says what to do', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp deposit --amount 0.5 --symbol ETH',
    'robot-vasp deposit --symbol XRP --to r…:7 --last-name Moss --first-name Kate',
  ],
  async run({ values, print }) {
    const { amount, symbol, to, user, 'last-name': lastName, 'first-name': firstName } = values;
    if ((lastName === undefined) !== (firstName === undefined))
      throw wrongUsage('give both --last-name and --first-name, or none');
    const answer = await connect(values).sendTransfer({
      symbol,
      amount,
      ...(user === undefined ? {} : { user }),
      ...(to === undefined ? {} : { to }),
      ...(lastName === undefined || firstName === undefined ? {} : { customer: { lastName, firstName } }),
    });
    const lines = answer.steps.map(
      ({ step, done, text, calls }) =>
        `${done ? 'done  ' : 'failed'}  ${step.padEnd(6)}  ${[text, ...calls.map(commandFor)].join(' ')}`,
    );
    print(lines.join('\n'), answer);
    return answer.done ? 0 : 1;
  },
});

type Callback = Answers['replay'];

export const replay = command({
  name: 'replay',
  summary: 'sends a callback to your VASP again',
  details: 'Pending callbacks are not touched. `GET /sandbox/v1/callbacks` shows the outcome.',
  argument: { name: '<callback id>', meaning: 'id from the list of callbacks', isOptional: true },
  options: { ...CONNECTION, 'all-given-up': { meaning: 'all callbacks with status GIVEN-UP' } },
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp replay 17', 'robot-vasp replay --all-given-up'],
  async run({ argument, values, print }) {
    if ((argument === undefined) !== values['all-given-up'])
      throw wrongUsage('give either <callback id> or --all-given-up');
    const api = connect(values);
    const ids = argument === undefined ? await givenUp(api) : [argument];
    const replayed: Callback[] = [];
    for (const id of ids) replayed.push(await api.replay(id));
    const lines = replayed.map(each => `${each.id}: ${each.callbackType} for ${each.verificationUuid}: ${each.status}`);
    print(lines.length === 0 ? 'no callback has status GIVEN-UP' : lines.join('\n'), { replayed });
    return 0;
  },
});

async function givenUp(api: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page: Answers['callbacks'] = await api.callbacks({ status: 'GIVEN-UP', after });
    ids.push(...page.callbacks.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

const VERBS = ['export', 'import'] as const;
export const setup = command({
  name: 'setup',
  summary: 'writes users and faults of your VASP to one file, or reads them from it',
  details: '`import` adds to what is there. The robot chooses the addresses of users, so they differ elsewhere.',
  argument: { name: '<export|import>', meaning: 'write or read the file', choices: VERBS },
  moreArguments: [{ name: '<file>', meaning: 'the file, JSON' }],
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp setup export setup.json', 'robot-vasp setup import setup.json'],
  async run({ argument: verb, moreArguments: [file = ''], values, print }) {
    if (verb === 'export') await requireWritable(file);
    const api = connect(values);
    const content = verb === 'export' ? await readSetup(api) : parsed(textOf(file), file);
    if (verb === 'export') await writeText(file, setupText(content));
    else await applySetup(api, content);
    const counts = { users: Object.keys(content.users).length, faults: content.faults.length };
    print(`${verb}ed ${counts.users} users and ${counts.faults} faults`, { file, ...counts });
    return 0;
  },
});

function parsed(content: string, file: string): Setup {
  const found = parseSetup(content);
  if (found) return found;
  throw wrongUsage(`${file} is no file of \`robot-vasp setup export\``);
}

export const status = command({
  name: 'status',
  summary: 'shows readiness, chains and problems of a sandbox',
  options: CONNECTION,
  exits: { 1: 'it runs but is not ready', ...CONNECTION_EXITS },
  examples: ['robot-vasp status', 'robot-vasp status --json'],
  async run({ values, print }) {
    const api = connect(values);
    const health = await api.health();
    const chains = health.chains.map(
      ({ symbol, network, head, why }) => `  ${symbol}  ${network}: ${why ?? `block ${head}`}`,
    );
    const attention = health.attention.map(({ what, text }) => `  ${what}: ${text}`);
    const lines = [
      health.ready ? `ready at ${api.url}` : `not ready at ${api.url}: ${health.missing.join('; ')}`,
      ...chains,
      ...(attention.length === 0 ? [] : ['needs attention:', ...attention]),
    ];
    print(lines.join('\n'), { url: api.url, ...health });
    return health.ready ? 0 : 1;
  },
});

export const why = command({
  name: 'why',
  summary: 'explains why a verification is in its state, and what to do',
  argument: { name: '<uuid>', meaning: 'verificationUuid; `robot-vasp verifications` lists them' },
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp why 4a1f0c7e-0a52-4f4c-9d5f-5f5b0c1f7a11'],
  async run({ argument = '', values, print }) {
    const answer = await connect(values)
      .why(argument)
      .catch(error => Promise.reject(unknown(error, argument)));
    const steps = answer.next.map((step, index) => [step, commandFor(answer.calls[index])].filter(Boolean).join(' '));
    const next = steps.length === 0 ? ['Nothing is left to do.'] : steps;
    print(
      [answer.what, ...answer.facts.map(fact => `  ${fact}`), 'What to do:', ...next.map(step => `  ${step}`)].join(
        '\n',
      ),
      answer,
    );
    return 0;
  },
});

/** A call as the command that makes it, or as itself. */
function commandFor(call: Answers['why']['calls'][number] | undefined): string | undefined {
  if (!call) return undefined;
  const [, id] = /^\/sandbox\/v1\/callbacks\/(\d+)\/replay$/.exec(call.path) ?? [];
  if (id) return `\`robot-vasp replay ${id}\``;
  const [, uuid] = /^\/sandbox\/v1\/verifications\/([^/]+)\/why$/.exec(call.path) ?? [];
  if (uuid) return `\`robot-vasp why ${uuid}\``;
  const { symbol, to } = call.body ?? {};
  if (call.path === '/sandbox/v1/transfers')
    return `\`robot-vasp deposit --symbol ${symbol} ${to ? `--to ${to} --last-name <name> --first-name <name>` : '--to <address>'}\``;
  return `\`${call.method} ${call.path}${call.body ? ` ${JSON.stringify(call.body)}` : ''}\``;
}

/** An identifier that this VASP does not have. */
const unknown = (error: unknown, id: string): unknown =>
  error instanceof Refused && error.status === 404
    ? new Failure(
        4,
        error.code ?? 'NOT-FOUND',
        `${error.reason}${isUuid(id) ? '' : ': it is no UUID'}. \`robot-vasp verifications\` lists those of your VASP`,
      )
    : error;

/** Pages of the console by the name that the command takes. */
const PAGES = {
  overview: '',
  tests: '/tests',
  ivms101: '/ivms101',
  verifications: '/verifications',
  callbacks: '/callbacks',
  exchanges: '/exchanges',
  money: '/money',
  assessments: '/assessments',
  timers: '/timers',
  faults: '/faults',
  chains: '/chains',
  users: '/users',
  checks: '/checks',
  send: '/send',
  settings: '/settings',
  keys: '/keys',
} as const;
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

const FILTERS = {
  search: { value: '<text>', meaning: 'verifications: text to find' },
  result: { value: '<result>', meaning: 'verifications: result' },
  symbol: { value: '<symbol>', meaning: 'verifications: asset' },
  status: { value: '<status>', meaning: 'callbacks: status' },
} as const;

const NO_VERIFICATION = '`robot-vasp verifications` lists the verifications';
const NO_PART = 'it belongs to the other part of the program, enclave or robot';

export const open = command({
  name: 'open',
  summary: 'prints the address of a page of the console, with filters',
  details: 'Give it to your browser, such as `xdg-open $(robot-vasp open callbacks)`.',
  argument: { name: '<page>', meaning: `${NAMES.join(', ')}; default: overview`, choices: NAMES, isOptional: true },
  options: {
    url: CONNECTION.url,
    verification: { value: '<uuid>', meaning: 'one verification; after a page with a filter: what belongs to it' },
    ...FILTERS,
    lang: { value: '<language>', meaning: 'language of the page, such as ko' },
  },
  exits: CONNECTION_EXITS,
  examples: [
    'robot-vasp open',
    'robot-vasp open verifications --result DENIED',
    'robot-vasp open --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    'robot-vasp open exchanges --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
  ],
  async run({ argument, values, print }) {
    const api = connect({ url: values.url, 'api-key': undefined });
    const { verification, search, result, symbol, status, lang } = values;
    const isOfOne = argument === undefined && verification !== undefined;
    const path = isOfOne
      ? `/verifications/${encodeURIComponent(verification)}`
      : PAGES[(argument ?? 'overview') as keyof typeof PAGES];
    const filters = { verificationUuid: isOfOne ? undefined : verification, search, result, symbol, status, lang };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
    const url = `${api.url}/console${path}${query.size > 0 ? `?${query}` : ''}`;
    const { status: shown } = await api.call('GET', url.slice(api.url.length));
    if (shown === 404)
      throw new Failure(4, 'NO-PAGE', `${url} does not exist there: ${isOfOne ? NO_VERIFICATION : NO_PART}.`);
    print(url, { url });
    return 0;
  },
});

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
