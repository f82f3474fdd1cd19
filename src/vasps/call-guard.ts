import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { elapsedMs, sleep } from '../kernel/clock.ts';
import type { CallWatch } from '../kernel/http-client.ts';
import { CallFailure } from '../kernel/http-exchange.ts';
import { watchStalls, workOfTurn } from '../kernel/stall.ts';
import { limitPerKey } from '../kernel/turns.ts';
import { HANDSHAKE_WAIT_MS, MAX_ANSWER_BYTES, MAX_HANDSHAKE_WAIT_MS } from './port.ts';

/** Decides which addresses the program calls on behalf of a VASP. */
export interface CallGuard {
  /** Continues "The address"; undefined: the text of the address is allowed. A name is resolved only at the connection. */
  problemOf(url: string): string | undefined;
  /** Resolves a name when a connection is made, to the addresses that are allowed. Fails with `AddressNotAllowed`. */
  lookup?: LookupFunction;
  maxAnswerBytes: number;
  /** Undefined: no handshake waits. */
  handshakes?: Handshakes;
}

/** The local mode: the tester calls what he likes. */
export const noGuard: CallGuard = { problemOf: () => undefined, maxAnswerBytes: MAX_ANSWER_BYTES };

export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  readonly code = 'ADDRESS-NOT-ALLOWED';
  constructor(problem: string) {
    super(`ADDRESS-NOT-ALLOWED: the address ${problem}.`);
  }
}

export interface GuardSettings {
  /** Special networks that are allowed, as CIDR. */
  allowed: readonly string[];
  allowHttp: boolean;
  /** DNS servers as `ip` or `ip:port`. Empty: those of the system. */
  dnsServers: readonly string[];
}

const OPEN_PORTS = [443, 8443];
const FIRST_FREE_PORT = 1024;
const NOT_PUBLIC = 'should be a public one';
const HOSTED_ANSWER_BYTES = 64 * 1024;

export function callGuard({ allowed, allowHttp, dnsServers }: GuardSettings): CallGuard {
  const networks = allowed.map(network => ipaddr.parseCIDR(network));
  const isAllowed = (text: string): boolean => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return networks.some(network => isWithin(address, network)) || isPublic(address);
  };
  const isLoopbackAllowed = isAllowed('127.0.0.1') || isAllowed('::1');
  const resolve = resolveBy(dnsServers);

  return {
    maxAnswerBytes: HOSTED_ANSWER_BYTES,
    handshakes: handshakes(),
    problemOf(url) {
      const { protocol, username, password, port, hostname } = new URL(url);
      if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) return 'should begin with https://';
      if (username !== '' || password !== '') return 'should have no user name and no password';
      const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
      if (!OPEN_PORTS.includes(number) && number < FIRST_FREE_PORT)
        return 'should have port 443, 8443 or one above 1023';
      const name = hostname.replace(/^\[|\]$|\.$/g, '');
      if (ipaddr.isValid(name)) return isAllowed(name) ? undefined : NOT_PUBLIC;
      return isLoopbackName(name) && !isLoopbackAllowed ? NOT_PUBLIC : undefined;
    },
    lookup(hostname, options, callback) {
      const fail = (error: Error) => callback(error, []);
      resolve(hostname).then(found => {
        const addresses = found.filter(({ address }) => isAllowed(address));
        const [first] = addresses;
        if (!first) fail(new AddressNotAllowed(NOT_PUBLIC));
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      }, fail);
    },
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** Of IPv6, only the addresses that the internet routes. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6));

/** RFC 6761: it is no name of the DNS. */
const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const isLoopbackName = (name: string): boolean => /(^|\.)localhost$/i.test(name);

/**
 * By the DNS and not by `getaddrinfo`: of that two run at a time, so names of one VASP whose server does not answer would
 * keep all others waiting.
 */
function resolveBy(servers: readonly string[]): (name: string) => Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async name => {
    if (isLoopbackName(name)) return THIS_MACHINE;
    const both = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = both.flatMap((each, index) =>
      each.status === 'fulfilled' ? each.value.map(address => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    if (addresses.length === 0 && both[0].status === 'rejected') throw both[0].reason;
    return addresses;
  };
}

/**
 * A server chooses the certificates that this thread checks. As many as `MAX_HANDSHAKE_BYTES` holds take up to a fifth of a
 * second. So a VASP has one handshake at a time, and none for a while after one that failed: the longer, the longer it
 * kept this thread. A server whose last handshake succeeded waits for nothing, and may fail once: it may have started anew.
 * A failure stops the other handshakes of its VASP before their certificates are read, and their calls begin again.
 *
 * One that kept this thread makes all servers of its VASP unknown, and stops the handshakes of all VASPs. None begins until
 * twice its time has passed. So all VASPs together take at most a third of this thread, and each of them about 1/3,600.
 */

const MAX_KEPT = 10_000;
/** A failure that kept this thread for at least this time is costly. */
const COSTLY_MS = 30;
/** Its VASP waits for its time, multiplied by this. */
const WAIT_OF_COSTLY = 3_600;
const REST_OF_COSTLY = 2;

type Watch = NonNullable<CallWatch['onConnection']>;
type Stop = Parameters<Watch>[1];
type Calling<T> = (watch: Watch) => Promise<T>;
interface Guarded<T> {
  vaspId: string;
  server: string;
  call: Calling<T>;
  signal: AbortSignal | undefined;
}
type Handshakes = ReturnType<typeof handshakes>;

export function handshakes() {
  const known = new Set<string>();
  const failures = new Map<string, Failure>();
  const underWay = new Map<Stop, string>();
  const oneOfEach = limitPerKey(1);
  let restUntil = 0;

  function watched<T>({ vaspId, server, call, signal }: Guarded<T>, whenMade = () => {}): Promise<T> {
    const wasKnown = known.has(server);
    let isFailing = false;
    let handshake: Stop | undefined;
    let unwatch = () => {};
    const end = () => {
      unwatch();
      if (handshake) underWay.delete(handshake);
    };
    const watch: Watch = (state, stop) => {
      isFailing = state === 'opened';
      if (state === 'begun') {
        handshake = stop;
        unwatch = watchStalls();
        underWay.set(stop, vaspId);
        if (isResting() || (wasKnown && !known.has(server))) stop(failedBefore());
      }
      if (state !== 'made') return;
      end();
      keep(known, known.add(server));
      whenMade();
    };
    return call(watch)
      .catch(error => {
        if (isFailing && !isStopped(error) && !signal?.aborted) noteFailure(vaspId, server, wasKnown);
        throw error;
      })
      .finally(() => {
        end();
        whenMade();
      });
  }
  function noteFailure(vaspId: string, server: string, wasKnown: boolean): void {
    const now = elapsedMs();
    const keptMs = workOfTurn();
    const isLong = isCostly({ keptMs });
    const last = failures.get(vaspId);
    const waits = isLong || !wasKnown || (last !== undefined && isRecent(last));
    known.delete(server);
    failures.delete(vaspId);
    keep(failures, failures.set(vaspId, { at: now, keptMs, waits }));
    if (isLong) restUntil = now + keptMs * REST_OF_COSTLY;
    for (const each of known) if (isLong && each.startsWith(`${vaspId} `)) known.delete(each);
    for (const [stop, owner] of underWay) if (isLong || owner === vaspId) stop(failedBefore());
  }
  function refuse(vaspId: string): void {
    const last = failures.get(vaspId);
    if (last?.waits && isRecent(last))
      throw isCostly(last) ? new CallFailure('HANDSHAKE-TOO-LONG-BEFORE') : failedBefore();
  }
  const isResting = () => elapsedMs() < restUntil;
  async function begin<T>(guarded: Guarded<T>): Promise<T> {
    const { vaspId, server } = guarded;
    if (known.has(server)) return watched(guarded);
    const [calling] = await oneOfEach(vaspId, async () => {
      // It may have become known meanwhile.
      if (known.has(server)) return [watched(guarded)];
      refuse(vaspId);
      if (isResting()) throw failedBefore();
      let begun: Promise<T> | undefined;
      await new Promise<void>(resolve => {
        begun = watched(guarded, resolve);
        begun.catch(() => {});
      });
      return [begun!];
    });
    return calling;
  }
  return {
    /**
     * `call` tells what becomes of its connection, and is called again after its handshake was stopped. A call that
     * `signal` ends is no failure of the server. Throws `CallFailure` too.
     */
    async during<T>(vaspId: string, origin: string, call: Calling<T>, signal?: AbortSignal): Promise<T> {
      const guarded = { vaspId, server: `${vaspId} ${origin}`, call, signal };
      for (;;) {
        try {
          return await begin(guarded);
        } catch (error) {
          if (!isStopped(error)) throw error;
          refuse(vaspId);
          while (isResting()) await sleep(restUntil - elapsedMs());
        }
      }
    },
  };
}

interface Failure {
  at: number;
  /** How long it kept this thread. */
  keptMs: number;
  /** No handshake with a server that is not known begins. */
  waits: boolean;
}

const isCostly = ({ keptMs }: Pick<Failure, 'keptMs'>): boolean => keptMs >= COSTLY_MS;
const waitOf = ({ keptMs }: Failure): number =>
  Math.min(MAX_HANDSHAKE_WAIT_MS, Math.max(HANDSHAKE_WAIT_MS, keptMs * WAIT_OF_COSTLY));
const isRecent = (failure: Failure): boolean => elapsedMs() - failure.at < waitOf(failure);

const failedBefore = () => new CallFailure('HANDSHAKE-FAILED-BEFORE');
const isStopped = (error: unknown): boolean => error instanceof CallFailure && error.code === 'HANDSHAKE-FAILED-BEFORE';

/** The oldest one goes. */
function keep(keys: Pick<Set<string>, 'keys' | 'delete'>, { size }: { size: number }): void {
  const [oldest] = size > MAX_KEPT ? keys.keys() : [];
  if (oldest !== undefined) keys.delete(oldest);
}
