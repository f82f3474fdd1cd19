import { ZERO_ADDRESS } from '../addresses.ts';
import { type AccountRoot, newAccount } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { type Amount, assetOf, isXrp, quantityOf, sameAsset, type TokenAmount } from '../quantities.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import { isDepositAuthorized } from './deposit-preauth.ts';
import { payTokens } from './token-payment.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

const TF_NO_RIPPLE_DIRECT = 0x00010000;
const TF_PARTIAL_PAYMENT = 0x00020000;
const TF_LIMIT_QUALITY = 0x00040000;

/** XRP and tokens. Paths of its own, and a token for another token, are answered with temDISABLED. */
export const payment: Transactor = {
  fields: {
    Destination: 'required',
    Amount: 'required',
    SendMax: 'optional',
    Paths: 'optional',
    InvoiceID: 'optional',
    DestinationTag: 'optional',
    DeliverMin: 'optional',
    CredentialIDs: 'optional',
    DomainID: 'optional',
  },
  flags: TF_NO_RIPPLE_DIRECT | TF_PARTIAL_PAYMENT | TF_LIMIT_QUALITY,
  preflight,
  preclaim,
  apply,
};

const isMpt = (amount: unknown): boolean => amount instanceof Object && 'mpt_issuance_id' in amount;

const isPositive = (amount: unknown): boolean => quantityOf(amount as Amount) > 0n;

function preflight({ json, flags }: Transaction): Result {
  const { Amount, SendMax, DeliverMin } = json;
  if (json.CredentialIDs !== undefined || json.DomainID !== undefined) return 'temDISABLED';
  if ([Amount, SendMax, DeliverMin].some(isMpt)) return 'temDISABLED';
  if (json.Destination === ZERO_ADDRESS) return 'temDST_NEEDED';
  if (SendMax !== undefined && !isPositive(SendMax)) return 'temBAD_AMOUNT';
  if (!isPositive(Amount)) return 'temBAD_AMOUNT';
  const xrpDirect = isXrp(Amount) && (SendMax === undefined || isXrp(SendMax));
  if (json.Account === json.Destination && json.Paths === undefined && areOneAsset(Amount, SendMax ?? Amount))
    return 'temREDUNDANT';
  if (xrpDirect) {
    const unfit = checkXrpDirect(json, flags);
    if (unfit !== 'tesSUCCESS') return unfit;
  } else if (json.Paths !== undefined || !isOffered(Amount, SendMax ?? Amount)) return 'temDISABLED';
  if (DeliverMin === undefined) return 'tesSUCCESS';
  const fits = flags & TF_PARTIAL_PAYMENT && isPositive(DeliverMin) && areOneAsset(DeliverMin, Amount);
  return fits ? 'tesSUCCESS' : 'temBAD_AMOUNT';
}

const areOneAsset = (a: unknown, b: unknown): boolean =>
  sameAsset(assetOf(a as Amount), assetOf(b as Amount));

/** Tokens are exchanged for XRP only. */
const isOffered = (amount: unknown, sendMax: unknown): boolean =>
  isXrp(amount) || isXrp(sendMax) || (amount as TokenAmount).currency === (sendMax as TokenAmount).currency;

function checkXrpDirect(json: Transaction['json'], flags: number): Result {
  if (json.SendMax !== undefined) return 'temBAD_SEND_XRP_MAX';
  if (json.Paths !== undefined) return 'temBAD_SEND_XRP_PATHS';
  if (flags & TF_PARTIAL_PAYMENT) return 'temBAD_SEND_XRP_PARTIAL';
  if (flags & TF_LIMIT_QUALITY) return 'temBAD_SEND_XRP_LIMIT';
  return flags & TF_NO_RIPPLE_DIRECT ? 'temBAD_SEND_XRP_NO_DIRECT' : 'tesSUCCESS';
}

function preclaim({ tx, view, open, fees }: ApplyContext): Result {
  const { json, flags } = tx;
  const destination = view.account(json.Destination as string);
  if (destination) {
    if (destination.Flags & ACCOUNT_FLAGS.requireDestTag && json.DestinationTag === undefined)
      return 'tecDST_TAG_NEEDED';
  } else {
    if (!isXrp(json.Amount)) return 'tecNO_DST';
    if (open && flags & TF_PARTIAL_PAYMENT) return 'telNO_DST_PARTIAL';
    if (BigInt(json.Amount) < fees.reserveBase) return 'tecNO_DST_INSUF_XRP';
  }
  return 'tesSUCCESS';
}

function apply(context: ApplyContext): Result {
  const { json } = context.tx;
  return isXrp(json.Amount) && json.SendMax === undefined ? payXrp(context) : payOtherwise(context);
}

/** DepositAuth admits no token from a stranger, however small the payment. */
function payOtherwise(context: ApplyContext): Result {
  const { tx, view, ledgerIndex } = context;
  const address = tx.json.Destination as string;
  const destination = view.account(address);
  if (destination && !isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  if (!destination) view.writeAccount(newAccount(address, ledgerIndex, 0n));
  return payTokens(context);
}

function payXrp(context: ApplyContext): Result {
  const { tx, view, fees, ledgerIndex, priorBalance } = context;
  const amount = BigInt(tx.json.Amount as string);
  const address = tx.json.Destination as string;
  const fee = tx.fee ?? 0n;
  const reserve = accountReserve(fees, sourceAccount(context).OwnerCount);
  // The fee may dip into the reserve, the amount may not.
  if (priorBalance < amount + (reserve > fee ? reserve : fee)) return 'tecUNFUNDED_PAYMENT';
  const destination = view.account(address) ?? newAccount(address, ledgerIndex, 0n);
  if (!acceptsDeposit(context, destination, amount)) return 'tecNO_PERMISSION';
  const payer = sourceAccount(context);
  view.writeAccount({ ...payer, Balance: (BigInt(payer.Balance) - amount).toString() });
  view.writeAccount({
    ...destination,
    Flags: (destination.Flags & ~ACCOUNT_FLAGS.passwordSpent) >>> 0,
    Balance: (BigInt(destination.Balance) + amount).toString(),
  });
  return 'tesSUCCESS';
}

/** DepositAuth does not block small payments to an account that is short of its reserve. */
function acceptsDeposit({ tx, view, fees }: ApplyContext, to: AccountRoot, amount: bigint): boolean {
  if (amount <= fees.reserveBase && BigInt(to.Balance) <= fees.reserveBase) return true;
  return isDepositAuthorized(view, tx.account, to);
}
