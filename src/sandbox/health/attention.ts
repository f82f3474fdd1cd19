import type * as z from 'zod';
import { addressText } from '../../contract/assets.ts';
import { VASP_API, type VaspOperation } from '../../contract/vasp-api.ts';
import type { SandboxDeps } from '../deps.ts';
import type { Attention, ChainHealth } from './schema.ts';

type Item = z.output<typeof Attention>;
type Chain = z.output<typeof ChainHealth>;

/** Of each kind the newest ones: who has hundreds of them looks into the list of that kind. */
const MOST_OF_A_KIND = 20;
/** Once or twice is the network's way; more often somebody should look. */
const SEVERAL_TIMES = 3;
/** The slowest network makes a block every few seconds. */
const MINUTE_MS = 60_000;
const STANDS_STILL_AFTER_MS = 2 * MINUTE_MS;

/** What somebody should look at, most urgent first; each text says what to do. */
export const attentionOf = (deps: SandboxDeps, chains: readonly Chain[], vaspId: string): Item[] => [
  ...chains.flatMap(ofChain),
  ...ofEndpoints(deps, vaspId),
  ...ofTransfers(deps, vaspId),
  ...ofCallbacks(deps, vaspId),
  ...ofTimers(deps, vaspId),
  ...ofDeposits(deps, vaspId),
  ...ofFaults(deps, vaspId),
];

function ofChain({ symbol, isEmbedded, why, headAgeMs, funds }: Chain): Item[] {
  const low = funds
    .filter(({ isLow }) => isLow)
    .map(
      ({ address, balance }): Item => ({
        what: 'low-funds',
        text: `${address} has ${balance} ${symbol} left, which is less than it owes with fees. Send some to it.`,
      }),
    );
  if (why !== null) return [{ what: 'chain', text: `${symbol}: ${why}` }, ...low];
  if (headAgeMs === null) return [{ what: 'chain', text: `${symbol}: the node does not answer` }, ...low];
  // An embedded chain makes blocks when there is something to put into them.
  if (isEmbedded || headAgeMs < STANDS_STILL_AFTER_MS) return low;
  const minutes = Math.floor(headAgeMs / MINUTE_MS);
  return [{ what: 'chain', text: `${symbol}: the newest block is ${minutes} minutes old` }, ...low];
}

const WITHOUT: Record<VaspOperation, string> = {
  verifyAccount: 'account verifications of your addresses are DENIED / UNDEFINED-ERROR',
  verifyUser: 'every deposit test ends as DENIED / UNDEFINED-ERROR',
  transactionStatus: 'the robot cannot ask where a transaction is',
  callback: 'callbacks wait in the mailbox',
};

function ofEndpoints(deps: SandboxDeps, vaspId: string): Item[] {
  const vasp = deps.enclave.findVasp(vaspId);
  if (!vasp) return [];
  const missing = (Object.keys(VASP_API) as VaspOperation[])
    .filter(operation => vasp.endpoints[operation] === undefined)
    .map(
      (operation): Item => ({
        what: 'endpoint-missing',
        text: `No ${operation} address is configured: ${WITHOUT[operation]}.`,
      }),
    );
  if (vasp.health === 'UP') return missing;
  const text = 'This VASP did not answer when it was last called. The exchanges show what went wrong.';
  return [{ what: 'endpoint-down', text }, ...missing];
}

const ofTransfers = (deps: SandboxDeps, vaspId: string): Item[] =>
  deps.robot
    .listWaitingTransfers(MOST_OF_A_KIND, vaspId)
    .map(({ amount, symbol, note, verificationUuid }) => ({
      what: 'transfer-waiting',
      text: `A transfer of ${amount} ${symbol} waits: ${note}`,
      verificationUuid,
    }));

function ofCallbacks(deps: SandboxDeps, vaspId: string): Item[] {
  const page = (status: 'GIVEN-UP' | 'PENDING') =>
    deps.enclave.listCallbacks({ status, order: 'newest', limit: MOST_OF_A_KIND }, vaspId);
  const givenUp = page('GIVEN-UP').map(
    ({ id, callbackType, verificationUuid, attempts }): Item => ({
      what: 'callback-given-up',
      text: `${callbackType} was given up after ${attempts} attempts. Replay callback ${id} when your endpoint answers 200.`,
      verificationUuid,
    }),
  );
  const failing = page('PENDING')
    .filter(({ attempts }) => attempts >= SEVERAL_TIMES)
    .map(
      ({ callbackType, verificationUuid, attempts }): Item => ({
        what: 'callback-failing',
        text: `${attempts} attempts to deliver ${callbackType} have failed. It will be tried again.`,
        verificationUuid,
      }),
    );
  return [...givenUp, ...failing];
}

const ofTimers = (deps: SandboxDeps, vaspId: string): Item[] =>
  deps.timers
    .failing([vaspId, ...deps.robot.walletTimerOwners], SEVERAL_TIMES, MOST_OF_A_KIND)
    .map(({ kind, attempts, lastError, verificationUuid }) => ({
      what: 'timer-failing',
      text: `${kind} has failed ${attempts} times: ${lastError}`,
      ...(verificationUuid === null ? {} : { verificationUuid }),
    }));

const ofFaults = (deps: SandboxDeps, vaspId: string): Item[] =>
  deps.faults
    .active(vaspId)
    .slice(0, MOST_OF_A_KIND)
    .map(({ id, target, mode, times, used, verificationUuid }) => ({
      what: 'fault-active',
      text: `Fault ${id}, ${mode} at ${target}, hits ${times === null ? 'until it is removed' : `${times - used} times more`}.`,
      ...(verificationUuid === null ? {} : { verificationUuid }),
    }));

const ofDeposits = (deps: SandboxDeps, vaspId: string): Item[] =>
  deps.robot
    .listDeposits(MOST_OF_A_KIND, vaspId, 'UNATTRIBUTED')
    .map(({ amount, symbol, txHash, account, tag, note }) => ({
      what: 'deposit-unattributed',
      text: `${amount} ${symbol} at ${addressText(account, tag)} in ${txHash}: ${note}`,
    }));
