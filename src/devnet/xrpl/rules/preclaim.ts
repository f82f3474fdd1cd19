import { type AccountRoot, accountKey, ticketKey } from '../entries.ts';
import type { ReadView } from '../ledger-view.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import { RULES } from './registry.ts';
import type { Result } from './results.ts';
import type { Setting } from './rule.ts';
import { addressOfSigner } from './signature.ts';
import type { Transaction } from './transaction.ts';

/**
 * What the ledger says of a transaction before anything is changed, in the order of XRPL-4.1. Nothing before the check of
 * the signing authority may answer a tec, or a stranger could make an account pay.
 */
export function preclaim(tx: Transaction, view: ReadView, setting: Setting): Result {
  const account = view.read(accountKey(tx.account)) as AccountRoot | undefined;
  if (!account) return 'terNO_ACCOUNT';
  for (const check of [checkSequence, checkPriorAndLast, checkAuthority, checkFee]) {
    const result = check(tx, account, view, setting);
    if (result !== 'tesSUCCESS') return result;
  }
  return RULES[tx.type]?.preclaim?.(tx, view, setting) ?? 'tesSUCCESS';
}

function checkSequence(tx: Transaction, account: AccountRoot, view: ReadView): Result {
  if (tx.ticket !== undefined) {
    if (account.Sequence <= tx.ticket) return 'terPRE_TICKET';
    return view.read(ticketKey(tx.account, tx.ticket)) ? 'tesSUCCESS' : 'tefNO_TICKET';
  }
  if (tx.json.TicketSequence !== undefined) return 'temSEQ_AND_TICKET';
  if (tx.sequence === account.Sequence) return 'tesSUCCESS';
  return tx.sequence > account.Sequence ? 'terPRE_SEQ' : 'tefPAST_SEQ';
}

function checkPriorAndLast(tx: Transaction, account: AccountRoot, _view: ReadView, setting: Setting): Result {
  const prior = tx.json.AccountTxnID;
  if (prior !== undefined && prior !== account.AccountTxnID) return 'tefWRONG_PRIOR';
  if (tx.lastLedger !== undefined && setting.ledgerIndex > tx.lastLedger) return 'tefMAX_LEDGER';
  // Once in a ledger, the Sequence or the ticket is used: an exact copy fails above, never as tefALREADY.
  return 'tesSUCCESS';
}

function checkAuthority(tx: Transaction, account: AccountRoot): Result {
  // SignerListSet is not offered, so no account has a list.
  if (tx.json.SigningPubKey === '') return 'tefNOT_MULTI_SIGNING';
  const signer = addressOfSigner(tx.json.SigningPubKey);
  if (signer === account.RegularKey) return 'tesSUCCESS';
  if (signer !== tx.account) return 'tefBAD_AUTH';
  return account.Flags & ACCOUNT_FLAGS.disableMaster ? 'tefMASTER_DISABLED' : 'tesSUCCESS';
}

function checkFee(tx: Transaction, account: AccountRoot, _view: ReadView, setting: Setting): Result {
  const fee = tx.fee ?? 0n;
  if (setting.open && fee < setting.minimumFee(tx)) return 'telINSUF_FEE_P';
  const balance = BigInt(account.Balance);
  if (fee === 0n || balance >= fee) return 'tesSUCCESS';
  return balance > 0n && !setting.open ? 'tecINSUFF_FEE' : 'terINSUF_FEE_B';
}
