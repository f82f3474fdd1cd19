import type { Signer } from 'xrpl';
import { requireAccountId } from '../addresses.ts';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import { type SignerList, signerListKey } from '../entries.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction } from '../transaction.ts';

/** Checks the signers of a multi-signed transaction against the signer list of its account. */
export function checkSigners(tx: Transaction, view: LedgerView, dryRun: boolean): Failure {
  const list = view.read(signerListKey(tx.account)) as SignerList | undefined;
  if (!list) return 'tefNOT_MULTI_SIGNING';
  const weights = new Map(
    list.SignerEntries.map(({ SignerEntry }) => [SignerEntry.Account, SignerEntry.SignerWeight]),
  );
  let weight = 0;
  for (const { Signer } of tx.json.Signers as readonly Signer[]) {
    const own = weights.get(Signer.Account);
    if (own === undefined) return 'tefBAD_SIGNATURE';
    const result = checkSignerKey(Signer, view, dryRun);
    if (result) return result;
    weight += own;
  }
  return weight < list.SignerQuorum ? 'tefBAD_QUORUM' : undefined;
}

/** A signer uses its master key or its regular key. Without an account it is a phantom: its master key is enough. */
function checkSignerKey(signer: Signer['Signer'], view: LedgerView, dryRun: boolean): Failure {
  const { Account, SigningPubKey } = signer;
  if (SigningPubKey === '' && dryRun) return undefined;
  if (!publicKeyType(SigningPubKey)) return 'tefBAD_SIGNATURE';
  const account = view.account(Account);
  const keyAddress = addressOfSigner(SigningPubKey);
  if (keyAddress !== Account) return account?.RegularKey === keyAddress ? undefined : 'tefBAD_SIGNATURE';
  const isDisabled = account && account.Flags & ACCOUNT_FLAGS.lsfDisableMaster;
  return isDisabled ? 'tefMASTER_DISABLED' : undefined;
}

/** Signers and signer entries are sorted by account id. */
export const compareAccounts = (a: string, b: string): number =>
  requireAccountId(a).compare(requireAccountId(b));
