import { isValidClassicAddress, isValidXAddress, xAddressToClassicAddress } from 'ripple-address-codec';
import type { Payment, SubmitResponse } from 'xrpl';
import { accountProblem, splitAddress } from '../contract/assets.ts';
import { interval } from '../kernel/clock.ts';
import { shareNext } from '../kernel/turns.ts';
import { type AddressForm, type Broadcast, broadcastOf, type Meaning } from './payments.ts';
import {
  type Chain,
  type ChainAddress,
  ChainUnreachable,
  type Execution,
  type Head,
  type InnerTransaction,
  type Sending,
  type TransactionLookup,
  type TransactionState,
  type TransferOrder,
  type Validity,
} from './port.ts';
import {
  balanceOf,
  deliveriesOf,
  escrowedIn,
  invoiceIdOf,
  numbersOf,
  outgoing,
  readAccount,
  whyUnpayable,
  type XrplMetadata,
  type XrplTransaction,
} from './xrpl/account.ts';
import {
  type ConnectionSettings,
  dropsOf,
  quoteFee,
  serverInfo,
  type XrplConnection,
  XrplRefusal,
  xrplConnection,
} from './xrpl/connection.ts';
import { beginningOf, genesisOf, readIncoming, validatedLedger } from './xrpl/incoming.ts';
import { type XrplWallet, xrplWallet } from './xrpl/wallet.ts';

export interface SendingSettings {
  networkId: number;
  /** Cap of a transaction's fee, in drops. */
  maxFeeDrops: bigint;
}

/** A transfer expires this many ledgers after it was signed. */
const LEDGERS_TO_LIVE = 20;
/** Transactions name their network only above this id. */
const LAST_UNNAMED_NETWORK = 1_024;

/** `ledger`: the newest validated one. */
export function xrplSending(
  connection: XrplConnection,
  own: XrplWallet,
  ledger: () => Promise<Head>,
  { networkId, maxFeeDrops }: SendingSettings,
): Sending {
  const info = shareNext(() => serverInfo(connection));
  return {
    balanceOf: account => balanceOf(connection, account),
    numbers: account => numbersOf(connection, account),
    findTransactionByNonce: async () => undefined,
    outgoing: async (account, fromSequence, after) =>
      outgoing(connection, account, fromSequence, { after, newest: (await ledger()).height }),
    quoteFee: async (_payment, replaced) => quoteFee(await info(), maxFeeDrops, replaced),
    whyUnpayable: to => whyUnpayable(connection, to),
    costOf: dropsOf,
    isFor: ({ reference }, what) => reference === undefined || reference === invoiceIdOf(what),
    async sign(order) {
      const { height } = await ledger();
      const validity = { signedAfter: height, lastLedgerSequence: height + LEDGERS_TO_LIVE };
      return sign(own, networkId, order, validity);
    },
    broadcast: bytes => broadcastXrpl(connection, bytes),
  };
}

function sign(wallet: XrplWallet, networkId: number, order: TransferOrder, validity: Validity) {
  const { to, sourceTag } = order;
  const common = {
    Account: wallet.address,
    Fee: dropsOf(order.fee).toString(),
    Sequence: order.sequence,
    LastLedgerSequence: validity.lastLedgerSequence,
    ...(networkId > LAST_UNNAMED_NETWORK ? { NetworkID: networkId } : {}),
  };
  const payment: Payment = {
    TransactionType: 'Payment',
    ...common,
    Destination: to.account,
    Amount: order.amount.toString(),
    ...(order.reference === undefined ? {} : { InvoiceID: invoiceIdOf(order.reference) }),
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
  };
  // The ledger takes no payment to oneself. Without a field this one changes nothing.
  const isEmpty = order.amount === 0n && to.account === wallet.address;
  const { blob: bytes, hash } = wallet.sign(isEmpty ? { TransactionType: 'AccountSet', ...common } : payment);
  return { bytes, hash, validity };
}

/** Every answer is provisional. The first matching row counts; a code without a row is `unclear`. */
const RESULT_CODES: readonly [RegExp, Meaning][] = [
  // A tec costs the fee and the Sequence when it is validated, and may still become a success.
  [/^(tesSUCCESS|terQUEUED|terPRE_SEQ|tec.*)$/, 'accepted'],
  [/^(tefPAST_SEQ|tefALREADY|tefNO_TICKET)$/, 'already-known'],
  [/^tefMAX_LEDGER$/, { final: false, reason: 'expired' }],
  [/^(telINSUF_FEE_P|telCAN_NOT_QUEUE_FEE)$/, { final: false, reason: 'fee-too-low' }],
  // A higher fee makes no room.
  [/^telCAN_NOT_QUEUE/, { final: false, reason: 'busy' }],
  [/^(terINSUF_FEE_B|terNO_ACCOUNT)$/, { final: false, reason: 'funds' }],
  [/^tem/, { final: true, reason: 'malformed' }],
  [/^(tef|tel.*NETWORK)/, { final: false, reason: 'refused' }],
];

async function broadcastXrpl(connection: XrplConnection, bytes: string): Promise<Broadcast> {
  try {
    const answer = await connection.request<SubmitResponse['result']>('submit', { tx_blob: bytes }, [
      'invalidTransaction',
    ]);
    const { engine_result: code, engine_result_message: text } = answer;
    return broadcastOf(RESULT_CODES.find(([codes]) => codes.test(code))?.[1] ?? 'unclear', code, text);
  } catch (error) {
    if (error instanceof XrplRefusal)
      return broadcastOf({ final: true, reason: 'malformed' }, error.data.error, error.message);
    if (error instanceof ChainUnreachable) return broadcastOf('unclear', '', error.message);
    throw error;
  }
}

export interface XrplConfig extends SendingSettings, ConnectionSettings {
  /** As shown to people, e.g. `Ripple (embedded)`. */
  networkName: string;
  /** Of the robot's one account. */
  seed: string;
  /** Wakes the reader in this interval, because a subscription can end without a notice. */
  rereadMs: number;
}

/** Deliveries of XRP to one shared address; the destination tag names the user. */
export function xrplChain(config: XrplConfig): Chain {
  const own = xrplWallet(config.seed);
  const calls = new Map<string, number>();
  let seenHead: Head | undefined;
  const connection = xrplConnection(config, command => void calls.set(command, (calls.get(command) ?? 0) + 1));
  const ledger = shareNext(() => validatedLedger(connection));
  return {
    symbol: 'XRP',
    label: config.networkName,
    networkId: config.networkId,
    finality: 'validated ledger',
    connect: connection.check,
    head: async () => {
      seenHead = await ledger();
      return seenHead;
    },
    get seenHead() {
      return seenHead;
    },
    calls,
    // A validated ledger is never replaced.
    onBehalfOf: (_, work) => work(),
    isInChain: async () => true,
    genesis: () => genesisOf(connection),
    beginning() {
      seenHead = undefined;
      return beginningOf(connection);
    },
    parseAddress: parseXrpAddress,
    otherForm: xrpForm,
    ownAccount: () => own.address,
    async incoming(cursor, accounts) {
      const { page, head } = await readIncoming(connection, cursor, accounts);
      seenHead = head;
      return page;
    },
    stateOf: (txHash, validity) => stateOf(connection, ledger, txHash, validity),
    lookup: (txHash, account) => lookup(connection, txHash, account),
    onHead(wake) {
      const stops = [connection.onLedger(wake), interval(config.rereadMs, wake)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    ...xrplSending(connection, own, ledger, config),
    close: connection.close,
  };
}

/** D-08: exact; `r…` or `r…:tag` with a canonical decimal tag. No X-addresses. */
export function parseXrpAddress(text: string): ChainAddress | undefined {
  if (accountProblem('XRP', text) !== undefined) return undefined;
  const [account, tag] = splitAddress(text);
  return tag === undefined ? { account } : { account, tag: Number(tag) };
}

/**
 * An address and its tag in any text: `[xrpl:<network>:] … <address> … [<label>] <tag> …`. One address, and one tag at
 * most: a number with a label, or the only number that is no member of a query.
 */
const ADDRESS = /r[1-9A-HJ-NP-Za-km-z]{24,34}/g;
const NETWORK = /^xrpl:\d{1,10}:/i;
const X_ADDRESS = /[XT][1-9A-HJ-NP-Za-km-z]{45,50}/g;
const TAGGED = /(?<![a-z])(?:dt|(?:(?:destination|dest|to)[\s_-]*)?tag)[^a-z0-9]*(\d+)(?![a-z0-9])/gi;
const MEMO = /(?<![a-z])memo[^a-z0-9]*(\d+)(?![a-z0-9])/gi;
const MEMBER = /[a-z_]+=[^&\s]*/gi;
const MAX_TAG = 0xffff_ffff;

/** As `Chain.otherForm`. */
function xrpForm(text: string): AddressForm | undefined {
  const trimmed = text.trim();
  const [x, ...more] = (trimmed.match(X_ADDRESS) ?? []).filter(isValidXAddress);
  if (x !== undefined && more.length === 0 && !/\d/.test(trimmed.replace(x, ''))) {
    const { classicAddress, tag } = xAddressToClassicAddress(x);
    return { name: 'an X-address', address: addressOf(classicAddress, tag === false ? undefined : `${tag}`) };
  }
  const [account, ...others] = (trimmed.match(ADDRESS) ?? []).filter(isValidClassicAddress);
  if (account === undefined || others.length > 0) return undefined;
  const [before, after] = trimmed.replace(NETWORK, '').split(account) as [string, string];
  const around = `${before} ${after}`;
  const labelled = numbersBy(TAGGED, around) ?? numbersBy(MEMO, around);
  const [tag, ...rest] = new Set(labelled ?? around.replace(MEMBER, ' ').match(/\d+/g) ?? []);
  const name = NETWORK.test(trimmed) ? 'a CAIP-10 account' : nameOf(before, after, labelled !== undefined);
  return name === undefined || rest.length > 0 || !isTag(tag) ? undefined : { name, address: addressOf(account, tag) };
}

/** Undefined: no number has this label. */
function numbersBy(label: RegExp, text: string): string[] | undefined {
  const found = [...text.matchAll(label)].map(([, number]) => number!);
  return found.length > 0 ? found : undefined;
}

/** Undefined: it is the form of messages, right or wrong (D-08). */
function nameOf(before: string, after: string, hasLabel: boolean): string | undefined {
  if (after.startsWith('?')) return 'an address with the tag as a query';
  if (/^[a-z].*:(?:\/\/)?$/i.test(before) && /^(?::\d+)?$/.test(after)) return 'a payment URI';
  if (hasLabel) return 'an address with the tag in words';
  if (before === '' && /^(?::.*)?$/.test(after)) return undefined;
  return 'an address with another mark before the tag';
}

const isTag = (tag: string | undefined): boolean =>
  tag === undefined || (/^(?:0|[1-9]\d*)$/.test(tag) && Number(tag) <= MAX_TAG);

const addressOf = (account: string, tag: string | undefined): string =>
  tag === undefined ? account : `${account}:${tag}`;

interface TxResult {
  validated?: boolean;
  ledger_index: number;
  ledger_hash: string;
  close_time_iso: string;
  tx_json: XrplTransaction;
  meta: XrplMetadata;
}

const HASH = /^[0-9A-F]{64}$/i;

/**
 * A transfer has expired only when its last ledger is validated and the server has every ledger that could hold it. A
 * server with a gap in its history proves nothing. `newest` reads the newest validated ledger.
 */
export async function stateOf(
  connection: XrplConnection,
  newest: () => Promise<Head>,
  txHash: string,
  validity?: Validity,
): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  // Before the search: a ledger that comes later was not searched.
  const isOver = validity !== undefined && (await hasLedgers(connection, await newest(), validity));
  const found = await find(connection, txHash);
  // A server keeps what it was sent, also when no ledger takes it any more.
  if (isOver && !found?.validated) return { status: 'expired' };
  return found ? stateFrom(found) : { status: 'unknown' };
}

/**
 * By `complete_ledgers`: `2-9,12`, or `empty`. The `searched_all` of a `tx` is no proof: rippled counts no ledger without
 * transactions.
 */
async function hasLedgers(connection: XrplConnection, { height }: Head, validity: Validity): Promise<boolean> {
  const { signedAfter, lastLedgerSequence } = validity;
  if (height < lastLedgerSequence) return false;
  const { complete_ledgers = '' } = await serverInfo(connection);
  return complete_ledgers.split(',').some(part => {
    const [first, last = first] = part.split('-').map(Number);
    return first! <= signedAfter + 1 && lastLedgerSequence <= last!;
  });
}

/** As `Chain.lookup`. */
export async function lookup(connection: XrplConnection, txHash: string, account?: string): Promise<TransactionLookup> {
  const missing: TransactionLookup = { state: { status: 'unknown' }, transfers: [] };
  if (!HASH.test(txHash)) return missing;
  const found = await find(connection, txHash);
  if (!found) return missing;
  const state = stateFrom(found);
  if (!found.validated) return { state, transfers: [] };
  const at = Date.parse(found.close_time_iso);
  const { tx_json, meta, ledger_index } = found;
  const inner = isBatch(tx_json) && account && (await innerOf(connection, tx_json, ledger_index, account));
  const transfers = deliveriesOf(tx_json, meta);
  const escrowed = escrowedIn(tx_json, meta);
  return { state, at, transfers, ...(inner ? { inner } : {}), ...(escrowed ? { escrowed } : {}) };
}

/** Undefined: the server does not know it. */
async function find(connection: XrplConnection, transaction: string): Promise<TxResult | undefined> {
  try {
    return await connection.request<TxResult>('tx', { transaction }, ['txnNotFound']);
  } catch (error) {
    if (error instanceof XrplRefusal) return undefined;
    throw error;
  }
}

function stateFrom({ validated, ledger_index, ledger_hash, meta }: TxResult): TransactionState {
  if (!validated) return { status: 'pending' };
  return { status: 'final', height: ledger_index, blockHash: ledger_hash, ...executionOf(meta) };
}

const executionOf = ({ TransactionResult: code = 'no result' }: XrplMetadata): Execution =>
  code === 'tesSUCCESS' ? { succeeded: true } : { succeeded: false, failure: code };

/** D-37: a Batch moves nothing itself. Its inner transactions stand in the same ledger, each with its own hash. */

interface Batch extends XrplTransaction {
  RawTransactions: readonly { RawTransaction: XrplTransaction }[];
}

const isBatch = (transaction: XrplTransaction): transaction is Batch =>
  transaction.TransactionType === 'Batch' && Array.isArray((transaction as Partial<Batch>).RawTransactions);

/** The inner transactions that paid `account`. Throws `ChainUnreachable`. */
async function innerOf(
  connection: XrplConnection,
  { RawTransactions }: Batch,
  ledgerIndex: number,
  account: string,
): Promise<InnerTransaction[]> {
  const places = new Set(RawTransactions.map(({ RawTransaction }) => placeOf(RawTransaction)));
  const range = { ledger_index_min: ledgerIndex, ledger_index_max: ledgerIndex };
  return (await readAccount(connection, account, range))
    .filter(({ validated, tx_json }) => validated === true && places.has(placeOf(tx_json)))
    .map(({ hash, tx_json, meta = {} }) => ({
      txHash: hash,
      transfers: deliveriesOf(tx_json, meta).filter(({ to }) => to.account === account),
    }))
    .filter(({ transfers }) => transfers.length > 0);
}

/** One sender uses a Sequence or a ticket once. */
const placeOf = ({ Account, Sequence = 0, TicketSequence = 0 }: XrplTransaction): string =>
  `${Account} ${Sequence} ${TicketSequence}`;
