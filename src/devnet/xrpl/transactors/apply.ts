import type { Signer } from 'xrpl';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import {
  type AccountRoot,
  accountKey,
  type Entry,
  type EntryChange,
  LedgerView,
  type ReadView,
  type SignerList,
  signerListKey,
  type TrustLine,
  ticketKey,
} from '../entries.ts';
import { type Amount, AmountOverflow } from '../quantities.ts';
import { type Failure, isTec, type Result } from '../results.ts';
import { addressOfSigner, publicKeyType, type Transaction } from '../signature.ts';
import { removeOwned } from './directory.ts';
import { baseFee, TRANSACTORS } from './registry.ts';
import { type ApplyContext, type ApplyOptions, sourceAccount } from './transactor.ts';

export interface Outcome {
  readonly result: Result;
  /** It is in the ledger: with all its effects (tes), or with fee and Sequence only (tec). */
  readonly applied: boolean;
  /** Drops that were burned. */
  readonly burned: bigint;
  readonly changes: readonly EntryChange[];
  /** The delivery of an AccountDelete or a partial payment. */
  readonly delivered?: Amount | undefined;
  /** Accounts that own a created or deleted entry and are unchanged themselves. They are linked to the transaction. */
  readonly linked: readonly LinkedAccount[];
}

/** Applies a transaction that passed preflight to `target`, wholly or not at all. */
export function applyTransaction(tx: Transaction, target: LedgerView, options: ApplyOptions): Outcome {
  const unfit = preclaim(contextOf(tx, target, options));
  if (unfit) return applyFailed(tx, target, options, unfit);
  let delivered: Amount | undefined;
  const context = contextOf(tx, new LedgerView(target), options, amount => {
    delivered = amount;
  });
  const failure = perform(context);
  if (failure) return applyFailed(tx, target, options, failure);
  return { ...commit(context, target, 'tesSUCCESS'), delivered };
}

function contextOf(
  tx: Transaction,
  view: LedgerView,
  options: ApplyOptions,
  deliver: ApplyContext['deliver'] = () => {},
): ApplyContext {
  const priorBalance = BigInt(view.account(tx.account)?.Balance ?? 0);
  return { ...options, tx, view, priorBalance, deliver };
}

/** A tec result still costs the fee and the Sequence, unless it may not be applied now. */
function applyFailed(tx: Transaction, target: LedgerView, options: ApplyOptions, result: Result): Outcome {
  if (!isTec(result) || options.retry || options.failHard)
    return { result, applied: false, burned: 0n, changes: [], linked: [] };
  const context = contextOf(tx, new LedgerView(target), options);
  payCost(context);
  return commit(context, target, result);
}

function perform(context: ApplyContext): Failure {
  const { tx, view } = context;
  payCost(context);
  const source = sourceAccount(context);
  if (source.AccountTxnID !== undefined) view.writeAccount({ ...source, AccountTxnID: tx.hash });
  const transactor = TRANSACTORS[tx.type];
  if (!transactor) throw new Error(`no transactor for ${tx.type}`);
  try {
    return transactor.apply(context);
  } catch (error) {
    if (error instanceof AmountOverflow) return 'tefEXCEPTION';
    throw error;
  }
}

/** Burns the fee, at most the whole balance (tecINSUFF_FEE), and uses up the Sequence or the ticket. */
function payCost(context: ApplyContext): void {
  const { tx, view, priorBalance } = context;
  const account = sourceAccount(context);
  const paid = { ...account, Balance: (priorBalance - burnedBy(context)).toString() };
  if (tx.ticket === undefined) {
    view.writeAccount({ ...paid, Sequence: account.Sequence + 1 });
    return;
  }
  view.writeAccount(paid);
  removeOwned(view, tx.account, ticketKey(tx.account, tx.ticket));
}

function burnedBy({ tx, priorBalance }: ApplyContext): bigint {
  const fee = tx.fee ?? 0n;
  return fee < priorBalance ? fee : priorBalance;
}

function commit(context: ApplyContext, target: LedgerView, result: Result): Outcome {
  const changes = context.view.changes();
  const linked = linkedAccounts(context.view, changes);
  context.view.commitTo(target);
  return { result, applied: true, burned: burnedBy(context), changes, linked };
}

export interface LinkedAccount {
  readonly key: string;
  readonly account: AccountRoot;
}

/** The accounts behind created and deleted entries that the transaction has not changed. */
function linkedAccounts(view: ReadView, changes: readonly EntryChange[]): LinkedAccount[] {
  const changed = new Set(changes.map(({ key }) => key));
  const owners = changes
    .filter(({ before, after }) => !before || !after)
    .flatMap(({ before, after }) => ownersOf((after ?? before)!));
  return [...new Set(owners)].flatMap(address => {
    const key = accountKey(address);
    const account = changed.has(key) ? undefined : (view.read(key) as AccountRoot | undefined);
    return account ? [{ key, account }] : [];
  });
}

function ownersOf(entry: Entry): string[] {
  const { LedgerEntryType: type } = entry;
  if (type === 'AccountRoot') return [];
  if (type === 'RippleState') {
    const { LowLimit, HighLimit } = entry as TrustLine;
    return [LowLimit.issuer, HighLimit.issuer];
  }
  return [entry.Account, entry.Destination].filter(address => typeof address === 'string');
}

/**
 * Checks a transaction against the ledger before anything changes (XRPL-4.1). Nothing before the check of the signing
 * authority may return tec: a stranger could make an account pay.
 */
function preclaim(context: ApplyContext): Failure {
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
