import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Proxies = ReturnType<typeof trustedProxies>;

/** Proxies whose `X-Forwarded-…` headers count. Without any, nobody's do. `networks`: CIDR. */
export function trustedProxies(networks: readonly string[]) {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  const isTrusted = (address: string): boolean =>
    networks.length > 0 && isIP(address) !== 0 && list.check(address, familyOf(address));
  return {
    isTrusted,
    /** The client's address: the last one that no trusted proxy has. */
    addressOf(request: IncomingMessage): string {
      let address = plain(request.socket.remoteAddress ?? '');
      for (const next of forwarded(request, 'x-forwarded-for').reverse()) {
        if (!isTrusted(address) || isIP(next) === 0) break;
        address = next;
      }
      return address;
    },
    /** The host that the client named. */
    hostOf(request: IncomingMessage): string | undefined {
      const [named] = forwarded(request, 'x-forwarded-host');
      const isProxy = isTrusted(plain(request.socket.remoteAddress ?? ''));
      return isProxy && named !== undefined ? named : request.headers.host;
    },
  };
}

/** For limits: whoever has an IPv6 address has the 2^64 of its network. `bits`: of a network of IPv4. */
export const networkOf = (address: string, bits = 32): string =>
  isIP(address) === 0
    ? address
    : ipaddr
        .parse(address)
        .toByteArray()
        .slice(0, isIP(address) === 6 ? 8 : bits / 8)
        .join('.');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 client of an IPv6 socket has its own address. */
export const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

const forwarded = ({ headers }: IncomingMessage, name: string): string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map(plain)
    .filter(each => each !== '');
