import { shareNext } from '../../kernel/share-next.ts';
import type { Head, Sending, TransferOrder, Validity } from '../port.ts';
import { balanceOf, invoiceIdOf, numbersOf, outgoing, whyUnpayable } from './account.ts';
import { broadcastXrpl } from './broadcast.ts';
import type { XrplConnection } from './connection.ts';
import { dropsOf, quoteFee, serverInfo } from './server-info.ts';
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
