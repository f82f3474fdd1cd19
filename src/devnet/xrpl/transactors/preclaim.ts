import type { Signer } from 'xrpl';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import { type SignerList, signerListKey, ticketKey } from '../entries.ts';
import type { LedgerView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { baseFee, TRANSACTORS } from './registry.ts';
import { type ApplyContext, sourceAccount } from './transactor.ts';

/**
 * Checks a transaction against the ledger before anything changes (XRPL-4.1). Nothing before the check of the signing
 * authority may return tec: a stranger could make an account pay.
 */
export function preclaim(context: ApplyContext): Failure {
  const { tx, view } = context;
  if (!view.account(tx.account)) return 'terNO_ACCOUNT';
  for (const check of [checkSequence, checkPriorAndLast, checkAuthority, checkFee]) {
    const result = check(context);
    if (result) return result;
  }
  return TRANSACTORS[tx.type]?.preclaim?.(context);
}

function checkSequence(context: ApplyContext): Failure {
  const { tx, view } = context;
  const { Sequence } = sourceAccount(context);
  if (tx.ticket !== undefined) {
    if (Sequence <= tx.ticket) return 'terPRE_TICKET';
    return view.read(ticketKey(tx.account, tx.ticket)) ? undefined : 'tefNO_TICKET';
  }
  if (tx.json.TicketSequence !== undefined) return 'temSEQ_AND_TICKET';
  if (tx.sequence === Sequence) return undefined;
  return tx.sequence > Sequence ? 'terPRE_SEQ' : 'tefPAST_SEQ';
}

function checkPriorAndLast(context: ApplyContext): Failure {
  const { tx, ledgerIndex } = context;
  const prior = tx.json.AccountTxnID;
  if (prior !== undefined && prior !== sourceAccount(context).AccountTxnID) return 'tefWRONG_PRIOR';
  if (tx.lastLedger !== undefined && ledgerIndex > tx.lastLedger) return 'tefMAX_LEDGER';
  // tefALREADY never happens: the Sequence or the ticket of an exact copy is used, so it fails above.
}

function checkAuthority(context: ApplyContext): Failure {
  const { tx, view, dryRun = false } = context;
  const account = sourceAccount(context);
  if (tx.json.Signers !== undefined) return checkSigners(tx, view, dryRun);
  if (tx.json.SigningPubKey === '' && dryRun) return undefined;
  const signer = addressOfSigner(tx.json.SigningPubKey);
  if (signer === account.RegularKey) return undefined;
  if (signer !== tx.account) return 'tefBAD_AUTH';
  return account.Flags & ACCOUNT_FLAGS.lsfDisableMaster ? 'tefMASTER_DISABLED' : undefined;
}

function checkFee(context: ApplyContext): Failure {
  const { tx, view, open, fees, loadFactor, priorBalance } = context;
  const fee = tx.fee ?? 0n;
  if (open && fee < baseFee(tx, view, fees) * BigInt(loadFactor)) return 'telINSUF_FEE_P';
  if (fee === 0n || priorBalance >= fee) return undefined;
  return priorBalance > 0n && !open ? 'tecINSUFF_FEE' : 'terINSUF_FEE_B';
}

/** Checks the signers of a multi-signed transaction against the signer list of its account. */
function checkSigners(tx: Transaction, view: LedgerView, dryRun: boolean): Failure {
  const list = view.read(signerListKey(tx.account)) as SignerList | undefined;
  if (!list) return 'tefNOT_MULTI_SIGNING';
  const weights = new Map(list.SignerEntries.map(({ SignerEntry }) => [SignerEntry.Account, SignerEntry.SignerWeight]));
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
