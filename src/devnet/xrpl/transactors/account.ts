import type {
  AccountDelete,
  AccountSet,
  DepositPreauth,
  SetRegularKey,
  SignerEntry,
  SignerListSet,
  TicketCreate,
} from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import {
  type AccountRoot,
  accountKey,
  defaultBaseFee,
  depositPreauthKey,
  type ReadView,
  signerListKey,
  ticketKey,
} from '../entries.ts';
import { ZERO_HASH } from '../hash-tree.ts';
import type { Failure } from '../results.ts';
import {
  addressOfSigner,
  compareAccounts,
  MAX_SIGNERS,
  publicKeyType,
  type Transaction,
  type TransactionJson,
  ZERO_ADDRESS,
} from '../signature.ts';
import { addOwned, changeTicketCount, ownedKeys, removeEmptyOwnerDirectory, removeOwned } from './directory.ts';
import { deleteOffer } from './offers.ts';
import { type ApplyContext, canOwn, lacksTag, receiveXrp, sourceAccount, type Transactor } from './transactor.ts';

const ASF = definitions.ACCOUNT_SET_FLAGS;

/** An account flag: its asf number, its lsf bit, and the older tf bits that set and clear it. */
interface Switch {
  readonly asf: number;
  readonly bit: number;
  readonly setBy: number;
  readonly clearedBy: number;
}

const TF = definitions.TRANSACTION_FLAGS.AccountSet;
const LSF = ACCOUNT_FLAGS;
const switchOf = (asf: number, bit: number, setBy = 0, clearedBy = 0): Switch => ({ asf, bit, setBy, clearedBy });
const REQUIRE_AUTH = switchOf(ASF.asfRequireAuth, LSF.lsfRequireAuth, TF.tfRequireAuth, TF.tfOptionalAuth);
const OTHERS = [
  'DefaultRipple',
  'DepositAuth',
  'DisallowIncomingNFTokenOffer',
  'DisallowIncomingCheck',
  'DisallowIncomingPayChan',
  'DisallowIncomingTrustline',
  'AllowTrustLineLocking',
] as const;
const TWO_WAY: readonly Switch[] = [
  REQUIRE_AUTH,
  switchOf(ASF.asfRequireDest, LSF.lsfRequireDestTag, TF.tfRequireDestTag, TF.tfOptionalDestTag),
  switchOf(ASF.asfDisallowXRP, LSF.lsfDisallowXRP, TF.tfDisallowXRP, TF.tfAllowXRP),
  ...OTHERS.map(name => switchOf(ASF[`asf${name}`], LSF[`lsf${name}`])),
];

const MAX_DOMAIN_DIGITS = 2 * 256;
const RATE_ONE = 1_000_000_000;

export const accountSet: Transactor<AccountSet> = { preflight, preclaim, apply };

const sets = (tx: Transaction, { asf, setBy }: Switch) => tx.json.SetFlag === asf || (tx.flags & setBy) !== 0;
const clears = (tx: Transaction, { asf, clearedBy }: Switch) =>
  tx.json.ClearFlag === asf || (tx.flags & clearedBy) !== 0;

function preflight(tx: Transaction<AccountSet>): Failure {
  const { json } = tx;
  const setFlag = json.SetFlag ?? 0;
  if (setFlag !== 0 && setFlag === json.ClearFlag) return 'temINVALID_FLAG';
  if (TWO_WAY.some(entry => sets(tx, entry) && clears(tx, entry))) return 'temINVALID_FLAG';
  const rate = json.TransferRate ?? 0;
  if (rate !== 0 && (rate < RATE_ONE || rate > 2 * RATE_ONE)) return 'temBAD_TRANSFER_RATE';
  const tick = json.TickSize ?? 0;
  if (tick !== 0 && (tick < LEAST_TICK_SIZE || tick > MAX_TICK_SIZE)) return 'temBAD_TICK_SIZE';
  if (json.MessageKey && !publicKeyType(json.MessageKey)) return 'telBAD_PUBLIC_KEY';
  if ((json.Domain?.length ?? 0) > MAX_DOMAIN_DIGITS) return 'telBAD_DOMAIN';
  const refused = json.NFTokenMinter === undefined ? setFlag : json.ClearFlag;
  return refused === ASF.asfAuthorizedNFTokenMinter ? 'temMALFORMED' : undefined;
}

function preclaim(context: ApplyContext<AccountSet>): Failure {
  const { tx, view, retry } = context;
  const flags = sourceAccount(context).Flags;
  const owns = () => ownedKeys(view, tx.account).length > 0;
  if (sets(tx, REQUIRE_AUTH) && !(flags & LSF.lsfRequireAuth) && owns()) return retry ? 'terOWNERS' : 'tecOWNERS';
  if (tx.json.SetFlag === ASF.asfAllowTrustLineClawback) {
    if (flags & LSF.lsfNoFreeze) return 'tecNO_PERMISSION';
    if (owns()) return 'tecOWNERS';
  }
  if (tx.json.SetFlag === ASF.asfNoFreeze && flags & LSF.lsfAllowTrustLineClawback) return 'tecNO_PERMISSION';
}

function apply(context: ApplyContext<AccountSet>): Failure {
  const { tx, view } = context;
  const account = sourceAccount(context);
  const flags = switchFlags(context, account);
  if (typeof flags === 'string') return flags;
  const changed = setAccountFields({ ...account, Flags: flags >>> 0 }, tx.json);
  view.writeAccount(switchTransactionId(changed, tx));
}

function switchFlags({ tx, view }: ApplyContext<AccountSet>, account: AccountRoot) {
  const { SetFlag, ClearFlag } = tx.json;
  const before = account.Flags;
  const byMaster = addressOfSigner(tx.json.SigningPubKey) === tx.account;
  let flags = before;
  for (const entry of TWO_WAY) {
    if (sets(tx, entry)) flags |= entry.bit;
    if (clears(tx, entry)) flags &= ~entry.bit;
  }
  if (SetFlag === ASF.asfDisableMaster && !(before & LSF.lsfDisableMaster)) {
    if (!byMaster) return 'tecNEED_MASTER_KEY';
    if (account.RegularKey === undefined && !view.read(signerListKey(tx.account))) return 'tecNO_ALTERNATIVE_KEY';
    flags |= LSF.lsfDisableMaster;
  }
  if (ClearFlag === ASF.asfDisableMaster) flags &= ~LSF.lsfDisableMaster;
  if (SetFlag === ASF.asfNoFreeze) {
    if (!byMaster && !(before & LSF.lsfDisableMaster)) return 'tecNEED_MASTER_KEY';
    flags |= LSF.lsfNoFreeze;
  }
  if (SetFlag === ASF.asfGlobalFreeze) flags |= LSF.lsfGlobalFreeze;
  else if (ClearFlag === ASF.asfGlobalFreeze && !(before & LSF.lsfNoFreeze)) flags &= ~LSF.lsfGlobalFreeze;
  if (SetFlag === ASF.asfAllowTrustLineClawback) flags |= LSF.lsfAllowTrustLineClawback;
  return flags;
}

function switchTransactionId(account: AccountRoot, { json }: Transaction): AccountRoot {
  if (json.SetFlag === ASF.asfAccountTxnID) return { ...account, AccountTxnID: account.AccountTxnID ?? ZERO_HASH };
  if (json.ClearFlag !== ASF.asfAccountTxnID) return account;
  const { AccountTxnID: _removed, ...rest } = account;
  return rest as AccountRoot;
}
const LEAST_TICK_SIZE = 3;
/** As many digits as an amount has, so it removes the field. */
export const MAX_TICK_SIZE = 16;

/** The values in an AccountSet that remove a field instead of setting it. */
const REMOVED_BY: Readonly<Record<string, (value: unknown) => boolean>> = {
  EmailHash: value => /^0*$/.test(String(value)),
  WalletLocator: value => /^0*$/.test(String(value)),
  MessageKey: value => value === '',
  Domain: value => value === '',
  TransferRate: value => value === 0 || value === 1_000_000_000,
  TickSize: value => value === 0 || value === MAX_TICK_SIZE,
};

function setAccountFields(account: AccountRoot, json: TransactionJson): AccountRoot {
  const changed: Record<string, unknown> = { ...account };
  for (const [field, removes] of Object.entries(REMOVED_BY)) {
    if (json[field] === undefined) continue;
    if (removes(json[field])) delete changed[field];
    else changed[field] = json[field];
  }
  if (json.SetFlag === ASF.asfAuthorizedNFTokenMinter) changed.NFTokenMinter = json.NFTokenMinter;
  if (json.ClearFlag === ASF.asfAuthorizedNFTokenMinter) delete changed.NFTokenMinter;
  return changed as unknown as AccountRoot;
}

/** A later account of this address must not repeat a Sequence. */
const SEQUENCE_DISTANCE = 255;
const MAX_DELETED_ENTRIES = 1_000;
/** The owned entries that do not block the deletion. They are deleted with the account. */
const DELETABLE = new Set(['DepositPreauth', 'Offer', 'SignerList', 'Ticket']);

export const accountDelete: Transactor<AccountDelete> = {
  baseFee: (_tx, _view, { reserveIncrement }) => reserveIncrement,
  preflight: ({ json }) => (json.Account === json.Destination ? 'temDST_IS_SRC' : undefined),
  preclaim(context) {
    const { tx, view, ledgerIndex } = context;
    const destination = view.account(tx.json.Destination);
    if (!destination) return 'tecNO_DST';
    if (lacksTag(tx, destination)) return 'tecDST_TAG_NEEDED';
    if (!isDepositAuthorized(view, tx.account, destination)) return 'tecNO_PERMISSION';
    if (sourceAccount(context).Sequence + SEQUENCE_DISTANCE > ledgerIndex) return 'tecTOO_SOON';
    const owned = ownedKeys(view, tx.account);
    if (owned.some(key => !DELETABLE.has(view.read(key)?.LedgerEntryType ?? ''))) return 'tecHAS_OBLIGATIONS';
    return owned.length > MAX_DELETED_ENTRIES ? 'tefTOO_BIG' : undefined;
  },
  apply(context) {
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
  },
};

export const setRegularKey: Transactor<SetRegularKey> = {
  baseFee: (tx, view, fees) => (isFreeReset(tx, view) ? 0n : defaultBaseFee(tx, fees)),
  preflight: ({ json }) =>
    json.RegularKey !== undefined && json.RegularKey === json.Account ? 'temBAD_REGKEY' : undefined,
  apply(context) {
    const { tx, view } = context;
    const source = sourceAccount(context);
    const Flags = (isFreeReset(tx, view) ? source.Flags | ACCOUNT_FLAGS.lsfPasswordSpent : source.Flags) >>> 0;
    const { RegularKey: _former, ...account } = { ...source, Flags };
    const { RegularKey } = tx.json;
    const isLocked = Flags & ACCOUNT_FLAGS.lsfDisableMaster && !view.read(signerListKey(tx.account));
    if (RegularKey === undefined && isLocked) return 'tecNO_ALTERNATIVE_KEY';
    view.writeAccount({ ...account, ...(RegularKey === undefined ? {} : { RegularKey }) } as AccountRoot);
  },
};

/** The master key may set the regular key once without a fee. An incoming payment allows it again. */
function isFreeReset({ json, account }: Transaction<SetRegularKey>, view: ReadView): boolean {
  const { SigningPubKey } = json;
  if (!publicKeyType(SigningPubKey) || addressOfSigner(SigningPubKey) !== account) return false;
  const flags = view.read(accountKey(account))?.Flags ?? ACCOUNT_FLAGS.lsfPasswordSpent;
  return !(flags & ACCOUNT_FLAGS.lsfPasswordSpent);
}

/** A quorum with entries sets the list. Quorum 0 without entries deletes it. */
export const signerListSet: Transactor<SignerListSet> = {
  preflight({ json, account }) {
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
  },
  apply(context) {
    const { tx, view } = context;
    const { SignerEntries: entries, SignerQuorum } = tx.json;
    const { Flags, RegularKey } = sourceAccount(context);
    if (!entries && Flags & ACCOUNT_FLAGS.lsfDisableMaster && RegularKey === undefined) return 'tecNO_ALTERNATIVE_KEY';
    const key = signerListKey(tx.account);
    if (view.read(key)) removeOwned(view, tx.account, key);
    if (!entries) return undefined;
    if (!canOwn(context)) return 'tecINSUFFICIENT_RESERVE';
    addOwned(view, tx.account, key, {
      LedgerEntryType: 'SignerList',
      // It counts as one owned object, however many signers it has.
      Flags: definitions.LEDGER_ENTRY_FLAGS.SignerList.lsfOneOwnerCount,
      SignerEntries: entries.toSorted(byAccount),
      SignerListID: 0,
      SignerQuorum,
    });
  },
};

const byAccount = (a: SignerEntry, b: SignerEntry): number =>
  compareAccounts(a.SignerEntry.Account, b.SignerEntry.Account);

/** True: DepositAuth of `to` admits a deposit from `from`. */
export const isDepositAuthorized = (view: ReadView, from: string, to: AccountRoot): boolean =>
  !(to.Flags & ACCOUNT_FLAGS.lsfDepositAuth) ||
  from === to.Account ||
  view.read(depositPreauthKey(to.Account, from)) !== undefined;

/** Authorisation by account. Authorisation by credentials is answered with temDISABLED. */
export const depositPreauth: Transactor<DepositPreauth> = {
  preflight({ json }) {
    const { Authorize, Unauthorize } = json;
    if ((Authorize === undefined) === (Unauthorize === undefined)) return 'temMALFORMED';
    if ((Authorize ?? Unauthorize) === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
    return Authorize === json.Account ? 'temCANNOT_PREAUTH_SELF' : undefined;
  },
  preclaim({ tx, view }) {
    const { Authorize, Unauthorize } = tx.json;
    const exists = view.read(depositPreauthKey(tx.account, Authorize ?? Unauthorize ?? ZERO_ADDRESS));
    if (Authorize === undefined) return exists ? undefined : 'tecNO_ENTRY';
    if (!view.account(Authorize)) return 'tecNO_TARGET';
    return exists ? 'tecDUPLICATE' : undefined;
  },
  apply(context) {
    const { tx, view } = context;
    const { account: Account, json } = tx;
    const { Authorize, Unauthorize } = json;
    const key = depositPreauthKey(Account, Authorize ?? Unauthorize ?? ZERO_ADDRESS);
    if (Authorize === undefined) removeOwned(view, Account, key);
    else if (!canOwn(context)) return 'tecINSUFFICIENT_RESERVE';
    else addOwned(view, Account, key, { LedgerEntryType: 'DepositPreauth', Flags: 0, Account, Authorize });
  },
};

const MAX_TICKETS = 250;

export const ticketCreate: Transactor<TicketCreate> = {
  preflight: ({ json: { TicketCount } }) =>
    TicketCount >= 1 && TicketCount <= MAX_TICKETS ? undefined : 'temINVALID_COUNT',
  preclaim(context) {
    const { tx } = context;
    const { TicketCount: owned = 0 } = sourceAccount(context);
    const used = tx.ticket === undefined ? 0 : 1;
    return owned + tx.json.TicketCount - used > MAX_TICKETS ? 'tecDIR_FULL' : undefined;
  },
  apply(context) {
    const { tx, view } = context;
    const { account: Account, json } = tx;
    const { Sequence: first } = sourceAccount(context);
    const next = first + json.TicketCount;
    if (!canOwn(context, json.TicketCount)) return 'tecINSUFFICIENT_RESERVE';
    for (let sequence = first; sequence < next; sequence++) {
      const ticket = { LedgerEntryType: 'Ticket', Flags: 0, Account, TicketSequence: sequence };
      addOwned(view, Account, ticketKey(Account, sequence), ticket);
    }
    changeTicketCount(view, Account, json.TicketCount);
    view.writeAccount({ ...sourceAccount(context), Sequence: next });
  },
};
