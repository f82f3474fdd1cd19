import { refusals } from '../contract/refusals.ts';
import { asCaller } from '../contract/tenancy.ts';
import type { Admission, Arrival, Caller, Gate, Scope, Sender } from '../http/caller.ts';
import { networkOf } from '../http/proxies.ts';
import { fairTurns, type InTurn } from '../http/server.ts';
import { later } from '../kernel/clock.ts';
import { type Bucket, rateLimit, tally } from '../kernel/rate-limit.ts';
import { hashOf, isSameSecret } from '../kernel/secrets.ts';
import { atOnce, type Turns } from '../kernel/turns.ts';
import type { TenantsDeps } from './deps.ts';
import { isOver, type Key } from './store.ts';
import { quotasOf, requireRoom } from './usage.ts';

/** Paths without a key. The console asks for a session by itself. */
const PUBLIC = [
  /^\/(?:healthcheck|readyz|openapi\.json|docs|llms(?:-full)?\.txt)$/,
  /^\/(?:\.well-known|guide|console)(?:\/|$)/,
];
export const REGISTRATIONS = '/sandbox/v1/registrations';
const RUNS = /^\/sandbox\/v1\/runs(?:\/|$)/;

type Request = Pick<Arrival, 'method' | 'path'>;

const isPublic = ({ method, path }: Request): boolean =>
  PUBLIC.some(each => each.test(path)) || (method === 'POST' && path === REGISTRATIONS);

/** A balancer asks often, and the answers cost nothing. */
const isProbe = ({ path }: Request): boolean => path === '/healthcheck' || path === '/readyz';

const isReading = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** `/metrics` is only for the operator. A WebSocket to a ledger begins with GET, and can send transactions. */
const mayUse = (scope: Scope, { method, path }: Request): boolean => {
  if (path === '/metrics') return false;
  if (isOfLedger(path)) return scope === 'full';
  // Each tool calls the API with the same key, which is judged there.
  if (path === '/mcp') return true;
  if (scope === 'full' || isReading(method)) return true;
  return scope === 'check' && RUNS.test(path);
};

/** Of the embedded ledgers. */
const isOfLedger = (path: string): boolean => /^\/devnet(?:\/|$)/.test(path);

/** The most wrong keys from one address, at once and then per second. */
const WRONG_KEYS = { burst: 200, perSecond: 10 };
/** Requests without a key from one network. A page of the console takes about ten. */
const WITHOUT_KEY = { burst: 1_000, perSecond: 100 };
/** The most calls of the API that a page of the console makes. */
const CALLS_OF_A_PAGE = 20;
const OPERATOR: Caller = { role: 'operator', vaspId: asCaller('') };
type Limit = ReturnType<typeof rateLimit>;

/** What the gate counts: requests of each key, wrong keys, and requests without a key. */
interface Counting extends TenantsDeps {
  requests: Limit;
  wrongKeys: Limit;
  withoutKey: Limit;
}

/** Decides who calls, and whether the caller may. */
export function createGate(deps: TenantsDeps): Gate {
  const [requests, wrongKeys] = [rateLimit(deps.elapsed), rateLimit(deps.elapsed)];
  const counting: Counting = { ...deps, requests, wrongKeys, withoutKey: rateLimit(deps.elapsed) };
  // One order for requests and frames: of two, each would measure the cost of the other.
  const inTurn = fairTurns();
  const frames = frameTurns(inTurn);
  /** The open WebSockets of each VASP. */
  const sockets = tally();
  return {
    inTurn,
    senderOf: arrival => senderOf(counting, arrival),
    admit: arrival => admit(counting, arrival),
    begin({ role, vaspId }) {
      if (role !== 'vasp') return () => {};
      deps.underWay.add(vaspId, 1);
      return () => deps.underWay.add(vaspId, -1);
    },
    countSocket(caller, socket) {
      if (caller?.role !== 'vasp') return;
      const { vaspId } = caller;
      requireRoom(deps, vaspId, 'webSockets', { used: sockets.of(vaspId) });
      sockets.add(vaspId, 1);
      socket.once('close', () => sockets.add(vaspId, -1));
    },
    frameTurns(caller) {
      if (caller?.role !== 'vasp') return atOnce;
      const { keyId, vaspId } = caller;
      return frames(caller, () => {
        const { requestsPerSecond, burst } = quotasOf(deps, vaspId);
        if (requests.take(keyId, requestsPerSecond, burst).ok) return undefined;
        return requestsPerSecond === 0 ? 1_000 : Math.ceil(1_000 / requestsPerSecond);
      });
    },
    served({ method, path, address }, caller, outcome) {
      if (isReading(method) || caller.role === 'local') return;
      // Mostly reading. A ledger keeps what was sent to it.
      if (caller.role === 'vasp' && isOfLedger(path)) return;
      const [, acted] = /^\/sandbox\/v1\/tenants\/([^/]+)$/.exec(path) ?? [];
      deps.audit.add({
        role: caller.role,
        vaspId: caller.role === 'vasp' ? caller.vaspId : (acted ?? null),
        key: caller.role === 'vasp' ? caller.keyId : null,
        address,
        action: `${method} ${path.split('/').slice(0, 4).join('/')}`,
        target: path.slice(0, 200),
        outcome,
      });
    },
  };
}

/** Undefined: no caller has this key. */
function callerOf({ keys, now, settings }: Counting, { key, signIn }: Arrival): Caller | undefined {
  const ofKey = (found: Key | undefined): Caller | undefined => {
    if (!found || isOver(found, now())) return undefined;
    return { role: 'vasp', vaspId: asCaller(found.vaspId), keyId: found.id, scope: found.scope };
  };
  if (signIn?.role === 'operator') return OPERATOR;
  if (signIn) return ofKey(keys.find(signIn.keyId));
  if (key === undefined) return undefined;
  const hash = hashOf(key);
  return isSameSecret(hash, settings.operatorKeyHash) ? OPERATOR : ofKey(keys.findByHash(hash));
}

function admit(deps: Counting, arrival: Arrival): Admission {
  const caller = callerOf(deps, arrival);
  const { key, signIn, address } = arrival;
  const isCounted = signIn === undefined && (key === undefined || isPublic(arrival)) && !isProbe(arrival);
  // A call inside the process has no address.
  if (isCounted && address !== '') deps.withoutKey.take(networkOf(address), WITHOUT_KEY.perSecond, WITHOUT_KEY.burst);
  if (isPublic(arrival)) return { caller, over: NEVER, headers: {} };
  if (!caller) return refuseStranger(deps, arrival);
  if (caller.role === 'vasp') return admitVasp(deps, caller, arrival);
  return { caller, over: NEVER, headers: {} };
}

function refuseStranger({ keys, wrongKeys }: Counting, { key, signIn, address }: Arrival): never {
  if (key === undefined && signIn === undefined) throw refusals.unauthorized(NO_KEY);
  // A key of the past is no guess.
  if (key !== undefined && keys.findByHash(hashOf(key))) throw refusals.unauthorized();
  const { ok, resetS } = wrongKeys.take(networkOf(address), WRONG_KEYS.perSecond, WRONG_KEYS.burst);
  throw ok ? refusals.unauthorized() : refusals.rateLimited(resetS);
}

function admitVasp(deps: Counting, caller: Extract<Caller, { role: 'vasp' }>, arrival: Arrival): Admission {
  const { requests, keys } = deps;
  const { keyId, vaspId, scope } = caller;
  if (deps.tenants.find(vaspId)?.suspendedAt !== null) throw refusals.suspended();
  const { requestsPerSecond, burst } = quotasOf(deps, vaspId);
  const bucket = arrival.signIn
    ? requests.take(`page ${keyId}`, requestsPerSecond * CALLS_OF_A_PAGE, burst * CALLS_OF_A_PAGE)
    : requests.take(keyId, requestsPerSecond, burst);
  const headers = limitHeaders(bucket, requestsPerSecond, burst);
  if (!bucket.ok) throw refusals.rateLimited(bucket.resetS, headers);
  if (!mayUse(scope, arrival)) throw refusals.forbidden(SCOPE_TEXTS[scope]);
  keys.noteUse(keys.find(keyId)!, deps.now());
  return { caller, over: deps.connections.signalOf(keyId), headers };
}

/** Undefined: nothing limits the caller before its request is read. */
function senderOf(deps: Counting, arrival: Arrival): Sender | undefined {
  const { key, address } = arrival;
  if (isProbe(arrival)) return undefined;
  if (key === undefined || isPublic(arrival)) return senderWithoutKey(deps, address);
  const hash = hashOf(key);
  if (isSameSecret(hash, deps.settings.operatorKeyHash)) return undefined;
  const found = deps.keys.findByHash(hash);
  if (found) return isOver(found, deps.now()) ? undefined : senderWithKey(deps, found);
  const owner = networkOf(address);
  const bucket = deps.wrongKeys.look(owner, WRONG_KEYS.perSecond, WRONG_KEYS.burst);
  return bucket.ok ? undefined : { owner, refusal: refusals.rateLimited(bucket.resetS) };
}

/** A caller without a key shares limit and turns with all callers of its network. */
function senderWithoutKey({ withoutKey }: Counting, address: string): Sender {
  const network = networkOf(address);
  const owner = `without key ${network}`;
  const bucket = withoutKey.look(network, WITHOUT_KEY.perSecond, WITHOUT_KEY.burst);
  return bucket.ok ? { owner } : { owner, refusal: refusals.rateLimited(bucket.resetS) };
}

function senderWithKey(deps: Counting, { id, vaspId }: Key): Sender {
  const { requests } = deps;
  const { requestsPerSecond, burst } = quotasOf(deps, vaspId);
  const isSuspended = deps.tenants.find(vaspId)?.suspendedAt !== null;
  // Nothing else counts the requests of a suspended VASP.
  const bucket = (isSuspended ? requests.take : requests.look)(id, requestsPerSecond, burst);
  if (bucket.ok) return { owner: vaspId };
  const headers = limitHeaders(bucket, requestsPerSecond, burst);
  return { owner: vaspId, refusal: isSuspended ? refusals.suspended() : refusals.rateLimited(bucket.resetS, headers) };
}

const NEVER = new AbortController().signal;
const NO_KEY = 'This sandbox needs a key: send it as `Authorization: Bearer <key>`.';
const SCOPE_TEXTS: Record<Scope, string> = {
  full: 'This path is only for the operator.',
  read: 'The scope of this key is `read`: it may send only GET. Use a key with the scope `full`.',
  check: 'The scope of this key is `check`: it may send GET and run checks. Use a key with the scope `full`.',
};

/** RateLimit header fields of the IETF draft. */
const limitHeaders = ({ remaining, resetS }: Bucket, perSecond: number, burst: number) => ({
  'ratelimit-policy': `"requests";q=${burst};w=${perSecond === 0 ? 3_600 : Math.max(1, Math.ceil(burst / perSecond))}`,
  ratelimit: `"requests";r=${remaining};t=${resetS}`,
});

type KeyHolder = Pick<Extract<Caller, { role: 'vasp' }>, 'keyId' | 'vaspId'>;
/** Takes a request of the limit. Undefined: there was one. Otherwise the milliseconds until there may be one. */
type TakeRequest = () => number | undefined;

/**
 * The frames of WebSockets count as requests of their key. Those over the limit wait for their turn: a chain client knows
 * no status 429.
 */
function frameTurns(inTurn: InTurn) {
  const waiting = new Map<string, Set<() => void>>();

  function beginNext(key: string, take: TakeRequest): void {
    const queue = waiting.get(key)!;
    for (const begin of queue) {
      const waitMs = take();
      if (waitMs !== undefined) return void later(waitMs, () => beginNext(key, take));
      queue.delete(begin);
      begin();
    }
    waiting.delete(key);
  }

  return ({ keyId, vaspId }: KeyHolder, take: TakeRequest): Turns =>
    begin => {
      const beginInTurn = () => inTurn(vaspId, begin);
      return {
        ask() {
          const queue = waiting.get(keyId);
          if (queue) return void queue.add(beginInTurn);
          waiting.set(keyId, new Set([beginInTurn]));
          beginNext(keyId, take);
        },
        end: () => void waiting.get(keyId)?.delete(beginInTurn),
      };
    };
}
