import { ZERO_ADDRESS } from '../addresses.ts';
import { type AccountRoot, depositPreauthKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { ZERO_HASH } from '../hash.ts';
import type { ReadView } from '../ledger-view.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import { addOwned, removeOwned } from './owned-entries.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

/** Authorisation by account. Authorisation by credentials is answered with temDISABLED. */
export const depositPreauth: Transactor = {
  fields: {
    Authorize: 'optional',
    Unauthorize: 'optional',
    AuthorizeCredentials: 'optional',
    UnauthorizeCredentials: 'optional',
  },
  flags: 0,
  preflight,
  preclaim,
  apply,
};

/** True: DepositAuth of `to` admits a deposit from `from`. */
export const isDepositAuthorized = (view: ReadView, from: string, to: AccountRoot): boolean =>
  !(to.Flags & ACCOUNT_FLAGS.depositAuth) ||
  from === to.Account ||
  view.read(depositPreauthKey(to.Account, from)) !== undefined;

function preflight({ json }: Transaction): Result {
  const { Authorize, Unauthorize, AuthorizeCredentials, UnauthorizeCredentials } = json;
  if (AuthorizeCredentials !== undefined || UnauthorizeCredentials !== undefined) return 'temDISABLED';
  if ((Authorize === undefined) === (Unauthorize === undefined)) return 'temMALFORMED';
  if ((Authorize ?? Unauthorize) === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
  return Authorize === json.Account ? 'temCANNOT_PREAUTH_SELF' : 'tesSUCCESS';
}

function preclaim({ tx, view }: ApplyContext): Result {
  const { Authorize, Unauthorize } = tx.json as { Authorize?: string; Unauthorize?: string };
  const exists = view.read(depositPreauthKey(tx.account, Authorize ?? Unauthorize ?? ZERO_ADDRESS));
  if (Authorize === undefined) return exists ? 'tesSUCCESS' : 'tecNO_ENTRY';
  if (!view.account(Authorize)) return 'tecNO_TARGET';
  return exists ? 'tecDUPLICATE' : 'tesSUCCESS';
}

function apply(context: ApplyContext): Result {
  const { tx, view, fees, priorBalance } = context;
  const { Authorize, Unauthorize } = tx.json as { Authorize?: string; Unauthorize?: string };
  if (Authorize === undefined) {
    removeOwned(view, tx.account, depositPreauthKey(tx.account, Unauthorize ?? ZERO_ADDRESS));
    return 'tesSUCCESS';
  }
  if (priorBalance < accountReserve(fees, sourceAccount(context).OwnerCount + 1))
    return 'tecINSUFFICIENT_RESERVE';
  addOwned(view, tx.account, depositPreauthKey(tx.account, Authorize), {
    LedgerEntryType: 'DepositPreauth',
    Flags: 0,
    Account: tx.account,
    Authorize,
    PreviousTxnID: ZERO_HASH,
    PreviousTxnLgrSeq: 0,
  });
  return 'tesSUCCESS';
}
