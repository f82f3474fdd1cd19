import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Tells requests for this program from requests that a foreign web page sends. A page may send requests to any address
 * (`no-cors`), and its own name may lead to this machine (DNS rebinding). The browser always says who asks.
 */
export interface OwnHosts {
  /** The reason to refuse a request or a WebSocket handshake. Undefined: it is welcome. */
  check(request: IncomingMessage): Foreign | undefined;
}
/**
 * `host` and `origin` belong to nobody here; `devnet-origin`: for an embedded chain. `no-host`: the header is missing.
 * `two-hosts`: it came again.
 */
export type Foreign = 'no-host' | 'two-hosts' | 'host' | 'origin' | 'devnet-origin';

interface Address {
  /** In lower case, without brackets. */
  name: string;
  /** Undefined: the default port of the protocol. */
  port: number | undefined;
}

/** Names that lead to the machine itself, or out of a container to it, and belong to nobody on the internet. */
const LOCAL_NAMES =
  /^(?:(?:[^.]+\.)*localhost|docker|(?:host|gateway)\.docker\.internal|host\.containers\.internal|127(?:\.\d{1,3}){3}|::1)$/;
const READING = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** A probe may ask by any name, and reads nothing that a foreign page could use. With HTTP/1.0 it names none. */
const OPEN_PATH = /^\/(?:healthcheck|readyz|metrics)(?:\?|$)/;
const DEVNET = /^\/devnet(?:[/?]|$)/;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

interface HostSettings {
  host: string;
  /** Hosts beside the loopback names, with or without a port. */
  hosts: readonly string[];
  /** Origins of pages and browser extensions that may use the embedded chains. Default: none. */
  origins?: readonly string[];
  /** The address that browsers use, such as that of a proxy. */
  publicUrl?: string | undefined;
  /** D-41: a request may name any IP address, because only a name can be rebound. Default: false. */
  anyAddress?: boolean;
  /** The host that the client named. Default: the header `Host`. */
  hostOf?(request: IncomingMessage): string | undefined;
}

export function ownHosts({
  host: listensOn,
  hosts,
  origins = [],
  publicUrl,
  anyAddress = false,
  hostOf,
}: HostSettings): OwnHosts {
  const named = hosts.map(parseHost).filter(each => each !== undefined);
  const publicAddress = publicUrl === undefined ? undefined : parseOrigin(publicUrl);
  const isNamed = ({ name, port }: Address) =>
    named.some(each => each.name === name && (each.port === undefined || each.port === port));
  const isOwnName = (address: Address, request: IncomingMessage) =>
    LOCAL_NAMES.test(address.name) ||
    address.name === listensOn.toLowerCase() ||
    address.name === localAddress(request) ||
    address.name === publicAddress?.name ||
    isNamed(address);

  const mayName = (host: Address, request: IncomingMessage) =>
    isOwnName(host, request) || (anyAddress && isIP(host.name) !== 0);

  function isOwnOrigin(from: Address, host: Address, request: IncomingMessage): boolean {
    if (isNamed(from) || (from.name === publicAddress?.name && from.port === publicAddress.port)) return true;
    const ports = [request.socket.localPort, ...(host.port === undefined ? [80, 443] : [host.port])];
    return ports.includes(from.port) && (from.name === host.name || isOwnName(from, request));
  }
  return {
    check(request) {
      const { origin, 'sec-fetch-site': site = '' } = request.headers;
      const header = (hostOf?.(request) ?? request.headers.host) || '';
      const path = request.url ?? '/';
      const isOpen = OPEN_PATH.test(path);
      if (header === '') return isOpen && request.httpVersion === '1.0' ? undefined : 'no-host';
      if (hostsIn(request.rawHeaders) > 1) return 'two-hosts';
      const host = parseHost(header);
      if (!isOpen) {
        if (!host || !mayName(host, request)) return 'host';
        const target = absoluteHost(path);
        if (target !== undefined && target !== header) return 'host';
      }
      const isHandshake = request.headers.upgrade?.toLowerCase() === 'websocket';
      const isOfDevnet = DEVNET.test(path);
      const isPreflight = isOfDevnet && request.headers['access-control-request-method'] !== undefined;
      const isChange = isHandshake || isPreflight || !READING.has(request.method ?? '');
      if (!isChange) return undefined;
      if (isOfDevnet && origins.includes(origin?.toLowerCase() ?? '')) return undefined;
      const foreign = isOfDevnet ? 'devnet-origin' : 'origin';
      if (site === 'cross-site' || site === 'same-site') return foreign;
      if (origin === undefined) return undefined;
      const from = parseOrigin(origin);
      return host && from && isOwnOrigin(from, host, request) ? undefined : foreign;
    },
  };
}

/** An IPv6 address in its shortest form and without a zone, as `URL` takes it: `[::ffff:127.0.0.1]`, `[fe80::1%25eth0]`. */
export function plainHost(host: string): string {
  const address = host.replace(/^(\[[^\]%]+)%[^\]]*/, '$1');
  return host.startsWith('[') && URL.canParse(`http://${address}`) ? new URL(`http://${address}`).host : host;
}

/** `[::1]:8080`, `localhost`, `robot.example:443` */
export function parseHost(text: string): Address | undefined {
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(plainHost(text)) ?? [];
  if (name === undefined) return undefined;
  return { name: plain(name), port: port === undefined ? undefined : Number(port) };
}

function parseOrigin(origin: string): Address | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname, port } = new URL(origin);
  const fallback = DEFAULT_PORTS[protocol];
  if (hostname === '' || fallback === undefined) return undefined;
  return { name: plain(hostname), port: port === '' ? fallback : Number(port) };
}

const plain = (name: string): string => name.toLowerCase().replace(/^\[|\]$|\.$/g, '');

const localAddress = (request: IncomingMessage): string | undefined =>
  request.socket.localAddress?.replace(/^::ffff:/, '');

/** Node keeps the first one, and a proxy may believe another (RFC 9112, 3.2). */
const hostsIn = (rawHeaders: readonly string[] = []): number =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;

/** The host of a request target that is a whole address: `GET http://robot.example/ HTTP/1.1`. */
const absoluteHost = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];

const LOOPBACK = 'localhost,127.0.0.1,::1,[::1]';

/**
 * With `NODE_USE_ENV_PROXY` Node's `fetch` uses `HTTP_PROXY` for this machine too, where no proxy gets through. It reads these
 * variables again at every call.
 */
export function useNoProxyForLoopback(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of ['no_proxy', 'NO_PROXY'])
    if (!env[name]?.endsWith(LOOPBACK)) env[name] = [env[name], LOOPBACK].filter(Boolean).join(',');
}

/** Where a program is reached that listens at every address: Windows opens no page of 0.0.0.0. */
const REACHED_AT: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address of a program on this machine. `host`: where it listens. */
export function servedAt(host: string, port: number | string): string {
  const name = REACHED_AT[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Codes of Node.js: the certificate of the other side is not trusted. */
export const NOT_TRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME)/;
/** Codes of Node.js: the other side speaks TLS, and has ended the handshake. */
export const TLS_ALERT = /^ERR_SSL_.*_ALERT_/;
/** Codes of Node.js: the other side does not speak TLS. */
export const NO_TLS = /^(ERR_SSL_(?!.*_ALERT_)|EPROTO)/;
