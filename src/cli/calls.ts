import { type Answers, type Client, queryText, Refused } from '../client/client.ts';
import { callsOf, scriptOf } from '../client/scenario-script.ts';
import { applySetup, parseSetup, readSetup, setupText } from '../client/setup.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import { RESULT_VALUES } from '../contract/clauses.ts';
import { isUuid } from '../contract/text.ts';
import { questionOf } from '../contract/vasp-api.ts';
import { interval } from '../kernel/clock.ts';
import { parseDuration } from '../kernel/duration.ts';
import { didYouMean } from '../kernel/text.ts';
import { CallbackStatus } from '../sandbox/callbacks.ts';
import { calling, listing } from './call.ts';
import { Failure, wrongUsage } from './command.ts';
import { requireWritable, textOf, writeText } from './input.ts';

const PAGE = {
  limit: { value: '<n>', meaning: 'most entries, 1 to 999', default: '20' },
  before: { value: '<position>', meaning: 'only earlier entries' },
};
const OF_VERIFICATION = {
  verification: { parameter: 'verificationUuid', value: '<uuid>', meaning: 'of this verification' },
};
const SYMBOL = { value: '<symbol>', meaning: ASSET_SYMBOLS.join(' or '), choices: ASSET_SYMBOLS } as const;

/** `verify-user` is a call of the VASP, `asks you: verify-user` one to it. */
const callText = (operation: string): string => {
  const question = questionOf(operation);
  return question === undefined ? operation : `asks you: ${question}`;
};

const totalOf = (counts: Partial<Record<string, number>>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

const PROGRESS_MS = 900;
async function readProgress(api: Client, show: (text: string) => void): Promise<void> {
  const clock = await api.clock().catch(() => undefined);
  if (clock?.advancing) show(`now ${clock.now}, ${totalOf(clock.advancing)} timers fired`);
}

/** A call as the command that makes it, or as itself. */
function commandFor(call: Answers['why']['calls'][number] | undefined): string {
  if (!call) return '';
  const [, id] = /^\/sandbox\/v1\/callbacks\/(\d+)\/replay$/.exec(call.path) ?? [];
  if (id) return ` \`robot-vasp replay ${id}\``;
  const [, uuid] = /^\/sandbox\/v1\/verifications\/([^/]+)\/why$/.exec(call.path) ?? [];
  if (uuid) return ` \`robot-vasp why ${uuid}\``;
  const { symbol, to } = call.body ?? {};
  if (call.path === '/sandbox/v1/transfers')
    return ` \`robot-vasp deposit --symbol ${symbol} ${to ? `--to ${to} --last-name <name> --first-name <name>` : '--to <address>'}\``;
  return ` \`${call.method} ${call.path}${call.body ? ` ${JSON.stringify(call.body)}` : ''}\``;
}

/** An identifier that this VASP does not have. */
function unknown(error: unknown, id: string): never {
  if (!(error instanceof Refused && error.status === 404)) throw error;
  const why = `${error.reason}${isUuid(id) ? '' : ': it is no UUID'}`;
  throw new Failure(4, error.code ?? '', `${why}. \`robot-vasp verifications\` lists those of your VASP`);
}

type Held = Answers['resumeChain']['held'][number];
const heldText = ({ name, account, number, to, amount, reference }: Held): string =>
  to === null
    ? `  held: ${name}: payments of ${account} that were not found`
    : `  held: ${name}: number ${number} of ${account} has paid ${amount} to ${to}${reference === null ? '' : ` (InvoiceID ${reference})`}`;

type Scenario = Answers['scenarios']['scenarios'][number];

function find(all: readonly Scenario[], id: string): Scenario {
  const found = all.find(each => each.id === id);
  if (found) return found;
  const ids = all.map(each => each.id);
  const sameName = ids.find(each => each.endsWith(`: ${id}`));
  const suggestion = sameName ? ` Did you mean \`${sameName}\`?` : didYouMean(id, ids);
  throw wrongUsage(`there is no scenario \`${id}\`.${suggestion} \`robot-vasp scenarios\` lists all`);
}

/** Of the console. */
const PAGES = [
  ...['overview', 'tests', 'ivms101', 'verifications', 'callbacks', 'exchanges', 'money', 'assessments', 'timers'],
  ...['faults', 'chains', 'users', 'checks', 'send', 'settings', 'keys'],
];
const NO_VERIFICATION = '`robot-vasp verifications` lists the verifications';
const NO_PART = 'it belongs to the other part of the program, enclave or robot';

/** Commands that call a running sandbox, and print what it returns. */
export const commands = {
  status: calling({
    summary: 'shows readiness, chains and problems of a sandbox',
    exits: { 1: 'it runs but is not ready' },
    examples: ['robot-vasp status', 'robot-vasp status --json'],
    async call({ url, health }) {
      const answer = await health();
      const { ready, missing, chains, attention } = answer;
      const problems = attention.map(({ what, text }) => `  ${what}: ${text}`);
      const lines = [
        ready ? `ready at ${url}` : `not ready at ${url}: ${missing.join('; ')}`,
        ...chains.map(({ symbol, network, head, why }) => `  ${symbol}  ${network}: ${why ?? `block ${head}`}`),
        ...(problems.length === 0 ? [] : ['needs attention:', ...problems]),
      ];
      return { lines, answer: { url, ...answer }, code: ready ? 0 : 1 };
    },
  }),

  why: calling({
    summary: 'explains why a verification is in its state, and what to do',
    args: [{ name: '<uuid>', meaning: 'verificationUuid; `robot-vasp verifications` lists them' }],
    examples: ['robot-vasp why 4a1f0c7e-0a52-4f4c-9d5f-5f5b0c1f7a11'],
    async call(api, { args: [uuid = ''] }) {
      const answer = await api.why(uuid).catch(error => unknown(error, uuid));
      const { what, facts, next, calls } = answer;
      const steps = next.map((step, index) => step + commandFor(calls[index] ?? undefined));
      const below = (all: readonly string[]) => all.map(each => `  ${each}`);
      const todo = below(steps.length === 0 ? ['Nothing is left to do.'] : steps);
      return { lines: [what, ...below(facts), 'What to do:', ...todo], answer };
    },
  }),

  verifications: listing('verifications', {
    summary: 'lists the verifications of your VASP, newest first',
    filters: {
      search: { value: '<words>', meaning: 'uuid, hash, address, name, amount, day' },
      result: { value: '<result>', meaning: 'VERIFIED, DENIED, UNKNOWN or ERROR', choices: RESULT_VALUES },
      reason: { value: '<code>', meaning: 'the exact reason' },
      symbol: SYMBOL,
      role: {
        value: '<role>',
        meaning: 'your role: originating or beneficiary',
        choices: ['originating', 'beneficiary'],
      },
      status: { value: '<status>', meaning: 'OPEN or COMPLETED', choices: ['OPEN', 'COMPLETED'] },
      ...PAGE,
    },
    entries: ({ verifications }) => verifications,
    lines: ({ verifications }) =>
      verifications.map(({ createdAt, verificationUuid, role, amount, symbol, result, reason, money }) =>
        [
          createdAt,
          verificationUuid,
          role === 'originating' ? 'you pay' : 'robot pays',
          `${amount} ${symbol}`,
          result === null ? 'OPEN' : reason === null || reason === 'OK' ? result : `${result}/${reason}`,
          money?.status ?? '',
        ]
          .join('  ')
          .trimEnd(),
      ),
    examples: ['robot-vasp verifications --result DENIED', 'robot-vasp verifications --search robbins --json'],
  }),

  callbacks: listing('callbacks', {
    summary: 'lists the callbacks to your VASP, newest first',
    filters: {
      ...OF_VERIFICATION,
      type: { value: '<type>', meaning: 'for example VERIFICATION_RESULT or TX_REPORT', choices: CALLBACK_TYPES },
      status: {
        value: '<status>',
        meaning: 'PENDING, DELIVERED, LOST, GIVEN-UP or MAILBOX',
        choices: CallbackStatus.options,
      },
      ...PAGE,
    },
    query: { order: 'newest' },
    entries: ({ callbacks }) => callbacks,
    lines: ({ callbacks }) =>
      callbacks.map(({ id, createdAt, callbackType, verificationUuid, status, attempts }) => {
        const last = attempts.at(-1);
        const outcome = last ? `${attempts.length} × ${last.status ?? last.error}` : '';
        return [id, createdAt, callbackType, verificationUuid, status, outcome].join('  ').trimEnd();
      }),
    examples: ['robot-vasp callbacks --status GIVEN-UP', 'robot-vasp callbacks --verification <uuid> --json'],
  }),

  exchanges: listing('exchanges', {
    summary: 'lists the HTTP exchanges with your VASP, newest first',
    filters: {
      ...OF_VERIFICATION,
      operation: { value: '<name>', meaning: 'for example verify-user or callback' },
      direction: { value: '<direction>', meaning: 'IN: your calls; OUT: calls to your VASP', choices: ['IN', 'OUT'] },
      status: { value: '<status>', meaning: 'a status such as 503, a class such as 4xx, or none' },
      slow: { value: '<ms>', meaning: 'only those that took at least this long' },
      ...PAGE,
    },
    entries: ({ exchanges }) => exchanges,
    lines: ({ exchanges }) =>
      exchanges.map(({ id, at, direction, operation, method, url, status, error, durationMs }) =>
        [id, at, direction, callText(operation), `${method} ${url}`, status ?? error, `${durationMs} ms`].join('  '),
      ),
    examples: ['robot-vasp exchanges --status 4xx', 'robot-vasp exchanges --direction OUT --slow 500'],
  }),

  faults: listing('faults', {
    summary: 'lists the faults that are ordered and the chain controls that are on',
    filters: {},
    entries: ({ faults, controls }) => [...faults, ...controls],
    lines: ({ faults, controls }) => [
      ...faults.map(({ id, target, mode, left, used, meaning }) =>
        [id, target, mode, `used ${used}, left ${left ?? 'no limit'}`, meaning].join('  '),
      ),
      ...controls.map(({ symbol, control }) => `control  ${symbol} ${control}`),
    ],
    examples: ['robot-vasp faults', 'robot-vasp faults --json'],
  }),

  deposit: calling({
    summary: 'lets the robot send you a deposit: it verifies, gets money, pays and reports',
    progress: 'the robot pays',
    options: {
      amount: { value: '<amount>', meaning: 'amount, decimal text', default: '0.5' },
      symbol: { ...SYMBOL, default: 'ETH' },
      to: { value: '<address>', meaning: 'address of your customer; default: the one of the newest deposit' },
      'last-name': { value: '<name>', meaning: 'last name of your customer, with --first-name' },
      'first-name': { value: '<name>', meaning: 'first name of your customer' },
      user: { value: '<id>', meaning: 'the user of the robot who pays; default: one who can' },
    },
    exits: { 1: 'a step failed; its line says what to do' },
    examples: [
      'robot-vasp deposit --amount 0.5 --symbol ETH',
      'robot-vasp deposit --symbol XRP --to r…:7 --last-name Moss --first-name Kate',
    ],
    async call(api, { values: { 'last-name': lastName, 'first-name': firstName, amount, symbol, to, user } }) {
      if ((lastName === undefined) !== (firstName === undefined))
        throw wrongUsage('give both --last-name and --first-name, or none');
      const customer = lastName !== undefined && firstName !== undefined ? { lastName, firstName } : undefined;
      const answer = await api.sendTransfer({ amount, symbol, to, user, customer });
      const lines = answer.steps.map(
        ({ step, done, text, calls }) =>
          `${done ? 'done  ' : 'failed'}  ${step.padEnd(6)}  ${[text, ...calls.map(commandFor)].join('')}`,
      );
      return { lines, answer, code: answer.done ? 0 : 1 };
    },
  }),

  advance: calling({
    summary: 'advances the time of your VASP',
    details:
      'First it reads both ledgers, then it runs all due timers. `0s` does only that. The clocks of robots that have joined go with it.',
    args: [{ name: '<duration>', meaning: 'for example 10m, 90s or 1h' }],
    examples: ['robot-vasp advance 10m', 'robot-vasp advance 0s --json'],
    async call(api, { args: [duration = ''], progress }) {
      if (parseDuration(duration) === undefined)
        throw wrongUsage(`\`${duration}\` is not a duration. Write for example 10m, 90s or 1h`);
      const stopReading = interval(PROGRESS_MS, () => void readProgress(api, progress));
      const answer = await api.advance(duration).finally(stopReading);
      const { now, fired, counts, behind } = answer;
      const more = totalOf(counts) - fired.length;
      const lines = [
        `now ${now}`,
        ...fired.map(({ dueAt, kind, key }) => `  ${dueAt}  ${kind}  ${key}`),
        ...(more > 0 ? [`  and ${more} more`] : []),
        ...behind.map(({ vaspId, name, why }) => `  the clock of ${name} (${vaspId}) stays behind: ${why}`),
      ];
      return { lines, answer };
    },
  }),

  chain: calling({
    summary: 'goes on with a chain that is CHAIN-RESTARTED, or with accounts of the robot that are held',
    details:
      'CHAIN-RESTARTED: open verifications on it end as ERROR, unfinished transfers become CANCELED, deposits stay as history, balances start at zero. An account whose payments no transfer explains pays nothing: each is printed, and --accept lets go of those that it names.',
    args: [
      { name: '<resume>', meaning: 'what to do with the chain', choices: ['resume'] },
      { name: '<ETH|XRP>', meaning: 'symbol of the chain', choices: ASSET_SYMBOLS },
    ],
    options: { accept: { value: '<names>', meaning: 'payments to let go of, by their names, separated by commas' } },
    exits: { 1: 'payments still hold accounts; each has a line' },
    examples: [
      'robot-vasp chain resume ETH',
      'robot-vasp chain resume XRP --json',
      'robot-vasp chain resume ETH --accept 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
    ],
    async call(api, { args: [, symbol = ''], values }) {
      const answer = await api.resumeChain(symbol, { accept: values.accept?.split(',') ?? [] });
      const { resumed, endedVerifications, canceledTransfers, releasedPayments, held } = answer;
      const done =
        releasedPayments > 0
          ? `${symbol}: ${releasedPayments} payments hold no account any more`
          : `${symbol} goes on with the new chain: ${endedVerifications} verifications ended, ${canceledTransfers} transfers were canceled`;
      const lines = [resumed ? done : `${symbol} did not start over: nothing was changed`, ...held.map(heldText)];
      return { lines, answer, code: held.length > 0 ? 1 : 0 };
    },
  }),

  replay: calling({
    summary: 'sends a callback to your VASP again',
    details: 'Pending callbacks are not touched. `GET /sandbox/v1/callbacks` shows the outcome.',
    args: [{ name: '<callback id>', meaning: 'id from the list of callbacks' }],
    examples: ['robot-vasp replay 17'],
    async call(api, { args: [callbackId = ''] }) {
      const answer = await api.replay(callbackId);
      const { id, callbackType, verificationUuid, status } = answer;
      return { lines: [`${id}: ${callbackType} for ${verificationUuid}: ${status}`], answer };
    },
  }),

  scenarios: calling({
    summary: 'lists all scenarios, or prints the requests of one',
    args: [{ name: '<id>', meaning: 'prints the requests of this scenario as curl commands', isOptional: true }],
    options: { symbol: { ...SYMBOL, default: 'ETH' } },
    examples: [
      'robot-vasp scenarios',
      "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' --symbol XRP",
      "robot-vasp scenarios 'verify-user: MISMATCHED-NAME' | bash",
    ],
    async call(api, { args: [id], values }) {
      const { scenarios: all } = await api.scenarios();
      const width = Math.max(...all.map(each => each.id.length));
      if (id === undefined) return { lines: all.map(each => `${each.id.padEnd(width)}  ${each.how}`), entries: all };
      const { symbol } = values;
      const found = find(all, id);
      const { how, user, expect } = found;
      const requests = callsOf(found, symbol);
      const lines = [
        `# ${how} (user: ${user})`,
        ...(expect ? [`# expect ${JSON.stringify(expect)}`] : []),
        scriptOf(requests, api.url, values['api-key'] !== undefined),
      ];
      return { lines, answer: { ...found, symbol, requests } };
    },
  }),

  setup: calling({
    summary: 'writes users and faults of your VASP to one file, or reads them from it',
    details:
      '`import` adds to what is there, one after another, and stops at the first that is refused. The robot chooses the addresses of users, so they differ elsewhere.',
    args: [
      { name: '<export|import>', meaning: 'write or read the file', choices: ['export', 'import'] },
      { name: '<file>', meaning: 'the file, JSON' },
    ],
    examples: ['robot-vasp setup export setup.json', 'robot-vasp setup import setup.json'],
    async call(api, { args: [verb, file = ''] }) {
      if (verb === 'export') await requireWritable(file);
      const content = verb === 'export' ? await readSetup(api) : parseSetup(textOf(file));
      if (!content) throw wrongUsage(`${file} is no file of \`robot-vasp setup export\``);
      if (verb === 'export') await writeText(file, setupText(content));
      else await applySetup(api, content);
      const counts = { users: Object.keys(content.users).length, faults: content.faults.length };
      return { lines: [`${verb}ed: users ${counts.users}, faults ${counts.faults}`], answer: { file, ...counts } };
    },
  }),
  open: calling({
    summary: 'prints the address of a page of the console, with filters',
    details: 'Give it to your browser, such as `xdg-open $(robot-vasp open callbacks)`.',
    args: [{ name: '<page>', meaning: `${PAGES.join(', ')}; default: overview`, choices: PAGES, isOptional: true }],
    options: {
      verification: { value: '<uuid>', meaning: 'one verification; after a page with a filter: what belongs to it' },
      search: { value: '<text>', meaning: 'verifications: text to find' },
      result: { value: '<result>', meaning: 'verifications: result' },
      symbol: { value: '<symbol>', meaning: 'verifications: asset' },
      status: { value: '<status>', meaning: 'callbacks: status' },
      lang: { value: '<language>', meaning: 'language of the page, such as ko' },
    },
    examples: [
      'robot-vasp open',
      'robot-vasp open verifications --result DENIED',
      'robot-vasp open --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
      'robot-vasp open exchanges --verification 8db7ee2a-12a2-4cc2-9297-917c3b5176cc',
    ],
    async call(api, { args: [page], values: { verification, search, result, symbol, status, lang } }) {
      const isOfOne = page === undefined && verification !== undefined;
      const place = isOfOne ? `/verifications/${encodeURIComponent(verification)}` : `/${page ?? 'overview'}`;
      const filters = { verificationUuid: isOfOne ? undefined : verification, search, result, symbol, status, lang };
      const path = `/console${place === '/overview' ? '' : place}${queryText(filters)}`;
      const url = api.url + path;
      const { status: shown } = await api.call('GET', path);
      if (shown === 404)
        throw new Failure(4, 'NO-PAGE', `${url} does not exist there: ${isOfOne ? NO_VERIFICATION : NO_PART}.`);
      return { lines: [url], answer: { url } };
    },
  }),
};
