import { shareNext } from '../../kernel/share-next.ts';
import type { Head, Sending, TransferOrder, Validity } from '../port.ts';
import { balanceOf, invoiceIdOf, outgoing, sequenceOf, whyUnpayable } from './account.ts';
import { broadcastXrpl } from './broadcast.ts';
import type { XrplConnection } from './connection.ts';
import { dropsOf, quoteFee, serverInfo } from './server-info.ts';
import type { XrplWallet, XrpPayment } from './wallet.ts';

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
    nextSequence: account => sequenceOf(connection, account, 'current'),
    finalizedSequence: account => sequenceOf(connection, account, 'validated'),
    findTransactionByNonce: async () => undefined,
    outgoing: (account, fromSequence, after) => outgoing(connection, account, fromSequence, after),
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
  const payment: XrpPayment = {
    Account: wallet.address,
    Destination: to.account,
    Amount: order.amount.toString(),
    Fee: dropsOf(order.fee).toString(),
    ...(order.reference === undefined ? {} : { InvoiceID: invoiceIdOf(order.reference) }),
    Sequence: order.sequence,
    LastLedgerSequence: validity.lastLedgerSequence,
    ...(to.tag === undefined ? {} : { DestinationTag: to.tag }),
    ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
    ...(networkId > LAST_UNNAMED_NETWORK ? { NetworkID: networkId } : {}),
  };
  const { blob: bytes, hash } = wallet.sign(payment);
  return { bytes, hash, validity };
}
