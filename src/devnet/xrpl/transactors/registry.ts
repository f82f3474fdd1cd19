import { flagBitsOf } from '../definitions.ts';
import { defaultBaseFee, type Fees, type ReadView } from '../entries.ts';
import type { Failure } from '../results.ts';
import { type Transaction, ZERO_ADDRESS } from '../signature.ts';
import type { TransactionType } from '../transaction-types.ts';
import { accountDelete, accountSet, depositPreauth, setRegularKey, signerListSet, ticketCreate } from './account.ts';
import { escrowCancel, escrowCreate, escrowFinish } from './escrow.ts';
import { offerCreate } from './offer-create.ts';
import { payment } from './payment.ts';
import type { Transactor } from './transactor.ts';
import { trustSet } from './trust-line.ts';

/** By transaction type. Undefined: the ledger does not offer the type. */
export const TRANSACTORS: Readonly<Record<string, Transactor>> = {
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
} satisfies Record<TransactionType, Transactor>;

/** The minimum fee of a transaction without load, in drops. */
export const baseFee = (tx: Transaction, view: ReadView, fees: Fees): bigint =>
  TRANSACTORS[tx.type]?.baseFee?.(tx, view, fees) ?? defaultBaseFee(tx, fees);

/** Transactions of networks up to this id carry no NetworkID. */
const LAST_LEGACY_NETWORK = 1024;
const MAX_DROPS = 10n ** 17n;

/** The fields of amendments that this ledger does not have. */
const UNOFFERED_FIELDS = [
  'AuthorizeCredentials',
  'CredentialIDs',
  'Delegate',
  'DomainID',
  'Sponsor',
  'SponsorFlags',
  'SponsorSignature',
  'UnauthorizeCredentials',
];

/** Checks a transaction without the ledger. */
export function preflight(tx: Transaction, networkId: number): Failure {
  const transactor = TRANSACTORS[tx.type];
  if (!transactor || UNOFFERED_FIELDS.some(field => tx.json[field] !== undefined)) return 'temDISABLED';
  const network = checkNetwork(tx.json.NetworkID as number | undefined, networkId);
  if (network) return network;
  if (tx.flags & ~flagBitsOf(tx.type)) return 'temINVALID_FLAG';
  if (tx.account === ZERO_ADDRESS) return 'temBAD_SRC_ACCOUNT';
  if (tx.fee === undefined || tx.fee > MAX_DROPS) return 'temBAD_FEE';
  if (tx.ticket !== undefined && tx.json.AccountTxnID !== undefined) return 'temINVALID';
  return transactor.preflight?.(tx);
}

function checkNetwork(stated: number | undefined, own: number): Failure {
  if (own <= LAST_LEGACY_NETWORK) return stated === undefined ? undefined : 'telNETWORK_ID_MAKES_TX_NON_CANONICAL';
  if (stated === undefined) return 'telREQUIRES_NETWORK_ID';
  return stated === own ? undefined : 'telWRONG_NETWORK';
}
