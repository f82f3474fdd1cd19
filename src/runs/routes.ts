import { type Client, Refused } from '../client/client.ts';
import { type AssetSymbol, accountProblem } from '../contract/assets.ts';
import { personsOf } from '../contract/persons.ts';
import { MAX_EXPECTED_FAILURES, type RunReport } from '../contract/plans.ts';
import { refusals } from '../contract/refusals.ts';
import type { VerifyUserRequest } from '../contract/requests.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { control, type Endpoint } from '../http/endpoint.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { isAtLeast, subtract } from '../kernel/decimal.ts';
import { sentence } from '../kernel/text.ts';
import { listPlans } from '../plans/catalogue.ts';
import { html } from '../plans/report/html.ts';
import { junit } from '../plans/report/junit.ts';
import { markdown } from '../plans/report/markdown.ts';
import { masked } from '../plans/report/mask.ts';
import { unitsOf } from '../sandbox/chains.ts';
import { places } from '../sandbox/parameters.ts';
import { runCalls } from '../sandbox/runs/schema.ts';
import { readyRequest } from '../sandbox/scenarios/ready-request.ts';
import { type TransferRequest, type TransferResponse, transferCalls } from '../sandbox/transfers.ts';
import { SEND_AGAIN, toReplay } from '../sandbox/why.ts';
import { pause } from '../timers/loop.ts';
import type { RunsDeps } from './create-plans.ts';

const LOOK_AGAIN_MS = 50;
const ANSWER_MS = 15_000;
/** On a public network a block needs its time. */
const BLOCK_MS = { embedded: 15_000, byUrl: 55_000 };
/** The XRP Ledger creates no account with less than its reserve. */
const ACCOUNT_MONEY = '50';

type StepName = TransferResponse['steps'][number]['step'];

/** The step failed, and no other one follows. */
class StepFailed extends Error {
  /** What goes on, or shows more. */
  readonly calls: Call[];

  constructor(text: string, calls: Call[] = []) {
    super(text);
    this.calls = calls;
  }
}

type Call = TransferResponse['steps'][number]['calls'][number];
const toExplain = (uuid: string): Call => ({ method: 'GET', path: `/sandbox/v1/verifications/${uuid}/why` });

/** The robot pays this VASP: verifies, gets money where the chain is embedded, pays and reports. Throws `Refusal`. */
async function sendTransfer(deps: RunsDeps, order: TransferRequest, caller: CallerId): Promise<TransferResponse> {
  const { symbol, amount, to: account, customer, upTo } = order;
  unitsOf(symbol, 'amount', amount);
  const problem = account === undefined ? undefined : accountProblem(symbol, account);
  if (problem !== undefined) throw refusals.unknownAddress('to', problem);
  const user = order.user ?? (await payerOf(deps, order, caller));
  const ready = await readyRequest(deps, 'robot-verify-user', { symbol, amount, user, account }, caller);
  const request = ready.body as VerifyUserRequest;
  const { originator, beneficiary } = request.payload.ivms101;
  if (customer) beneficiary.beneficiaryPersons = personsOf({ kind: 'natural', names: customer });
  const from = originator.accountNumber[0]!;
  const to = beneficiary.accountNumber[0]!;
  const sent: TransferResponse = { verificationUuid: null, txHash: null, done: false, steps: [] };
  const api = deps.apiOf(caller);
  const sending = { deps, api, symbol, caller };
  const steps: Record<StepName, () => Promise<string>> = {
    async VERIFY() {
      const { verificationUuid } = await api.robotVerifyUser(request);
      sent.verificationUuid = verificationUuid;
      return verified(sending, verificationUuid);
    },
    FUND: () => fund(sending, { amount, from, to }),
    async PAY() {
      await api.robotWithdraw(sent.verificationUuid!);
      sent.txHash = await paid(sending, sent.verificationUuid!);
      return `The robot has paid ${amount} ${symbol} to ${to} in ${sent.txHash}.`;
    },
    REPORT: () => reported(sending, sent.verificationUuid!),
  };
  for (const name of ['VERIFY', 'FUND', 'PAY', 'REPORT'] as const) {
    sent.steps.push({ step: name, ...(await outcomeOf(steps[name])) });
    sent.done = sent.steps.at(-1)!.done;
    if (!sent.done || name === upTo) break;
  }
  return sent;
}

const outcomeOf = (work: () => Promise<string>): Promise<Omit<TransferResponse['steps'][number], 'step'>> =>
  work().then(
    text => ({ done: true, text, calls: [] }),
    error => {
      if (error instanceof StepFailed) return { done: false, text: error.message, calls: error.calls };
      if (error instanceof Refused) return { done: false, text: `${error.code}: ${error.reason}`, calls: [] };
      throw error;
    },
  );

interface Sending {
  deps: RunsDeps;
  api: Client;
  symbol: AssetSymbol;
  caller: CallerId;
}

const PAYER = 'taylor-robbins';
/** Only embedded chains have a faucet that pays the robot: elsewhere who has been paid can pay. */
async function payerOf(
  { networks, robot, apiOf }: RunsDeps,
  { symbol, amount }: TransferRequest,
  caller: CallerId,
): Promise<string> {
  if (networks[symbol].isEmbedded) return PAYER;
  const users = await robot.usersOf(caller);
  const { balances } = await apiOf(caller).balances();
  const paid = balances.find(
    ({ userId, value, ...of }) =>
      of.symbol === symbol && users.byId(userId ?? '')?.behaviour === 'ORDINARY' && isAtLeast(value, amount),
  );
  return paid?.userId ?? PAYER;
}

async function verified(sending: Sending, uuid: string): Promise<string> {
  const { api } = sending;
  const answer = await foundWithin(ANSWER_MS, async () => {
    await runDue(sending);
    const [verification] = (await api.verifications({ verificationUuid: uuid })).verifications;
    return verification?.result ? verification : undefined;
  });
  if (!answer) throw new StepFailed('Your VASP has not answered yet.', [toExplain(uuid)]);
  if (answer.result === 'VERIFIED') return `Your VASP answered VERIFIED to verification ${uuid}.`;
  const { facts, next, calls } = await api.why(uuid);
  throw new StepFailed(
    [...facts, 'So the robot does not pay.', ...next].join(' '),
    calls.filter(call => call !== null),
  );
}

/** Undefined: nothing was found within `ms`. */
async function foundWithin<T>(ms: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (const end = elapsedMs() + ms; ; await pause(LOOK_AGAIN_MS)) {
    const thing = await look();
    if (thing !== undefined || elapsedMs() > end) return thing;
  }
}

/** Calls to a node given by URL are not spent on it: there everything comes by itself. */
async function runDue({ deps, api, symbol }: Sending): Promise<void> {
  if (deps.networks[symbol].isEmbedded) await api.advance('0s');
}

/** REF-4.6.1: the robot pays no more than it has received. On an embedded chain the sandbox pays it. */
async function fund(sending: Sending, { amount, from, to }: Record<'amount' | 'from' | 'to', string>): Promise<string> {
  const { deps, api, symbol, caller } = sending;
  const network = deps.networks[symbol];
  if (!network.isEmbedded) {
    const { value } = await api.balance(caller, symbol, from);
    const held = `The robot holds ${value} ${symbol} for you at ${from}.`;
    if (isAtLeast(value, amount)) return held;
    const lacks = subtract(amount, value);
    throw new StepFailed(
      `${held} Verify a payment of ${lacks} ${symbol} to that address, pay and report it, then try again.`,
    );
  }
  await openAccount(sending, to);
  // By the API: what it costs counts to the quotas of the VASP.
  const { txHash } = await api.faucet(symbol, from, amount);
  const isCredited = await foundWithin(BLOCK_MS.embedded, async () => {
    await network.sync();
    return deps.robot.creditFunding(symbol, txHash, caller) || undefined;
  });
  if (!isCredited) throw new StepFailed(`The robot has not seen the payment ${txHash} yet.`);
  return `The sandbox has paid ${amount} ${symbol} to the robot at ${from} in ${txHash}.`;
}

async function openAccount({ deps, api, symbol }: Sending, to: string): Promise<void> {
  if (symbol !== 'XRP') return;
  const chain = await deps.networks[symbol].chain();
  const address = chain.parseAddress(to)!;
  // What can never be paid has no account to open. The step PAY says why.
  if ((await chain.whyUnpayable(address)) !== undefined) return;
  const { total } = await chain.balanceOf(address.account);
  if (total === 0n) await api.faucet(symbol, address.account, ACCOUNT_MONEY);
}

/** The hash, as soon as a block or ledger holds the payment. */
async function paid(sending: Sending, uuid: string): Promise<string> {
  const { deps, api, symbol } = sending;
  const network = deps.networks[symbol];
  const transferOf = async () => {
    const [transfer] = (await api.transfers({ verificationUuid: uuid })).transfers;
    if (!transfer) throw new StepFailed('The payment was removed meanwhile, by a reset.');
    return transfer;
  };
  const ended = await foundWithin(network.isEmbedded ? BLOCK_MS.embedded : BLOCK_MS.byUrl, async () => {
    if (symbol === 'XRP' && network.isEmbedded && !(await network.isHeld()))
      (await deps.networks.XRP.controls!()).closePending();
    await runDue(sending);
    const transfer = await transferOf();
    return transfer.transactionStatus === 'CANCELED' || transfer.reportedTxHash ? transfer : undefined;
  });
  if (ended?.reportedTxHash) return ended.reportedTxHash;
  const { transactionStatus, why } = ended ?? (await transferOf());
  const text = sentence(`The payment is ${transactionStatus}: ${why}`);
  if (transactionStatus === 'CANCELED') throw new StepFailed(text);
  throw new StepFailed(`${text} ${await later(sending)}`, [toExplain(uuid)]);
}

/** What becomes of a payment that is not in a block yet. */
async function later({ api, symbol }: Sending): Promise<string> {
  const { chains } = await api.health();
  const problem = chains.find(each => each.symbol === symbol)?.why;
  const cause = problem ? `${sentence(`The chain of ${symbol} is not read: ${problem}`)} ` : '';
  return `${cause}The robot pays when nothing stops it any more.`;
}

async function reported(sending: Sending, uuid: string): Promise<string> {
  const { deps, api } = sending;
  const isReport = { verificationUuid: uuid, type: 'TX_REPORT' };
  const reportOf = async () => {
    const [report] = (await api.callbacks(isReport)).callbacks;
    if (!report) throw new StepFailed('The report was removed meanwhile, by a reset.');
    return report;
  };
  const report = await foundWithin(ANSWER_MS, async () => {
    await runDue(sending);
    const callback = await reportOf();
    return callback.status !== 'PENDING' || callback.attempts.length > 0 ? callback : undefined;
  });
  const { id, status, attempts } = report ?? (await reportOf());
  const last = attempts.at(-1);
  const why = last ? `: ${last.error}` : '';
  if (deps.roles === 'robot') {
    if (status === 'DELIVERED') return 'The enclave has taken the report of the transaction.';
    throw new StepFailed(sentence(`The report to the enclave is ${status}${why}`));
  }
  if (status === 'DELIVERED') return `TX_REPORT was sent to you: your VASP answered ${last?.status ?? 'not'}.`;
  if (status === 'MAILBOX') return 'TX_REPORT lies in the mailbox: your VASP has no callback endpoint.';
  const again = SEND_AGAIN[status === 'LOST' ? 'LOST' : 'GIVEN-UP'];
  throw new StepFailed(`${sentence(`TX_REPORT is ${status}${why}`)} ${again}`, [toReplay(id)]);
}

/** What plays by the API of the program: the test runs, and a deposit in one call. */
export const runEndpoints = (
  deps: RunsDeps,
  waiting = places('waiting reads of runs'),
): Record<'robot' | 'both', Endpoint[]> => ({
  both: [
    control(runCalls.plans, {
      access: 'vasp or operator',
      summary: 'List the plans of test runs: modules and conditions with their clauses',
      run: ({ query }) => listPlans(query),
    }),
    control(runCalls.startRun, {
      refusals: ['address-not-allowed', 'run-under-way'],
      summary: 'Start a test run; it goes on by itself',
      description:
        'A VASP has one run at a time. The run moves the clock of the VASP unless `clock` is `real`. Events of kind `run` tell how it goes.',
      success: 201,
      examples: { 'the shortest': { body: { plan: 'security', modules: ['S4'], unattended: true } } },
      maxElements: MAX_EXPECTED_FAILURES,
      run({ body }, caller) {
        const problem = body.driver && deps.enclave.guard.problemOf(body.driver.url);
        if (problem !== undefined) throw refusals.addressNotAllowed('driver.url', problem);
        return { id: deps.runs.start(body, caller) };
      },
    }),
    control(runCalls.runs, {
      summary: 'List the test runs, newest first',
      run: ({ query }, caller) => ({ runs: deps.runs.list(caller, query.limit) }),
    }),
    control(runCalls.run, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Read a test run with all its evidence, also while it goes on',
      async run({ params: { id }, query: { wait = 0, exchangesOf }, signal }, caller) {
        const { runs, stopping } = deps;
        if (wait > 0) await waiting.wait(wait, [signal(), stopping], until => runs.ended(id, caller, until));
        return withExchangesOf(runs.report(id, caller), exchangesOf);
      },
    }),
    control(runCalls.stopRun, {
      refusals: ['not-found'],
      precondition: 'run-started',
      summary: 'Stop a test run; its report stays',
      async run({ params }, caller) {
        await deps.runs.stopRun(params.id, caller);
        return { result: true as const };
      },
    }),
    ...reportEndpoints(deps),
  ],
  robot: [
    control(transferCalls.sendTransfer, {
      refusals: ['not-found', 'unknown-address'],
      summary: 'Send me a deposit: the robot verifies, gets money, pays and reports',
      description:
        'The steps of a deposit test in one call. The robot need not have been paid before where the chain is embedded. ' +
        'It answers when the report was sent to you, or at the step that failed.',
      callbacks: ['TX_REPORT', 'ERROR_REPORT'],
      examples: { default: { body: { symbol: 'ETH', amount: '0.5' } } },
      run: ({ body }, caller) => sendTransfer(deps, body, caller),
    }),
  ],
});

/** The exchanges are most of a report: who looks often leaves them out. */
function withExchangesOf(report: RunReport, positions: string | undefined): RunReport {
  if (positions === undefined) return report;
  const wanted = new Set(positions.split(','));
  const modules = report.modules.map((module, position) =>
    wanted.has(String(position)) ? module : { ...module, exchanges: [] },
  );
  return { ...report, modules };
}

type ReportCall = Extract<keyof typeof runCalls, `report${string}`>;

/** The report of a run in each of its forms. */
const reportEndpoints = ({ runs, certify }: RunsDeps): Endpoint[] => {
  const form = (
    name: ReportCall,
    write: (report: RunReport) => unknown,
    described: Pick<Endpoint, 'summary' | 'description' | 'mediaType' | 'responseExample'>,
  ): Endpoint =>
    control(runCalls[name], {
      refusals: ['not-found'],
      precondition: 'run-started',
      ...described,
      run({ params, query }, caller) {
        const report = runs.report(params.id, caller);
        return write(query.withPersonalData === 'true' ? report : masked(report)) as never;
      },
    });
  return [
    form('reportJson', report => report, { summary: 'Read the report of a run as JSON' }),
    form('reportXml', junit, {
      summary: 'Read the report of a run as JUnit XML',
      mediaType: 'application/xml',
      responseExample: '<?xml version="1.0"?><testsuites></testsuites>',
    }),
    form('reportHtml', html, {
      summary: 'Read the report of a run as one web page',
      mediaType: 'text/html',
      responseExample: '<!doctype html><title>Report</title>',
    }),
    form('reportMarkdown', markdown, {
      summary: 'Read the summary of a run as Markdown',
      mediaType: 'text/markdown',
      responseExample: '# Report',
    }),
    form('reportSigned', certify, {
      summary: 'Read the signed report of a run: its certificate',
      description: 'A compact JWS (EdDSA) over the JSON report. `robot-vasp verify-report` checks it.',
      mediaType: 'application/jose',
      responseExample: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl',
    }),
  ];
};
