import { shareNext } from '../../kernel/turns.ts';
import { type Broadcast, broadcastOf, type Meaning } from '../payments.ts';
import { ChainUnreachable, type Head, type Sending, type TransferOrder, type Validity } from '../port.ts';
import { balanceOf, invoiceIdOf, numbersOf, outgoing, whyUnpayable } from './account.ts';
import { dropsOf, quoteFee, serverInfo, type XrplConnection, XrplRefusal } from './connection.ts';
import type { XrplPayment, XrplWallet } from './wallet.ts';

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
  const payment: XrplPayment = {
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

interface Submitted {
  engine_result: string;
  engine_result_message: string;
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
    const answer = await connection.request<Submitted>('submit', { tx_blob: bytes }, ['invalidTransaction']);
    const { engine_result: code, engine_result_message: text } = answer;
    return broadcastOf(RESULT_CODES.find(([codes]) => codes.test(code))?.[1] ?? 'unclear', code, text);
  } catch (error) {
    if (error instanceof XrplRefusal)
      return broadcastOf({ final: true, reason: 'malformed' }, error.data.error, error.message);
    if (error instanceof ChainUnreachable) return broadcastOf('unclear', '', error.message);
    throw error;
  }
}
