import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Handshakes, handshakes } from './handshakes.ts';
import { MAX_ANSWER_BYTES } from './port.ts';

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
