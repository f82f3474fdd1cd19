import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type Broadcast, broadcastOf, type Meaning } from '../payments.ts';
import { ChainUnreachable } from '../port.ts';
import type { EthereumNode } from './node.ts';

/**
 * Nodes agree neither on codes nor on texts, so the text decides. The first matching row counts. Without a match the
 * answer is unclear: the transaction may have been sent.
 */
const KNOWN_REFUSALS: readonly [RegExp, Meaning][] = [
  [/already (known|imported|exists|in)|known transaction|alreadyknown|tx with same hash/i, 'already-known'],
  [/replacement.*(underpriced|too low|notallowed)|underpriced.*replacement|(too low to|could not) replace/i, 'outbid'],
  [/nonce (is )?too low|old ?nonce|nonce.*(already|been) used|nonce_too_low/i, 'already-known'],
  [/nonce (is )?too (high|distant|far)|nonce ?gap/i, { final: false, reason: 'sequence-gap' }],
  [/(insufficient|enough) ?(funds|balance)|cost exceeds account balance/i, { final: false, reason: 'funds' }],
  [/exceeds the configured cap/i, { final: false, reason: 'fee-too-high' }],
  [
    /less than block base fee|underpriced|(fee|price|tip)[a-z ]*(too low|below)|feetoolow|too low for the next block/i,
    { final: false, reason: 'fee-too-low' },
  ],
  [/pool is full|already reserved|limit reached/i, { final: false, reason: 'busy' }],
  // Narrow on purpose: bytes wrongly taken for worthless would be paid a second time.
  [
    /gas limit too high|exceeds block gas limit|invalid (sender|signature|chain ?id)|intrinsic gas too low|failed to decode (signed )?transaction|oversized data/i,
    { final: true, reason: 'malformed' },
  ],
];

export async function broadcastEthereum(node: EthereumNode, bytes: string): Promise<Broadcast> {
  try {
    return broadcastOf('accepted', '', await node.ask<string>('eth_sendRawTransaction', bytes));
  } catch (error) {
    if (error instanceof RpcRefusal) return classify(String(error.code), error.message);
    if (error instanceof ChainUnreachable) return broadcastOf('unclear', '', error.message);
    throw error;
  }
}

function classify(code: string, text: string): Broadcast {
  const meaning = KNOWN_REFUSALS.find(([words]) => words.test(text))?.[1] ?? 'unclear';
  return broadcastOf(meaning, code, text);
}
