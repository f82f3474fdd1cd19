import type { CallName } from '../contract/calls.ts';
import type { ConditionReport, ModuleReport, RunReport } from '../contract/plans.ts';

/** Keeps the answer readable. The report has all of them. */
const MOST_FAILURES = 40;
const GOOD = ['PASSED', 'SKIPPED'];

/** The verdict of a run without its evidence: the result, and every condition that did not pass. */
function verdictOf({ modules, chains: _, ...run }: RunReport) {
  const failures = modules.flatMap(each => each.conditions.filter(isBad).map(failureOf(each)));
  return {
    ...run,
    failures: failures.slice(0, MOST_FAILURES),
    moreFailures: Math.max(0, failures.length - MOST_FAILURES),
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
  readonly title: string;
  /** When to use it, in addition to the summary of the endpoint. */
  readonly hint?: string;
  /** The part of a long answer that an agent reads. Default: all. */
  readonly present?: (answer: never) => unknown;
}

export const TOOLS = {
  info: {
    call: 'info',
    title: 'Read the sandbox',
    hint: 'VASP ids, chains, and the users of the robot with their addresses. Start here.',
  },
  request: {
    call: 'readyRequest',
    title: 'Make a request that is ready to send',
    hint: 'Returns a body for `verify` and the other operations, for any scenario.',
  },
  verify_account: { call: 'verifyAccount', title: 'Verify an account' },
  verify: {
    call: 'verifyUser',
    title: 'Verify a user',
    hint: 'The tested VASP asks the robot. Then use `why` with the returned UUID.',
  },
  report: { call: 'reportTransaction', title: 'Report the hash of a payment' },
  robot_verify: {
    call: 'letRobotVerifyUser',
    title: 'Let the robot verify a user of the tested VASP',
  },
  robot_withdraw: {
    call: 'letRobotWithdraw',
    title: 'Let the robot pay a verification that the tested VASP has VERIFIED',
  },
  send_deposit: {
    call: 'sendTransfer',
    title: 'Send a deposit to the tested VASP',
    hint: 'The robot verifies, gets money, pays and reports. It returns each step.',
  },
  why: {
    call: 'why',
    title: 'Explain a verification',
    hint: 'The first thing to ask when a verification surprises you.',
  },
  timeline: {
    call: 'timeline',
    title: 'Read everything about a verification',
  },
  list_verifications: { call: 'verifications', title: 'List verifications' },
  list_callbacks: { call: 'callbacks', title: 'List callbacks' },
  list_exchanges: { call: 'exchanges', title: 'List HTTP exchanges' },
  replay_callback: { call: 'replay', title: 'Send a callback again' },
  list_faults: { call: 'faults', title: 'List faults' },
  order_fault: { call: 'addFault', title: 'Order a fault' },
  remove_faults: { call: 'removeFaults', title: 'Remove all faults' },
  clock: { call: 'clock', title: 'Read the time' },
  advance_clock: {
    call: 'advance',
    title: 'Move the time forward',
    hint: 'Use it instead of waiting: `10m` runs the status query, `0s` reads both ledgers.',
  },
  faucet: { call: 'faucet', title: 'Get test money' },
  set_vasp: {
    call: 'registerVasp',
    title: 'Set the addresses of a VASP',
    hint: 'Registers the four addresses and the token of the tested VASP.',
  },
  list_plans: { call: 'plans', title: 'List the conformance plans' },
  start_check: {
    call: 'startRun',
    title: 'Start a conformance run',
    hint: 'Returns the id of the run. Then use `check` until the run has ended.',
  },
  check: {
    call: 'run',
    title: 'Read the verdict of a conformance run',
    hint: 'With its causes and every condition that did not pass.',
    present: verdictOf,
  },
} as const satisfies Record<string, ToolRow>;

export type ToolName = keyof typeof TOOLS;
