import type { ReadView } from '../entries.ts';
import { defaultBaseFee, type Fees } from '../fees.ts';
import type { Transaction } from '../signature.ts';
import type { TransactionType } from '../transaction-types.ts';
import { accountDelete, accountSet, depositPreauth, setRegularKey, signerListSet, ticketCreate } from './account.ts';
import { escrowCancel, escrowCreate, escrowFinish } from './escrow.ts';
import { offerCreate } from './offer-create.ts';
import { payment } from './payment.ts';
import type { Transactor } from './transactor.ts';
import { trustSet } from './trust-line.ts';

const OFFERED: Readonly<Record<TransactionType, Transactor>> = {
  Payment: payment,
  AccountSet: accountSet,
  SetRegularKey: setRegularKey,
  SignerListSet: signerListSet,
  DepositPreauth: depositPreauth,
  AccountDelete: accountDelete,
  TicketCreate: ticketCreate,
  TrustSet: trustSet,
  OfferCreate: offerCreate,
  EscrowCreate: escrowCreate,
  EscrowFinish: escrowFinish,
  EscrowCancel: escrowCancel,
};

/** By transaction type. Undefined: the ledger does not offer the type. */
export const TRANSACTORS: Readonly<Record<string, Transactor>> = OFFERED;

/** The minimum fee of a transaction without load, in drops. */
export const baseFee = (tx: Transaction, view: ReadView, fees: Fees): bigint =>
  TRANSACTORS[tx.type]?.baseFee?.(tx, view, fees) ?? defaultBaseFee(tx, fees);
