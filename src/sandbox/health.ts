import * as z from 'zod';
import { ASSETS, addressText } from '../contract/assets.ts';
import { REPORT_VERDICTS } from '../contract/plan-list.ts';
import { type CallerId, hasRole } from '../contract/tenancy.ts';
import { named } from '../contract/text.ts';
import { VASP_API, type VaspOperation } from '../contract/vasp-api.ts';
import type { ListedCallback } from '../enclave/control.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { formatUnits } from '../kernel/decimal.ts';
import { sentence } from '../kernel/text.ts';
import { headAge } from './chains.ts';
import type { ChainFigures, SandboxDeps } from './deps.ts';
import { HeadAge } from './info.ts';

/** `/health` */

export const ATTENTION = {
  chain: 'A chain cannot be read, was reset, or makes no blocks.',
  'low-funds': 'The treasury of the robot cannot pay what is owed.',
  'payment-unexplained': 'No transfer explains a payment of an account of the robot. The account pays nothing.',
  'wallet-stopped': 'An account of the robot has paid nothing for a minute.',
  'chain-large': 'The state of an embedded chain has become large.',
  'transfer-waiting': 'A transfer of the robot cannot be paid now.',
  'callback-given-up': 'A callback was not delivered and is not sent again.',
  'callback-failing': 'Several attempts to deliver a callback failed. More will follow.',
  'timer-failing': 'A timer of the program fails repeatedly.',
  'credit-taken-back': 'A reorganisation removed a credited payment.',
  'report-not-credited': 'A transaction that this VASP has named is not credited.',
  'deposit-ambiguous': 'A payment to the robot fits several verifications, and none has named it.',
  'deposit-unattributed': 'A payment to the robot belongs to no verification.',
  'money-unexplained': 'Money arrived at the robot, and no transaction is known that paid it.',
  'endpoint-missing': 'An endpoint of this VASP is not configured.',
  'endpoint-down': 'This VASP did not answer the last call.',
  'fault-active': 'An ordered fault is active.',
} as const;
const whats = Object.keys(ATTENTION) as [keyof typeof ATTENTION, ...(keyof typeof ATTENTION)[]];

const Funds = named('Funds', {
  address: z.string(),
  balance: z.string().describe('The amount that the account can spend, in whole coins.'),
  isLow: z.boolean(),
  lacks: z.string().describe('The missing amount to pay everything owed and some fees, in whole coins.'),
});
export const ChainHealth = named('ChainHealth', {
  symbol: z.string(),
  network: z.string().describe('Name of the network.'),
  isEmbedded: z.boolean(),
  held: z.boolean().describe('The chain control `hold` keeps transactions out of blocks or ledgers.'),
  stateBytes: z
    .number()
    .int()
    .nullable()
    .describe('The size of an embedded chain; null: it is not embedded, or does not run.'),
  isRead: z.boolean().describe('true: the robot has read the chain up to its newest block.'),
  why: z.string().nullable().describe('Why the chain is not read; null: it is read.'),
  head: z.number().int().nullable().describe('Height of the newest block; null: the node does not answer.'),
  headAgeMs: HeadAge,
  readUpTo: z.number().int().nullable().describe('Height of the newest block that the robot has read.'),
  callBudget: z
    .object({ perMinute: z.number().int(), lastMinute: z.number().int() })
    .nullable()
    .describe('`ETH_RPC_BUDGET` and the calls of the last minute; null: the calls have no limit.'),
  funds: z
    .array(Funds)
    .describe(
      'The account of the robot that needs money. Empty on an embedded chain, which funds the robot as needed.',
    ),
});
export const Attention = named('Attention', {
  what: z.enum(whats).describe(
    Object.entries(ATTENTION)
      .map(([what, meaning]) => `- \`${what}\`: ${meaning}`)
      .join('\n'),
  ),
  text: z.string(),
  verificationUuid: z.string().optional(),
});
export const HealthResponse = named('HealthResponse', 'The readiness of the sandbox, and the attention list.', {
  ready: z.boolean(),
  missing: z.array(z.string()).describe('The missing parts, as in `/readyz`.'),
  chains: z.array(ChainHealth),
  attention: z.array(Attention).describe('The attention list, most urgent first; may be empty.'),
});

export const healthCalls = calls({ health: { response: HealthResponse } });

type Item = z.output<typeof Attention>;
type Chain = z.output<typeof ChainHealth>;

interface Subject {
  deps: SandboxDeps;
  chains: readonly Chain[];
  vaspId: CallerId;
}

/** The newest of each kind. The list of that kind shows all. */
const MAX_OF_A_KIND = 20;
/** One or two failures are normal on a network. */
const SEVERAL_FAILURES = 3;
const MINUTE_MS = 60_000;
/** The slowest network makes a block every few seconds. */
const STALE_HEAD_MS = 2 * MINUTE_MS;

const MEGABYTE = 1_000_000;
const LARGE_STATE_BYTES = 200 * MEGABYTE;

/** The attention list, most urgent first. Each text says what is wrong or what to do. */
function listAttention(deps: SandboxDeps, chains: readonly Chain[], vaspId: CallerId): Item[] {
  const isTenant = deps.isHosted && deps.enclave.findVasp(vaspId) !== undefined;
  return (Object.keys(FINDERS) as Item['what'][])
    .filter(what => !isTenant || !OF_OPERATOR.includes(what))
    .flatMap(what => FINDERS[what]({ deps, chains, vaspId }).map(item => ({ what, ...item })));
}

/** Only the operator of a hosted sandbox can do something about it. */
const OF_OPERATOR: readonly Item['what'][] = ['chain-large', 'payment-unexplained', 'wallet-stopped'];

const listed = (uuids: readonly string[]): string => {
  const more = uuids.length - MAX_OF_A_KIND;
  const first = uuids.slice(0, MAX_OF_A_KIND).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
};

/** A new kind does not compile until it is found here. In the order of urgency. */
const FINDERS: Record<keyof typeof ATTENTION, (subject: Subject) => Omit<Item, 'what'>[]> = {
  chain: ({ chains }) =>
    chains.flatMap(chain => {
      const problem = chainProblem(chain);
      return problem === null ? [] : [{ text: `${chain.symbol}: ${problem}` }];
    }),
  'chain-large': ({ chains }) =>
    chains
      .filter(({ stateBytes }) => stateBytes !== null && stateBytes > LARGE_STATE_BYTES)
      .map(({ symbol, stateBytes }) => ({
        text: `The embedded chain of ${symbol} has ${Math.floor(stateBytes! / MEGABYTE)} MB of state, which takes memory and time. POST /sandbox/v1/chains/${symbol}/start-over makes a new one.`,
      })),
  'low-funds': ({ chains }) =>
    chains.flatMap(({ symbol, funds }) =>
      funds
        .filter(({ isLow }) => isLow)
        .map(({ address, balance, lacks }) => ({
          text: `The treasury ${address} has ${balance} ${symbol} left. It pays the robot's fees. Send at least ${lacks} ${symbol} to it.`,
        })),
    ),
  'endpoint-down': ({ deps, vaspId }) =>
    hasRole(deps.roles, 'enclave') && deps.enclave.findVasp(vaspId)?.health === 'DOWN'
      ? [{ text: 'This VASP did not answer the last call. The exchanges show what went wrong.' }]
      : [],
  'endpoint-missing'({ deps, vaspId }) {
    if (!hasRole(deps.roles, 'enclave')) return [];
    const vasp = deps.enclave.findVasp(vaspId);
    return (Object.keys(VASP_API) as VaspOperation[])
      .filter(operation => vasp && vasp.endpoints[operation] === undefined)
      .map(operation => ({ text: `No ${operation} endpoint is configured: ${WITHOUT[operation]}.` }));
  },
  'payment-unexplained': ({ deps }) =>
    deps.robot
      .listHeldPayments()
      .slice(0, MAX_OF_A_KIND)
      .map(({ name, symbol, account, paid }) => ({
        text: paid
          ? `${symbol}: the robot's account ${addressText(account)} has paid ${paid.amount} to ${paid.to} by ${name}, and no transfer explains it. The database is older than this payment, or another program pays from the account. The account pays nothing until its VASP orders this withdrawal again, or you let go of it: robot-vasp chain resume ${symbol} --accept ${name}`
          : `${symbol}: payments of the robot's account ${addressText(account)} are missing here and were not found on the chain. The account pays nothing until they are found, or you let go of them: robot-vasp chain resume ${symbol} --accept ${name}`,
      })),
  'wallet-stopped': ({ deps }) =>
    deps.robot
      .listStoppedWallets(MINUTE_MS, MAX_OF_A_KIND)
      .map(({ symbol, account, note }) => ({
        text: `${symbol}: the robot's account ${addressText(account)} pays nothing: ${note}`,
      })),
  'transfer-waiting': ({ deps, vaspId }) =>
    deps.robot
      .listWaitingTransfers(MAX_OF_A_KIND, vaspId)
      .map(({ amount, symbol, note, verificationUuid }) => ({
        text: `A transfer of ${amount} ${symbol} waits: ${note}`,
        verificationUuid,
      })),
  'callback-given-up': subject =>
    newestCallbacks(subject, 'GIVEN-UP').map(({ id, callbackType, verificationUuid, attempts }) => ({
      text: `${callbackType} was given up after ${attempts} attempts. Replay callback ${id} when your endpoint answers 200.`,
      verificationUuid,
    })),
  'callback-failing': subject =>
    newestCallbacks(subject, 'PENDING')
      .filter(({ attempts }) => attempts >= SEVERAL_FAILURES)
      .map(callback => ({
        text: sentence(
          `${callback.attempts} attempts to deliver ${callback.callbackType} have failed. The last one: ${lastErrorOf(subject, callback)}`,
        ),
        verificationUuid: callback.verificationUuid,
      })),
  'timer-failing': ({ deps, vaspId }) =>
    deps.timers
      .failing([vaspId, ...deps.robot.walletTimerOwners], SEVERAL_FAILURES, MAX_OF_A_KIND)
      .map(({ kind, attempts, lastError, verificationUuid }) => ({
        text: `${kind} has failed ${attempts} times: ${lastError}`,
        ...(verificationUuid === null ? {} : { verificationUuid }),
      })),
  'credit-taken-back': ({ deps, vaspId }) =>
    deps.robot
      .listTakenBack(MAX_OF_A_KIND, vaspId)
      .map(({ amount, symbol, txHash, account, tag, note }) => ({
        text: `${amount} ${symbol} at ${addressText(account, tag)} in ${txHash}: ${sentence(note)} The balance is corrected. It is credited again when a block holds the transaction again.`,
      })),
  'report-not-credited': ({ deps, vaspId }) =>
    deps.robot
      .listReports(MAX_OF_A_KIND, vaspId)
      .map(({ txHash, verdict, verdictExpected, verdictGot, verificationUuid }) => ({
        text: `${txHash} is ${verdict}: expected ${verdictExpected}; got ${verdictGot}. ${REPORT_VERDICTS[verdict!].advice}`,
        verificationUuid,
      })),
  'deposit-ambiguous': ({ deps, vaspId }) =>
    deps.robot
      .listAmbiguousDeposits(MAX_OF_A_KIND, vaspId)
      .map(({ amount, symbol, txHash, account, tag, candidates }) => ({
        text: `${amount} ${symbol} at ${addressText(account, tag)} in ${txHash} waits: it fits ${listed(candidates)}. Report the hash for one of them.`,
        verificationUuid: candidates[0]!,
      })),
  'deposit-unattributed': ({ deps, vaspId }) =>
    deps.robot
      .listDeposits({ status: 'UNATTRIBUTED', limit: MAX_OF_A_KIND }, vaspId)
      .deposits.map(({ amount, symbol, txHash, account, tag, note }) => ({
        text: `${amount} ${symbol} at ${addressText(account, tag)} in ${txHash}: ${note}`,
      })),
  'money-unexplained': ({ deps, vaspId }) => [
    ...deps.robot
      .listDeposits({ status: 'UNEXPLAINED', limit: MAX_OF_A_KIND }, vaspId)
      .deposits.map(({ amount, symbol, txHash, account, tag, note }) => ({
        text: `${amount} ${symbol} at ${addressText(account, tag)} in ${txHash}: ${sentence(note)} A report of this hash credits it.`,
      })),
    ...deps.robot
      .listSurpluses(MAX_OF_A_KIND, vaspId)
      .map(({ amount, symbol, account, afterHeight, height }) => ({
        text: `unexplained: ${amount} ${symbol} at ${addressText(account)} arrived in ${blocksText(afterHeight + 1, height)}, and no known deposit explains it. Report the hash of its transaction.`,
      })),
  ],
  'fault-active': ({ deps, vaspId }) =>
    deps.faults
      .active(vaspId)
      .slice(0, MAX_OF_A_KIND)
      .map(({ id, target, mode, times, used, verificationUuid }) => ({
        text: `Fault ${id} (${mode} at ${target}) applies ${times === null ? 'until it is removed' : `${times - used} more times`}.`,
        ...(verificationUuid === null ? {} : { verificationUuid }),
      })),
};

const blocksText = (first: number, last: number): string =>
  first === last ? `block ${last}` : `blocks ${first} to ${last}`;

function chainProblem({ isEmbedded, why, headAgeMs }: Chain): string | null {
  if (why !== null) return why;
  if (headAgeMs === null) return 'the node does not answer';
  // An embedded chain makes a block only when there is a transaction.
  if (isEmbedded || headAgeMs < STALE_HEAD_MS) return null;
  return `the newest block is ${Math.floor(headAgeMs / MINUTE_MS)} minutes old`;
}

const WITHOUT: Record<VaspOperation, string> = {
  verifyAccount: 'account verifications of your addresses are DENIED / UNDEFINED-ERROR',
  verifyUser: 'every deposit test ends as DENIED / UNDEFINED-ERROR',
  transactionStatus: 'the robot cannot ask about the status of a transaction',
  callback: 'callbacks wait in the mailbox',
};

/** A fault may have made it: then the answer of the VASP is not to blame. */
const lastErrorOf = ({ deps }: Subject, callback: ListedCallback): string =>
  deps.enclave.callbackAttempts([callback]).at(-1)?.error ?? 'no answer';

const newestCallbacks = ({ deps, vaspId }: Subject, status: 'GIVEN-UP' | 'PENDING') =>
  deps.enclave.listCallbacks({ status, order: 'newest', limit: MAX_OF_A_KIND }, vaspId).rows;

export const healthEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(healthCalls.health, {
    access: 'vasp or operator',
    summary: 'Read the readiness of the sandbox and the attention list',
    async run(_, caller) {
      const missing = deps.missing();
      const chains = await Promise.all((await deps.figures()).map(figures => chainHealth(deps, figures)));
      return { ready: missing.length === 0, missing, chains, attention: listAttention(deps, chains, caller) };
    },
  }),
];

async function chainHealth(deps: SandboxDeps, { symbol, head, funds, callBudget }: ChainFigures): Promise<Chain> {
  const network = deps.networks[symbol];
  const chain = await network.chain();
  const state = network.state();
  const text = (units: bigint) => formatUnits(units, ASSETS[symbol].decimals);
  return {
    symbol,
    network: chain.label,
    isEmbedded: network.isEmbedded,
    held: await network.isHeld(),
    stateBytes: await network.stateBytes(),
    isRead: state.ok,
    why: state.ok ? null : state.why,
    head: head?.height ?? null,
    headAgeMs: headAge(head, network.isEmbedded, deps.clock.machineNow()),
    readUpTo: deps.robot.readPosition(symbol)?.height ?? null,
    callBudget: callBudget ?? null,
    funds: (funds ? [funds] : []).map(({ account, spendable, lacks }) => ({
      address: addressText(account),
      balance: text(spendable),
      isLow: lacks > 0n,
      lacks: text(lacks),
    })),
  };
}
