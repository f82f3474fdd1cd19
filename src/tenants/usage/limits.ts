import type { QuotaName } from '../../contract/quotas.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { Endpoint, EndpointInput } from '../../http/endpoint.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { tally } from '../../kernel/tally.ts';
import type { Sending } from '../../sandbox/deps.ts';
import type { TenantsDeps } from '../deps.ts';
import { currentUse, type UseDeps } from './current-use.ts';
import { type QuotaDeps, requireRoom } from './quotas.ts';

type Deps = QuotaDeps & UseDeps;

/** The quotas of the endpoints: one place that refuses what is too much. */

interface Input extends EndpointInput<Record<string, unknown> | undefined, Record<string, unknown>> {}
type Run = (input: Input, caller: CallerId) => unknown;
/** Wraps the `run` of an endpoint. */
type Limit = (deps: Deps, run: Run) => Run;

const LIMITS: Readonly<Record<string, Limit>> = {
  'POST /v1/verifications': verifications(),
  'POST /vega/robot/v1.0/action/verifications': verifications(),
  'PUT /sandbox/v1/users/:userId': counted('users'),
  'PUT /sandbox/v1/faults': counted('faults'),
  'POST /sandbox/v1/runs': counted('runs'),
  'POST /sandbox/v1/faucet': faucet(),
  'GET /sandbox/v1/events': open('streams'),
  'GET /sandbox/v1/mailbox': open('mailboxWaits', ({ query }) => Number(query.wait ?? 0) > 0),
};

/** The same endpoints; those that cost something refuse with quota-exceeded. An enclave without a robot has not all of them. */
export function limited(deps: Deps, endpoints: readonly Endpoint[]): Endpoint[] {
  const names = endpoints.map(nameOf);
  const lost = Object.keys(LIMITS).filter(name => !names.includes(name));
  if (lost.length > 0 && deps.sandbox.parts === 'both') throw new Error(`no endpoint is ${lost.join(', ')}`);
  return endpoints.map(endpoint => {
    const limit = LIMITS[nameOf(endpoint)];
    if (!limit) return endpoint;
    const run = limit(deps, endpoint.run as Run) as Endpoint['run'];
    return { ...endpoint, run };
  });
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** The operator has no quotas. */
const isFree = ({ tenants }: Pick<Deps, 'tenants'>, caller: CallerId): boolean =>
  tenants.find(caller) === undefined;

function counted(quota: QuotaName): Limit {
  return (deps, run) => async (input, caller) => {
    if (!isFree(deps, caller)) {
      const used = await currentUse(deps, caller, quota, input);
      requireRoom(deps, caller, quota, { used });
    }
    return run(input, caller);
  };
}

function verifications(): Limit {
  return (deps, run) => (input, caller) => {
    const key = input.idempotencyKey;
    const isRepeated = key !== undefined && deps.sandbox.robot.hasAnswered(key, caller);
    if (isRepeated || isFree(deps, caller)) return run(input, caller);
    requireRoom(deps, caller, 'verificationsPerDay', {
      used: deps.usage.usedToday(caller, 'verificationsPerDay'),
    });
    requireRoom(deps, caller, 'verificationsKept', { used: deps.sandbox.enclave.countOf(caller) });
    return after(run(input, caller), () => deps.usage.spend(caller, 'verificationsPerDay', 1));
  };
}

type FaucetOrder = { symbol: string; amount: string; others?: { amount: string }[] };

function faucet(): Limit {
  return (deps, run) => (input, caller) => {
    const { symbol, amount, others = [] } = input.body as FaucetOrder;
    const quota = symbol === 'ETH' ? 'faucetEth' : symbol === 'XRP' ? 'faucetXrp' : undefined;
    if (isFree(deps, caller) || !quota) return run(input, caller);
    const adding = [amount, ...others.map(each => each.amount)].reduce((sum, each) => sum + Number(each), 0);
    requireRoom(deps, caller, quota, { used: deps.usage.usedToday(caller, quota), adding });
    // Spent before the transfer, so that two at once cannot both pass; given back when it is refused.
    deps.usage.spend(caller, quota, adding);
    return (run(input, caller) as Promise<unknown>).catch(error => {
      deps.usage.spend(caller, quota, -adding);
      throw error;
    });
  };
}

/** Streams and waiting reads stay open: each is counted until it ends. */
function open(quota: QuotaName, isLong: (input: Input) => boolean = () => true): Limit {
  const places = tally();
  return (deps, run) => (input, caller) => {
    if (isFree(deps, caller) || !isLong(input)) return run(input, caller);
    requireRoom(deps, caller, quota, { used: places.of(caller) });
    const result = run(input, caller);
    places.add(caller, 1);
    const release = () => places.add(caller, -1);
    return result instanceof Promise ? result.finally(release) : released(result as EventStream, release);
  };
}

function released(events: EventStream, release: () => void): EventStream {
  const iterator = events[Symbol.asyncIterator]();
  let isOpen = true;
  const end = () => {
    if (isOpen) release();
    isOpen = false;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const step = await iterator.next().catch(error => {
          end();
          throw error;
        });
        if (step.done) end();
        return step;
      },
      async return(value) {
        end();
        return (await iterator.return?.(value)) ?? { done: true, value };
      },
    }),
  };
}

function after(result: unknown, done: () => void): unknown {
  if (result instanceof Promise)
    return result.then(value => {
      done();
      return value;
    });
  done();
  return result;
}

/**
 * Counts a transaction that a VASP sends to an embedded chain, and keeps whose it is. Both are committed before it is sent.
 * The operator has no quotas, and what it sends is nobody's. Throws `Refusal` quota-exceeded.
 */
export function beforeSending(
  deps: QuotaDeps & Pick<TenantsDeps, 'db' | 'sandbox'>,
  transaction: Sending,
  caller: CallerId,
): void {
  if (isFree(deps, caller)) return;
  const { db, sandbox, usage } = deps;
  const loads = [
    ['chainGasPerDay', transaction.gas],
    ['chainBytesPerDay', transaction.bytes],
  ] as const;
  for (const [quota, adding] of loads)
    requireRoom(deps, caller, quota, { used: usage.usedToday(caller, quota), adding });
  write(db, tx => {
    for (const [quota, adding] of loads) if (adding > 0) usage.spend(caller, quota, adding);
    sandbox.robot.noteSubmission(tx, transaction, caller);
  });
}
