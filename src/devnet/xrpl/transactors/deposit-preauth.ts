import type { DepositPreauth } from 'xrpl';
import { ZERO_ADDRESS } from '../addresses.ts';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import { type AccountRoot, depositPreauthKey } from '../entries.ts';
import type { ReadView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { addOwned, removeOwned } from './owned-entries.ts';
import { type ApplyContext, canOwn, type Transactor } from './transactor.ts';

/** Authorisation by account. Authorisation by credentials is answered with temDISABLED. */
export const depositPreauth: Transactor<DepositPreauth> = { preflight, preclaim, apply };

/** True: DepositAuth of `to` admits a deposit from `from`. */
export const isDepositAuthorized = (view: ReadView, from: string, to: AccountRoot): boolean =>
  !(to.Flags & ACCOUNT_FLAGS.lsfDepositAuth) ||
  from === to.Account ||
  view.read(depositPreauthKey(to.Account, from)) !== undefined;

function preflight({ json }: Transaction<DepositPreauth>): Failure {
  const { Authorize, Unauthorize } = json;
  if ((Authorize === undefined) === (Unauthorize === undefined)) return 'temMALFORMED';
  if ((Authorize ?? Unauthorize) === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
  return Authorize === json.Account ? 'temCANNOT_PREAUTH_SELF' : undefined;
}

function preclaim({ tx, view }: ApplyContext<DepositPreauth>): Failure {
  const { Authorize, Unauthorize } = tx.json;
  const exists = view.read(depositPreauthKey(tx.account, Authorize ?? Unauthorize ?? ZERO_ADDRESS));
  if (Authorize === undefined) return exists ? undefined : 'tecNO_ENTRY';
  if (!view.account(Authorize)) return 'tecNO_TARGET';
  return exists ? 'tecDUPLICATE' : undefined;
}

function apply(context: ApplyContext<DepositPreauth>): Failure {
  const { tx, view } = context;
  const { Authorize, Unauthorize } = tx.json;
  if (Authorize === undefined) {
    removeOwned(view, tx.account, depositPreauthKey(tx.account, Unauthorize ?? ZERO_ADDRESS));
    return undefined;
  }
  if (!canOwn(context)) return 'tecINSUFFICIENT_RESERVE';
  addOwned(view, tx.account, depositPreauthKey(tx.account, Authorize), {
    LedgerEntryType: 'DepositPreauth',
    Flags: 0,
    Account: tx.account,
    Authorize,
  });
}
