import type { Broadcast, Numbers, Outgoing } from '../../../src/chains/payments.ts';
import type { Chain, TransactionState, Validity } from '../../../src/chains/port.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';

/** A ledger of one account, as small as the rules of numbers are: each is used once, and in order. */
export interface ModelLedger {
  chain: Chain;
  /** The state as any node tells it. */
  readonly mined: readonly Signed[];
  /** What the node does with the next submission. */
  answerNext(answer: Submission): void;
  /** The call after so many throws, as a kill in it would end the run. Undefined: none. */
  killAfter(calls: number | undefined): void;
  /** Happens while the wallet waits for the answer to the call after so many. */
  meanwhile(calls: number, happens: () => void): void;
  /** A block with at most so many of the waiting transactions. */
  mine(most: number): void;
  readonly head: number;
  /** Undefined: there is no such block. */
  hashAt(height: number): string | undefined;
  /** False: somebody was told that the newest block is final. */
  readonly mayBeReplaced: boolean;
  /** A transaction waits for a block. */
  readonly mayPay: boolean;
  /** Removes the newest block, a final one, too. Its transactions wait again, or are lost. */
  reorganise(areLost: boolean): void;
  /** Forgets the transactions that wait. */
  evict(): void;
  /** Forgets those that wait behind a gap, from now on. */
  dropQueued(): void;
  /** Another program uses the next number. */
  useByAnother(): void;
  /** Begins again with an empty block. */
  startOver(): void;
}

export interface Signed {
  hash: string;
  sequence: number;
  to: string;
  amount: bigint;
  /** Of the transfer. Empty: another program's. */
  reference: string;
  bid: number;
  validity?: Validity;
}
export type Submission = 'accepted' | 'lost' | 'arrived' | 'busy' | 'malformed' | 'fee-too-low';

const CONFIRMATIONS = 2;
const LEDGERS_TO_LIVE = 4;
export const ACCOUNT = '0xrobot';

export class Killed extends Error {}

export function modelLedger(symbol: AssetSymbol): ModelLedger {
  const isXrp = symbol === 'XRP';
  let blocks: Signed[][] = [[]];
  /** Each block has its own, also in the place of another one. */
  let hashes = ['block 0'];
  let made = 0;
  let pool: Signed[] = [];
  let next: Submission = 'accepted';
  let callsLeft: number | undefined;
  let callsUntil = 0;
  let happens: (() => void) | undefined;
  let foreign = 0;
  let toldFinal = -1;
  const valid = new Set<string>();
  const invalid = new Set<string>();

  const head = () => blocks.length - 1;
  const finalHeight = () => (isXrp ? head() : head() - CONFIRMATIONS + 1);
  const upTo = (height: number) => blocks.slice(0, Math.max(height, 0) + 1).flat();
  const nextAt = (height: number) => upTo(height).length;
  const pending = () => {
    let number = nextAt(head());
    while (pool.some(({ sequence }) => sequence === number)) number += 1;
    return number;
  };
  function add(block: Signed[]): void {
    blocks = [...blocks, block];
    hashes = [...hashes, `block ${++made}`];
  }
  /** One that has expired leaves a gap, too. */
  let dropsQueued = false;
  function dropBehindGap(): void {
    const end = pending();
    pool = pool.filter(({ sequence }) => sequence < end);
  }
  const expired = ({ validity }: Signed) => validity !== undefined && head() >= validity.lastLedgerSequence;
  const heightOf = (hash: string) => blocks.findIndex(block => block.some(each => each.hash === hash));

  function submit(signed: Signed): 'accepted' | 'already-known' | 'outbid' | 'expired' {
    if (signed.sequence < nextAt(head()) || pool.some(({ hash }) => hash === signed.hash)) return 'already-known';
    if (expired(signed)) return 'expired';
    const other = pool.find(({ sequence }) => sequence === signed.sequence);
    if (other && other.bid >= signed.bid) return 'outbid';
    pool = [...pool.filter(each => each !== other), signed];
    valid.add(signed.hash);
    return 'accepted';
  }
  function broadcast(bytes: string): Broadcast {
    const answer = next;
    next = 'accepted';
    if (answer === 'lost') return { status: 'unclear', code: '', text: '' };
    if (answer === 'busy' || answer === 'fee-too-low')
      return { status: 'rejected', final: false, reason: answer, code: '', text: answer };
    const { hash } = revived(bytes);
    // A node never changes its mind about bytes.
    if (invalid.has(hash) || (answer === 'malformed' && !valid.has(hash))) {
      invalid.add(hash);
      return { status: 'rejected', final: true, reason: 'malformed', code: '', text: 'malformed' };
    }
    const status = submit(revived(bytes));
    if (status === 'expired') return { status: 'rejected', final: false, reason: 'expired', code: '', text: 'expired' };
    return { status: answer === 'arrived' ? 'unclear' : status, code: '', text: '' };
  }
  function stateOf(hash: string, validity?: Validity): TransactionState {
    const height = heightOf(hash);
    if (height >= 0) {
      const isFinal = height <= finalHeight();
      if (isFinal) toldFinal = Math.max(toldFinal, height);
      return { status: isFinal ? 'final' : 'included', height, blockHash: hashes[height]!, succeeded: true };
    }
    if (pool.some(each => each.hash === hash)) return { status: 'pending' };
    return validity && head() >= validity.lastLedgerSequence ? { status: 'expired' } : { status: 'unknown' };
  }
  function outgoing(fromSequence: number, after: number): Outgoing {
    const payments = blocks
      .slice(after + 1, finalHeight() + 1)
      .flat()
      .filter(({ sequence }) => sequence >= fromSequence)
      .map(({ sequence, hash, to, amount, reference, bid }) => ({
        sequence,
        next: sequence + 1,
        hash,
        to: { account: to },
        amount,
        fee: { bid: String(bid) },
        ...(isXrp && reference !== '' ? { reference } : {}),
      }));
    return { payments, upTo: Math.max(after, finalHeight()) };
  }
  function numbers(): Numbers {
    const height = finalHeight();
    toldFinal = Math.max(toldFinal, height);
    return { next: pending(), finalized: nextAt(height), height };
  }

  /** A call to the node: the place where a process dies, or a network fails. */
  const called = async <T>(answer: () => T): Promise<T> => {
    if (callsLeft !== undefined && --callsLeft < 0) throw new Killed();
    const answered = answer();
    if (happens && --callsUntil < 0) {
      const happening = happens;
      happens = undefined;
      happening();
    }
    return answered;
  };
  const chain = {
    symbol,
    label: symbol,
    numbers: () => called(numbers),
    outgoing: (_: string, from: number, after: number) => called(() => outgoing(from, after)),
    stateOf: (hash: string, validity?: Validity) => called(() => stateOf(hash, validity)),
    broadcast: (bytes: string) => called(() => broadcast(bytes)),
    quoteFee: (_: unknown, replaced?: { bid?: string }) =>
      called(() => ({ bid: String(Number(replaced?.bid ?? 0) + 1) })),
    balanceOf: () => called(() => ({ total: 10n ** 30n, spendable: 10n ** 30n })),
    whyUnpayable: () => called(() => undefined),
    costOf: () => 1n,
    isFor: (payment: { reference?: string }, uuid: string) => payment.reference === uuid,
    ownAccount: () => ACCOUNT,
    sign: ({ to, amount, sequence, fee, reference = '' }: Parameters<Chain['sign']>[0]) =>
      called(() => {
        const life = { signedAfter: head(), lastLedgerSequence: head() + LEDGERS_TO_LIVE };
        const validity = isXrp ? { validity: life } : {};
        const what = { sequence, to: to.account, amount: String(amount), reference, bid: Number(fee.bid) };
        const bytes = JSON.stringify({ ...what, ...validity });
        return { bytes, hash: `hash ${bytes}`, ...validity };
      }),
  } as unknown as Chain;

  return {
    chain,
    get mayBeReplaced() {
      return head() > toldFinal;
    },
    get mayPay() {
      return pool.length > 0;
    },
    get head() {
      return head();
    },
    hashAt: height => hashes[height],
    get mined() {
      return blocks.flat();
    },
    answerNext(answer) {
      next = answer;
    },
    meanwhile(calls, what) {
      [callsUntil, happens] = [calls, what];
    },
    killAfter(calls) {
      callsLeft = calls;
    },
    mine(most) {
      const block: Signed[] = [];
      for (let left = most; left > 0; left--) {
        const number = nextAt(head()) + block.length;
        const found = pool.find(each => each.sequence === number && !expired(each));
        if (!found) break;
        block.push(found);
      }
      add(block);
      pool = pool.filter(each => each.sequence >= nextAt(head()) && !expired(each));
      if (dropsQueued) dropBehindGap();
    },
    reorganise(areLost) {
      if (isXrp || head() === 0) return;
      const removed = blocks.at(-1)!;
      blocks = blocks.slice(0, -1);
      hashes = hashes.slice(0, -1);
      if (!areLost) for (const each of removed) submit(each);
    },
    evict() {
      pool = [];
    },
    dropQueued() {
      dropsQueued = true;
      dropBehindGap();
    },
    useByAnother() {
      foreign += 1;
      const sequence = nextAt(head());
      const hash = `foreign ${foreign}`;
      add([{ hash, sequence, to: 'somebody', amount: 7n, reference: '', bid: 99 }]);
      pool = pool.filter(each => each.sequence > sequence);
    },
    startOver() {
      [blocks, hashes, pool, toldFinal] = [[[]], [`block ${++made}`], [], -1];
      for (const known of [valid, invalid]) known.clear();
    },
  };
}

function revived(bytes: string): Signed {
  const { amount, ...rest } = JSON.parse(bytes) as Omit<Signed, 'hash' | 'amount'> & { amount: string };
  return { ...rest, amount: BigInt(amount), hash: `hash ${bytes}` };
}
