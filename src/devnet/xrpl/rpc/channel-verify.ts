import { decodeAccountPublic } from 'ripple-address-codec';
import { fromHex, parseHash, parseHex, toHex } from '../hash.ts';
import { publicKeyType, verifySignature } from '../signature.ts';
import { type Json, missingField, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

const CLAIM_PREFIX = Buffer.from('CLM\0', 'latin1');
const MAX_DROPS = 2n ** 64n;

/** Checks the signature of a payment channel claim. The channel need not exist. */
export function channelVerify({ params }: RpcRequest): Json {
  for (const field of ['public_key', 'channel_id', 'amount', 'signature'])
    if (params[field] === undefined) throw missingField(field);
  const publicKey = publicKeyOf(params.public_key);
  const channel = parseHash(params.channel_id);
  if (!channel) throw rpcError('channelMalformed');
  const drops = dropsOf(params.amount);
  const signature = parseHex(params.signature);
  if (signature === undefined) throw rpcError('invalidParams');
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64BE(drops);
  const message = Buffer.concat([CLAIM_PREFIX, fromHex(channel), amount]);
  return { signature_verified: verifySignature(message, signature, publicKey) };
}

function publicKeyOf(text: unknown): string {
  const hex = typeof text === 'string' ? (fromBase58(text) ?? parseHex(text)) : undefined;
  if (hex === undefined || !publicKeyType(hex)) throw rpcError('publicMalformed');
  return hex;
}

function fromBase58(text: string): string | undefined {
  try {
    return toHex(decodeAccountPublic(text));
  } catch {
    return undefined;
  }
}

function dropsOf(amount: unknown): bigint {
  if (typeof amount !== 'string' || !/^\d{1,20}$/.test(amount) || BigInt(amount) >= MAX_DROPS)
    throw rpcError('channelAmtMalformed');
  return BigInt(amount);
}
