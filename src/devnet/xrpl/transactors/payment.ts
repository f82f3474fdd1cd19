import { ZERO_ADDRESS } from '../addresses.ts';
import { definitions } from '../definitions.ts';
import { type AccountRoot, newAccount } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { type Amount, assetOf, isXrp, quantityOf, sameAsset } from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { isDepositAuthorized } from './deposit-preauth.ts';
import { type Pay, payTokens } from './token-payment.ts';
import { type ApplyContext, lacksTag, type Payee, receiveXrp, sourceAccount, type Transactor } from './transactor.ts';

const { tfLimitQuality, tfNoRippleDirect, tfPartialPayment } = definitions.TRANSACTION_FLAGS.Payment;

/** XRP and tokens. Paths of its own, and a token for another token, are answered with temDISABLED. */
export const payment: Transactor<Pay> = { preflight, preclaim, apply };

const isMpt = (amount: unknown): boolean => amount instanceof Object && 'mpt_issuance_id' in amount;

const isPositive = (amount: Amount): boolean => quantityOf(amount) > 0n;

function preflight({ json, flags }: Transaction<Pay>): Failure {
  const { Amount, SendMax, DeliverMin } = json;
  if ([Amount, SendMax, DeliverMin].some(isMpt)) return 'temDISABLED';
  if (json.Destination === ZERO_ADDRESS) return 'temDST_NEEDED';
  if (SendMax !== undefined && !isPositive(SendMax)) return 'temBAD_AMOUNT';
  if (!isPositive(Amount)) return 'temBAD_AMOUNT';
  const xrpDirect = isXrp(Amount) && (SendMax === undefined || isXrp(SendMax));
  if (json.Account === json.Destination && json.Paths === undefined && areOneAsset(Amount, SendMax ?? Amount))
    return 'temREDUNDANT';
  if (xrpDirect) {
    const unfit = checkXrpDirect(json, flags);
    if (unfit) return unfit;
  } else if (json.Paths !== undefined || !isOffered(Amount, SendMax ?? Amount)) return 'temDISABLED';
  if (DeliverMin === undefined) return undefined;
  const fits = flags & tfPartialPayment && isPositive(DeliverMin) && areOneAsset(DeliverMin, Amount);
  return fits ? undefined : 'temBAD_AMOUNT';
}

const areOneAsset = (a: Amount, b: Amount): boolean => sameAsset(assetOf(a), assetOf(b));

/** Tokens are exchanged for XRP only. */
const isOffered = (amount: Amount, sendMax: Amount): boolean =>
  isXrp(amount) || isXrp(sendMax) || amount.currency === sendMax.currency;

function checkXrpDirect(json: Pay, flags: number): Failure {
  if (json.SendMax !== undefined) return 'temBAD_SEND_XRP_MAX';
  if (json.Paths !== undefined) return 'temBAD_SEND_XRP_PATHS';
  if (flags & tfPartialPayment) return 'temBAD_SEND_XRP_PARTIAL';
  if (flags & tfLimitQuality) return 'temBAD_SEND_XRP_LIMIT';
  return flags & tfNoRippleDirect ? 'temBAD_SEND_XRP_NO_DIRECT' : undefined;
}

function preclaim({ tx, view, open, fees }: ApplyContext<Pay>): Failure {
  const { json, flags } = tx;
  const destination = view.account(json.Destination);
  if (destination) return lacksTag(tx, destination) ? 'tecDST_TAG_NEEDED' : undefined;
  if (!isXrp(json.Amount)) return 'tecNO_DST';
  if (open && flags & tfPartialPayment) return 'telNO_DST_PARTIAL';
  return BigInt(json.Amount) < fees.reserveBase ? 'tecNO_DST_INSUF_XRP' : undefined;
}

function apply(context: ApplyContext<Pay>): Failure {
  const { json } = context.tx;
  return isXrp(json.Amount) && json.SendMax === undefined ? payXrp(context) : payOtherwise(context);
}

/** DepositAuth admits no token from a stranger, however small the payment. */
function payOtherwise(context: ApplyContext<Pay>): Failure {
  const { tx, view, ledgerIndex } = context;
  const address = tx.json.Destination;
  const destination = view.account(address);
  if (destination && !isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  if (!destination) view.writeAccount(newAccount(address, ledgerIndex, 0n));
  return payTokens(context);
}

function payXrp(context: ApplyContext<Pay>): Failure {
  const { tx, view, fees, ledgerIndex, priorBalance } = context;
  const amount = BigInt(tx.json.Amount as string);
  const address = tx.json.Destination;
  const fee = tx.fee ?? 0n;
  const reserve = accountReserve(fees, sourceAccount(context).OwnerCount);
  // The fee may dip into the reserve, the amount may not.
  if (priorBalance < amount + (reserve > fee ? reserve : fee)) return 'tecUNFUNDED_PAYMENT';
  const destination = view.account(address) ?? newAccount(address, ledgerIndex, 0n);
  if (!acceptsDeposit(context, destination, amount)) return 'tecNO_PERMISSION';
  view.addXrp(sourceAccount(context), -amount);
  receiveXrp(view, destination, amount);
}

export const isTo = ({ json }: Transaction, payee: Payee | undefined): boolean =>
  payee !== undefined && json.Destination === payee.account && json.DestinationTag === payee.tag;

/** DepositAuth does not block small payments to an account that is short of its reserve. */
function acceptsDeposit({ tx, view, fees, refusing }: ApplyContext<Pay>, to: AccountRoot, amount: bigint) {
  if (isTo(tx, refusing)) return false;
  if (amount <= fees.reserveBase && BigInt(to.Balance) <= fees.reserveBase) return true;
  return isDepositAuthorized(view, tx.account, to);
}
