import type { AccountDelete } from 'xrpl';
import { accountKey } from '../entries.ts';
import type { Failure } from '../results.ts';
import { isDepositAuthorized } from './deposit-preauth.ts';
import { deleteOffer } from './offers.ts';
import { ownedKeys, removeEmptyOwnerDirectory, removeOwned } from './owned-entries.ts';
import { type ApplyContext, lacksTag, receiveXrp, sourceAccount, type Transactor } from './transactor.ts';

/** A later account of this address must not repeat a Sequence. */
const SEQUENCE_DISTANCE = 255;
const MAX_DELETED_ENTRIES = 1_000;
/** The owned entries that do not block the deletion. They are deleted with the account. */
const DELETABLE = new Set(['DepositPreauth', 'Offer', 'SignerList', 'Ticket']);

export const accountDelete: Transactor<AccountDelete> = {
  baseFee: (_tx, _view, { reserveIncrement }) => reserveIncrement,
  preflight: ({ json }) => (json.Account === json.Destination ? 'temDST_IS_SRC' : undefined),
  preclaim,
  apply,
};

function preclaim(context: ApplyContext<AccountDelete>): Failure {
  const { tx, view, ledgerIndex } = context;
  const destination = view.account(tx.json.Destination);
  if (!destination) return 'tecNO_DST';
  if (lacksTag(tx, destination)) return 'tecDST_TAG_NEEDED';
  if (!isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  if (sourceAccount(context).Sequence + SEQUENCE_DISTANCE > ledgerIndex) return 'tecTOO_SOON';
  const owned = ownedKeys(view, tx.account);
  if (owned.some(key => !DELETABLE.has(view.read(key)?.LedgerEntryType ?? ''))) return 'tecHAS_OBLIGATIONS';
  return owned.length > MAX_DELETED_ENTRIES ? 'tefTOO_BIG' : undefined;
}

function apply(context: ApplyContext<AccountDelete>): Failure {
  const { tx, view } = context;
  for (const key of ownedKeys(view, tx.account))
    if (view.read(key)?.LedgerEntryType === 'Offer') deleteOffer(view, key);
    else removeOwned(view, tx.account, key);
  if (!removeEmptyOwnerDirectory(view, tx.account)) return 'tecHAS_OBLIGATIONS';
  const source = sourceAccount(context);
  const left = BigInt(source.Balance);
  if (left > 0n) receiveXrp(view, view.requireAccount(tx.json.Destination), left);
  context.deliver(source.Balance);
  view.writeAccount({ ...source, Balance: '0' });
  view.erase(accountKey(tx.account));
}
