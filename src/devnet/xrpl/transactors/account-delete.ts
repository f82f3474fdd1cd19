import { accountKey } from '../entries.ts';
import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { isDepositAuthorized } from './deposit-preauth.ts';
import { deleteOffer } from './offers.ts';
import { removeOwned } from './owned-entries.ts';
import { ownedKeys, removeEmptyOwnerDirectory } from './owner-directory.ts';
import { type ApplyContext, lacksTag, receiveXrp, sourceAccount, type Transactor } from './transactor.ts';

/** A later account of this address must not repeat a Sequence. */
const SEQUENCE_DISTANCE = 255;
const MAX_DELETED_ENTRIES = 1_000;
/** The owned entries that do not block the deletion. They are deleted with the account. */
const DELETABLE = new Set(['DepositPreauth', 'Offer', 'SignerList', 'Ticket']);

export const accountDelete: Transactor = {
  baseFee: (_tx, _view, { reserveIncrement }) => reserveIncrement,
  preflight: ({ json }: Transaction): Result =>
    json.Account === json.Destination ? 'temDST_IS_SRC' : 'tesSUCCESS',
  preclaim,
  apply,
};

function preclaim(context: ApplyContext): Result {
  const { tx, view, ledgerIndex } = context;
  const destination = view.account(tx.json.Destination as string);
  if (!destination) return 'tecNO_DST';
  if (lacksTag(tx, destination)) return 'tecDST_TAG_NEEDED';
  if (!isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
  if (sourceAccount(context).Sequence + SEQUENCE_DISTANCE > ledgerIndex) return 'tecTOO_SOON';
  const owned = ownedKeys(view, tx.account);
  if (owned.some(key => !DELETABLE.has(view.read(key)?.LedgerEntryType ?? ''))) return 'tecHAS_OBLIGATIONS';
  return owned.length > MAX_DELETED_ENTRIES ? 'tefTOO_BIG' : 'tesSUCCESS';
}

function apply(context: ApplyContext): Result {
  const { tx, view } = context;
  for (const key of ownedKeys(view, tx.account))
    if (view.read(key)?.LedgerEntryType === 'Offer') deleteOffer(view, key);
    else removeOwned(view, tx.account, key);
  if (!removeEmptyOwnerDirectory(view, tx.account)) return 'tecHAS_OBLIGATIONS';
  const source = sourceAccount(context);
  const left = BigInt(source.Balance);
  if (left > 0n) receiveXrp(view, view.requireAccount(tx.json.Destination as string), left);
  context.deliver(source.Balance);
  view.writeAccount({ ...source, Balance: '0' });
  view.erase(accountKey(tx.account));
  return 'tesSUCCESS';
}
