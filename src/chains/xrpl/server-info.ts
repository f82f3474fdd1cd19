import { ChainRefused, ChainUnreachable, type Fee, FeeTooHigh } from '../port.ts';
import type { XrplConnection } from './connection.ts';

interface ServerInfo {
  network_id?: number;
  peers?: number;
  validation_quorum?: number;
  server_state?: string;
  last_close?: { proposers?: number };
  load_factor?: number;
  validated_ledger?: { base_fee_xrp: number; reserve_base_xrp: number; reserve_inc_xrp: number };
}
type Validated = ServerInfo & Required<Pick<ServerInfo, 'validated_ledger'>>;

const MAIN_NETWORK = 0;

/**
 * Checks that the server belongs to the configured network. Id 0, or no id, is the main network, unless the server
 * stands alone: it validates without peers, proposers and quorum. A server of the main network that lost its peers, or
 * has just started, still has its quorum, or no validated ledger.
 */
export function checkNetwork(result: unknown, networkId: number): void {
  const { info } = (result ?? {}) as { info?: ServerInfo };
  if (!info) throw new ChainUnreachable('server_info: an answer without info');
  const found = info.network_id ?? MAIN_NETWORK;
  if (found === MAIN_NETWORK && !standsAlone(info))
    throw new ChainRefused('network id 0 of a server that does not stand alone: the main network');
  if (found !== networkId) throw new ChainRefused(`the server's network id is ${found}, not ${networkId}`);
}

const standsAlone = (info: ServerInfo): boolean =>
  info.peers === 0 &&
  info.last_close?.proposers === 0 &&
  (info.validation_quorum ?? Number.POSITIVE_INFINITY) <= 1 &&
  info.server_state === 'full' &&
  info.validated_ledger !== undefined;

export async function serverInfo(connection: XrplConnection): Promise<Validated> {
  const { info } = await connection.request<{ info?: ServerInfo }>('server_info');
  if (!info?.validated_ledger) throw new ChainUnreachable('the server has no validated ledger');
  return { ...info, validated_ledger: info.validated_ledger };
}

/** The server gives XRP as a number with at most six decimals. */
export const toDrops = (xrp: number): bigint => BigInt(Math.round(xrp * 1_000_000));

const FEE_MARGIN = 1.2;
/** A bid that replaces a queued one must be this much higher. */
const REPLACEMENT = 1.25;

/** The base fee under the server's present load, with a margin. */
export function quoteFee({ load_factor = 1, validated_ledger }: Validated, cap: bigint, replaced?: Fee): Fee {
  const market = Math.ceil(Number(toDrops(validated_ledger.base_fee_xrp)) * load_factor * FEE_MARGIN);
  const least = replaced ? Math.ceil(Number(dropsOf(replaced)) * REPLACEMENT) : 0;
  const drops = BigInt(Math.max(market, least));
  if (drops > cap) throw new FeeTooHigh(`the network's fee is ${drops} drops, the cap is ${cap}`);
  return { drops: String(drops) };
}

export function dropsOf({ drops }: Fee): bigint {
  if (!drops) throw new TypeError('not a fee of the XRP Ledger');
  return BigInt(drops);
}
