/**
 * A node's answer to a broadcast, with its own `code` and `text`. None of it is proof of payment.
 * - accepted: it waits for a block, as far as this node is concerned
 * - already-known: the node has it, or another one with its sequence: look up every hash signed with that sequence
 * - outbid: another one with its sequence waits, and this bid is too low to replace it: look up, then bid more
 * - unclear: treat it as sent
 * - rejected: this node does not have it; `final`: no node will ever accept these bytes
 */
export type Broadcast = { code: string; text: string } & (
  | { status: 'accepted' | 'already-known' | 'outbid' | 'unclear' }
  | { status: 'rejected'; final: boolean; reason: Rejection }
);
/** What an answer means: its status, or why it is rejected. */
export type Meaning =
  | Exclude<Broadcast['status'], 'rejected'>
  | Omit<Extract<Broadcast, { status: 'rejected' }>, 'status' | 'code' | 'text'>;

export const broadcastOf = (meaning: Meaning, code: string, text: string): Broadcast =>
  typeof meaning === 'string'
    ? { status: meaning, code, text }
    : { status: 'rejected', ...meaning, code, text };

type Rejection =
  | 'fee-too-low'
  | 'fee-too-high'
  | 'funds'
  | 'sequence-gap'
  | 'expired'
  | 'busy'
  | 'refused'
  | 'malformed';
