import type { SignerEntry, SignerListSet } from 'xrpl';
import { compareAccounts } from '../addresses.ts';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { signerListKey } from '../entries.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import { MAX_SIGNERS } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { addOwned, removeOwned } from './owned-entries.ts';
import { type ApplyContext, canOwn, sourceAccount, type Transactor } from './transactor.ts';

export const signerListSet: Transactor<SignerListSet> = { preflight, apply };

/** A quorum with entries sets the list. Quorum 0 without entries deletes it. */
function preflight({ json, account }: Transaction<SignerListSet>): Failure {
  const { SignerEntries: entries, SignerQuorum: quorum } = json;
  if (!entries || quorum === 0) return !entries && quorum === 0 ? undefined : 'temMALFORMED';
  if (entries.length < 1 || entries.length > MAX_SIGNERS) return 'temMALFORMED';
  if (entries.some(({ SignerEntry }) => !SignerEntry)) return 'temMALFORMED';
  const addresses = entries.map(({ SignerEntry }) => SignerEntry.Account);
  if (new Set(addresses).size < addresses.length) return 'temBAD_SIGNER';
  let weight = 0;
  for (const { SignerEntry } of entries.toSorted(byAccount)) {
    if (SignerEntry.SignerWeight === 0) return 'temBAD_WEIGHT';
    if (SignerEntry.Account === account) return 'temBAD_SIGNER';
    weight += SignerEntry.SignerWeight;
  }
  return weight < quorum ? 'temBAD_QUORUM' : undefined;
}

const byAccount = (a: SignerEntry, b: SignerEntry): number =>
  compareAccounts(a.SignerEntry.Account, b.SignerEntry.Account);

function apply(context: ApplyContext<SignerListSet>): Failure {
  const { SignerEntries: entries } = context.tx.json;
  return entries ? replaceList(context, entries) : deleteList(context);
}

function replaceList(context: ApplyContext<SignerListSet>, entries: readonly SignerEntry[]): Failure {
  const { tx, view } = context;
  removeSignerList(view, tx.account);
  if (!canOwn(context)) return 'tecINSUFFICIENT_RESERVE';
  addOwned(view, tx.account, signerListKey(tx.account), {
    LedgerEntryType: 'SignerList',
    // It counts as one owned object, however many signers it has.
    Flags: definitions.LEDGER_ENTRY_FLAGS.SignerList.lsfOneOwnerCount,
    SignerEntries: entries.toSorted(byAccount),
    SignerListID: 0,
    SignerQuorum: tx.json.SignerQuorum,
  });
}

function deleteList(context: ApplyContext<SignerListSet>): Failure {
  const { Flags, RegularKey } = sourceAccount(context);
  if (Flags & ACCOUNT_FLAGS.lsfDisableMaster && RegularKey === undefined) return 'tecNO_ALTERNATIVE_KEY';
  removeSignerList(context.view, context.tx.account);
}

function removeSignerList(view: LedgerView, owner: string): void {
  const key = signerListKey(owner);
  if (view.read(key)) removeOwned(view, owner, key);
}
