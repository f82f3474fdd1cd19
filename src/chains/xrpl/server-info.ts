import { ChainUnreachable, type Fee, FeeTooHigh } from '../port.ts';
import type { XrplConnection } from './connection.ts';

export interface ServerInfo {
  load_factor?: number;
  validated_ledger: { base_fee_xrp: number; reserve_base_xrp: number; reserve_inc_xrp: number };
}

export async function serverInfo(connection: XrplConnection): Promise<ServerInfo> {
  const { info } = await connection.request<{ info?: Partial<ServerInfo> }>('server_info');
  if (!info?.validated_ledger) throw new ChainUnreachable('the server has no validated ledger');
  return { ...info, validated_ledger: info.validated_ledger };
}

/** The server gives XRP as a number with at most six decimals. */
export const toDrops = (xrp: number): bigint => BigInt(Math.round(xrp * 1_000_000));

const FEE_MARGIN = 1.2;
/** A bid that replaces a queued one must be this much higher. */
const REPLACEMENT = 1.25;

/** The base fee under the server's present load, with a margin. */
export function quoteFee(
  { load_factor = 1, validated_ledger }: ServerInfo,
  cap: bigint,
  replaced?: Fee,
): Fee {
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
