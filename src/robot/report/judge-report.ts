import type { MissingNumbers, TransactionState } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol, addressText, hashOddity } from '../../contract/assets.ts';
import { REPORT_VERDICTS, type ReportVerdict } from '../../contract/plan-list.ts';
import { record } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { addFinding } from '../../findings/store.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';

export interface NamedTransfer {
  /** Position among the transfers of value of its transaction. Null: unknown. D-25 */
  index: number | null;
  account: string;
  tag: number | null;
  /** Decimal text in coins. */
  amount: string;
  /** The block in which it was seen first. */
  height: number;
  /** It may be credited, and waits for the originating VASP to name it. */
  waits: boolean;
  /** The other verification to which it is credited, in words: a VASP learns no id of another one. */
  usedBy: string | null;
}

interface ReportFacts {
  txHash: string;
  /** Hosted mode: another VASP has submitted it. */
  isOfAnother: boolean;
  state: TransactionState;
  /** It waits with this number until its sender has sent the missing ones. */
  waitsFor?: { number: number; missing: MissingNumbers } | undefined;
  transfers: readonly NamedTransfer[];
  /** D-37: the inner transactions of a Batch that paid the account. Empty: it is none, or none of them has. */
  inner: readonly { txHash: string; transfers: readonly NamedTransfer[] }[];
  /** The transaction is an EscrowCreate, which has locked this payment. */
  escrowed?: Pick<NamedTransfer, 'account' | 'tag' | 'amount'> | undefined;
  /** D-36: the transaction in a block that has used the number of the named one. */
  replacement?: Replacement | undefined;
  /** After this time without a node that knows the hash it counts as not found. */
  isOverdue: boolean;
}

interface Replacement {
  txHash: string;
  state: Extract<TransactionState, { blockHash: string }>;
  transfers: readonly NamedTransfer[];
}

interface ReportFinding {
  verdict: ReportVerdict;
  expected: string;
  got: string;
}

type Awaited = Pick<Expectation, 'symbol' | 'account' | 'tag' | 'amount' | 'vout' | 'verifiedHeight'>;

/** D-24: what became of the named transaction. CREDITED is decided by the credit itself. */
export function judgeReport(awaited: Awaited, facts: ReportFacts): ReportFinding {
  const { state, txHash, replacement } = facts;
  if (facts.isOfAnother)
    return {
      verdict: 'OF-ANOTHER-VASP',
      expected: `${paymentText(awaited)} in a transaction that this VASP has submitted`,
      got: 'a transaction that another VASP has submitted',
    };
  if (replacement) return replaced(awaited, txHash, replacement);
  switch (state.status) {
    case 'unknown':
    case 'expired':
      return unknownHash(awaited, facts);
    case 'pending':
      return notFinal(waiting(facts));
    case 'included':
      return notFinal(`in block ${state.height}, which is not final yet`);
    case 'final':
      if (state.succeeded) return judgeSuccess(awaited, facts, state.height);
      return {
        verdict: 'REVERTED',
        expected: `${paymentText(awaited)} in a transaction that succeeded`,
        got: `the transaction failed in block ${state.height}: ${state.failure}`,
      };
  }
}

function unknownHash({ symbol }: Awaited, { txHash, isOverdue }: ReportFacts): ReportFinding {
  const oddity = hashOddity(symbol, txHash);
  const form = symbol === 'ETH' ? '0x and 64 hexadecimal digits' : '64 hexadecimal digits';
  return {
    verdict: isOverdue ? 'NOT-FOUND' : 'AWAITED',
    expected: oddity ? (oddity.shouldBe ?? `a hash: ${form}`) : 'a transaction that a node knows',
    got: `no node knows ${txHash}${oddity ? `: ${oddity.what}` : ''}`,
  };
}

function waiting({ waitsFor }: ReportFacts): string {
  if (!waitsFor) return 'in no block yet';
  const { numbers, unknownFrom } = waitsFor.missing;
  const unknown = unknownFrom === undefined ? '' : `; those from ${unknownFrom} on were not looked up`;
  return `in no block yet: its number (nonce) is ${waitsFor.number}, and its sender has sent no transaction with these numbers: ${numbers.join(', ')}${unknown}`;
}

const notFinal = (got: string): ReportFinding => ({
  verdict: 'NOT-FINAL',
  expected: 'a transaction in a final block',
  got,
});

/** D-36 */
function replaced(awaited: Awaited, txHash: string, { txHash: other, state, transfers }: Replacement): ReportFinding {
  const what = state.succeeded
    ? transfers.some(transfer => isCreditable(awaited, transfer))
      ? `has paid ${paymentText(awaited)}: report it instead`
      : transfers.length === 0
        ? 'has paid nothing: the payment was cancelled'
        : `has paid ${listed(awaited.symbol, transfers)}`
    : `has failed: ${state.failure}`;
  return {
    verdict: 'REPLACED',
    expected: `${txHash}: ${paymentText(awaited)}`,
    got: `${other} in block ${state.height} has used the nonce of its sender, and ${what}`,
  };
}

/** D-37: a Batch is no payment. It is judged by its inner transactions, but only the hash of one of them is credited. */
function judgeSuccess(awaited: Awaited, { transfers, inner, escrowed }: ReportFacts, height: number): ReportFinding {
  if (escrowed) return inEscrow(awaited, escrowed);
  const paying = inner.find(each => each.transfers.some(transfer => isCreditable(awaited, transfer)));
  if (!paying) return judgeTransfers(awaited, [...transfers, ...inner.flatMap(each => each.transfers)], height);
  return {
    verdict: 'BATCH',
    expected: `the hash of the transaction that has paid ${paymentText(awaited)}`,
    got: `the hash of a Batch; its inner transaction ${paying.txHash} has paid it`,
  };
}

/** Nobody is paid before the EscrowFinish, which has its own hash. */
const inEscrow = (awaited: Awaited, escrowed: NonNullable<ReportFacts['escrowed']>): ReportFinding => ({
  verdict: 'WRONG-RECIPIENT',
  expected: paymentText(awaited),
  got: `an EscrowCreate, which pays nobody: it locks ${paymentText({ symbol: awaited.symbol, ...escrowed })}; report the EscrowFinish that delivers them`,
});

const isCreditable = (awaited: Awaited, transfer: NamedTransfer): boolean =>
  isSamePayment(awaited, transfer) &&
  transfer.usedBy === null &&
  isAtVout(awaited, transfer.index) &&
  isAfterVerified(awaited, transfer.height);

function judgeTransfers(awaited: Awaited, transfers: readonly NamedTransfer[], height: number): ReportFinding {
  const named = transfers.filter(({ index }) => isAtVout(awaited, index));
  const fitting = named.filter(transfer => isSamePayment(awaited, transfer));
  const free = fitting.find(({ usedBy }) => usedBy === null);
  if (free && isAfterVerified(awaited, free.height))
    return notFinal(`in block ${height}, ${free.waits ? LATER_CLAIM : 'which the robot has not read yet'}`);
  if (free)
    return {
      verdict: 'PAID-BEFORE-VERIFIED',
      expected: `${paymentText(awaited)} in a block after ${awaited.verifiedHeight}, the newest block at VERIFIED`,
      got: `in block ${free.height}`,
    };
  const [used] = fitting;
  if (used) return alreadyUsed(awaited, used);
  const isElsewhere = transfers.some(transfer => isSamePayment(awaited, transfer));
  if (awaited.vout !== null && (named.length === 0 || isElsewhere))
    return {
      verdict: 'WRONG-VOUT',
      expected: `${paymentText(awaited)} (vout ${awaited.vout})`,
      got: listedWithPositions(awaited.symbol, transfers),
    };
  return wrongPayment(awaited, named);
}

/** D-50 */
const LATER_CLAIM = 'and a later verification of the same payment may name it, too';

/** Of the transfers that do not fit the nearest one counts: same tag, then same address. */
function wrongPayment(awaited: Awaited, transfers: readonly NamedTransfer[]): ReportFinding {
  const atAccount = transfers.filter(({ account }) => account === awaited.account);
  const atTag = atAccount.filter(({ tag }) => tag === awaited.tag);
  const unused = atTag.find(({ usedBy }) => usedBy === null);
  if (!unused && atTag[0]) return alreadyUsed(awaited, atTag[0]);
  const verdict = unused ? 'WRONG-AMOUNT' : atAccount.length > 0 ? 'WRONG-TAG' : 'WRONG-RECIPIENT';
  const nearest = unused ? [unused] : atAccount.length > 0 ? atAccount : transfers;
  return { verdict, expected: paymentText(awaited), got: listed(awaited.symbol, nearest) };
}

const alreadyUsed = (awaited: Awaited, { usedBy }: NamedTransfer): ReportFinding => ({
  verdict: 'ALREADY-USED',
  expected: `${paymentText(awaited)} that no other verification has used`,
  got: `credited to ${usedBy}`,
});

/** D-18: recipient, tag and amount are equal. */
export const isSamePayment = (
  awaited: Pick<Awaited, 'account' | 'tag' | 'amount'>,
  transfer: Pick<NamedTransfer, 'account' | 'tag' | 'amount'>,
): boolean =>
  awaited.account === transfer.account && awaited.tag === transfer.tag && awaited.amount === transfer.amount;

/** D-25: without `vout` every position counts, and an unknown position may be any. */
export const isAtVout = ({ vout }: Pick<Awaited, 'vout'>, index: number | null): boolean =>
  vout === null || index === null || vout === String(index);

/** D-18: in a block after the one that was the newest at VERIFIED. `height`: `countedHeight` of a deposit. */
export const isAfterVerified = ({ verifiedHeight }: Pick<Awaited, 'verifiedHeight'>, height: number) =>
  verifiedHeight === null || height > verifiedHeight;

export const paymentText = ({
  symbol,
  account,
  tag,
  amount,
}: Pick<Awaited, 'symbol' | 'account' | 'tag' | 'amount'>): string =>
  `${amount} ${symbol} → ${addressText(account, tag)}${ASSETS[symbol].destinationTag && tag === null ? ' without a tag' : ''}`;

const MAX_LISTED = 5;

/** The positions are left out of the usual case: a payment that is the whole transaction. */
function listed(symbol: AssetSymbol, transfers: readonly NamedTransfer[]): string {
  const [only] = transfers;
  if (only && transfers.length === 1 && only.index === 0) return paymentText({ symbol, ...only });
  return listedWithPositions(symbol, transfers);
}

function listedWithPositions(symbol: AssetSymbol, transfers: readonly NamedTransfer[]): string {
  if (transfers.length === 0) return 'no transfer of value';
  const texts = transfers.slice(0, MAX_LISTED).map(transfer => {
    const position = transfer.index === null ? '' : ` (vout ${transfer.index})`;
    return paymentText({ symbol, ...transfer }) + position;
  });
  const more = transfers.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** D-24: keeps the verdict on the named transaction. The same verdict again changes nothing. */
export function setVerdict(
  deps: RobotDeps,
  tx: Tx,
  expectation: Expectation,
  { verdict, expected, got }: ReportFinding,
): Expectation {
  if (expectation.verdict === verdict && expectation.verdictGot === got) return expectation;
  const { verificationUuid, vaspId, txHash, vout } = expectation;
  const at = deps.clock.now(vaspId);
  const patch = { verdict, verdictExpected: expected, verdictGot: got, verdictAt: at };
  expectations.patch(tx, verificationUuid, patch);
  const { meaning, advice } = REPORT_VERDICTS[verdict];
  record(tx, {
    machine: 'report',
    rowKey: verificationUuid,
    verificationUuid,
    from: expectation.verdict,
    event: verdict,
    to: verdict,
    at,
    cause: `${meaning} ${advice}`,
    detail: { txHash, vout, expected, got },
  });
  if (verdict === 'PAID-BEFORE-VERIFIED')
    addFinding(tx, { verificationUuid, vaspId, code: verdict, field: 'txHash', expected, got, at });
  return { ...expectation, ...patch };
}

/** The verdict on the transaction that was named before, or on a credit that was taken back, does not count any more. */
export const NOT_JUDGED = { verdict: null, verdictExpected: null, verdictGot: null, verdictAt: null };

/** Verdicts after which a block, or a reorganisation, may bring the named transaction all the same. */
const MAY_STILL_CHANGE: ReadonlySet<string> = new Set(['NOT-FOUND', 'REPLACED']);
export const mayChange = ({ verdict }: Expectation): boolean =>
  verdict === null || MAY_STILL_CHANGE.has(verdict) || REPORT_VERDICTS[verdict].kind === 'waiting';
