import type { CallName } from '../contract/calls.ts';
import type { ConditionReport, ModuleReport, RunReport } from '../contract/plans.ts';

/** Keeps the answer readable. The report has all of them. */
const MAX_FAILURES = 40;
const GOOD = ['PASSED', 'SKIPPED'];

/** The verdict of a run without its evidence: the result, and every condition that did not pass. */
function verdictOf({ modules, chains: _, ...run }: RunReport) {
  const failures = modules.flatMap(each => each.conditions.filter(isBad).map(failureOf(each)));
  return {
    ...run,
    failures: failures.slice(0, MAX_FAILURES),
    moreFailures: Math.max(0, failures.length - MAX_FAILURES),
    waiting: modules.flatMap(({ id, waiting }) => (waiting ? [{ module: id, ...waiting }] : [])),
    skipped: modules.flatMap(({ id, skippedBecause }) =>
      skippedBecause === null ? [] : [{ module: id, because: skippedBecause }],
    ),
  };
}

const isBad = ({ result }: ConditionReport): boolean => !GOOD.includes(result);

const failureOf =
  ({ id, symbol, title }: ModuleReport) =>
  ({ exchanges: _, ...condition }: ConditionReport) => ({ module: id, symbol, title, ...condition });

/** The tools of the MCP server. Each is one call of the API: its endpoint describes and validates it. */

export interface ToolRow {
  readonly call: CallName;
  /** When to use it, in addition to the summary of the endpoint. */
  readonly hint?: string;
  /** The part of a long answer that an agent reads. Default: all. */
  readonly present?: (answer: never) => unknown;
}

export const TOOLS = {
  info: { call: 'info', hint: 'VASP ids, chains, and the users of the robot with their addresses. Start here.' },
  request: { call: 'readyRequest', hint: 'Returns a body for `verify` and the other operations, for any scenario.' },
  verify_account: { call: 'verifyAccount' },
  verify: { call: 'verifyUser', hint: 'The tested VASP asks the robot. Then use `why` with the returned UUID.' },
  report: { call: 'reportTransaction' },
  robot_verify: { call: 'robotVerifyUser' },
  robot_withdraw: { call: 'robotWithdraw' },
  send_deposit: {
    call: 'sendTransfer',
    hint: 'The robot verifies, gets money, pays and reports. It returns each step.',
  },
  why: { call: 'why', hint: 'The first thing to ask when a verification surprises you.' },
  timeline: { call: 'timeline' },
  list_verifications: { call: 'verifications' },
  list_callbacks: { call: 'callbacks' },
  list_exchanges: { call: 'exchanges' },
  replay_callback: { call: 'replay' },
  list_faults: { call: 'faults' },
  order_fault: { call: 'addFault' },
  remove_faults: { call: 'removeFaults' },
  clock: { call: 'clock' },
  advance_clock: {
    call: 'advance',
    hint: 'Use it instead of waiting: `10m` runs the status query, `0s` reads both ledgers.',
  },
  faucet: { call: 'faucet' },
  check_ivms101: { call: 'checkIvms101' },
  set_vasp: { call: 'registerVasp', hint: 'Registers the four addresses and the token of the tested VASP.' },
  list_plans: { call: 'plans' },
  start_check: { call: 'startRun', hint: 'Returns the id of the run. Then use `check` until the run has ended.' },
  check: { call: 'run', hint: 'With its causes and every condition that did not pass.', present: verdictOf },
} as const satisfies Record<string, ToolRow>;

export type ToolName = keyof typeof TOOLS;
