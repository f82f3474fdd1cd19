import { type SignerEntryJson, signerListKey } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { ZERO_HASH } from '../hash.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Result } from '../results.ts';
import { MAX_SIGNERS } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import { compareAccounts } from './check-signers.ts';
import { addOwned, removeOwned } from './owned-entries.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

/** The list counts as one owned object, however many signers it has. */
const ONE_OWNER_COUNT = 0x00010000;

export const signerListSet: Transactor = {
  fields: { SignerQuorum: 'required', SignerEntries: 'optional' },
  flags: 0,
  preflight,
  apply,
};

const quorumOf = (tx: Transaction): number => tx.json.SignerQuorum as number;
const entriesOf = (tx: Transaction): readonly SignerEntryJson[] | undefined =>
  tx.json.SignerEntries as readonly SignerEntryJson[] | undefined;

/** A quorum with entries sets the list. Quorum 0 without entries deletes it. */
function preflight(tx: Transaction): Result {
  const entries = entriesOf(tx);
  const quorum = quorumOf(tx);
  if (!entries || quorum === 0) return !entries && quorum === 0 ? 'tesSUCCESS' : 'temMALFORMED';
  if (entries.length < 1 || entries.length > MAX_SIGNERS) return 'temMALFORMED';
  if (entries.some(({ SignerEntry }) => !SignerEntry)) return 'temMALFORMED';
  const addresses = entries.map(({ SignerEntry }) => SignerEntry.Account);
  if (new Set(addresses).size < addresses.length) return 'temBAD_SIGNER';
  let weight = 0;
  for (const { SignerEntry } of entries.toSorted(byAccount)) {
    if (SignerEntry.SignerWeight === 0) return 'temBAD_WEIGHT';
    if (SignerEntry.Account === tx.account) return 'temBAD_SIGNER';
    weight += SignerEntry.SignerWeight;
  }
  return weight < quorum ? 'temBAD_QUORUM' : 'tesSUCCESS';
}

const byAccount = (a: SignerEntryJson, b: SignerEntryJson): number =>
  compareAccounts(a.SignerEntry.Account, b.SignerEntry.Account);

function apply(context: ApplyContext): Result {
  const entries = entriesOf(context.tx);
  return entries ? replaceList(context, entries) : deleteList(context);
}

function replaceList(context: ApplyContext, entries: readonly SignerEntryJson[]): Result {
  const { tx, view, fees, priorBalance } = context;
  removeSignerList(view, tx.account);
  if (priorBalance < accountReserve(fees, sourceAccount(context).OwnerCount + 1))
    return 'tecINSUFFICIENT_RESERVE';
  addOwned(view, tx.account, signerListKey(tx.account), {
    LedgerEntryType: 'SignerList',
    Flags: ONE_OWNER_COUNT,
    SignerEntries: entries.toSorted(byAccount),
    SignerListID: 0,
    SignerQuorum: quorumOf(tx),
    PreviousTxnID: ZERO_HASH,
    PreviousTxnLgrSeq: 0,
  });
  return 'tesSUCCESS';
}

function deleteList(context: ApplyContext): Result {
  const { Flags, RegularKey } = sourceAccount(context);
  if (Flags & ACCOUNT_FLAGS.disableMaster && RegularKey === undefined) return 'tecNO_ALTERNATIVE_KEY';
  removeSignerList(context.view, context.tx.account);
  return 'tesSUCCESS';
}

function removeSignerList(view: LedgerView, owner: string): void {
  const key = signerListKey(owner);
  if (view.read(key)) removeOwned(view, owner, key);
}
