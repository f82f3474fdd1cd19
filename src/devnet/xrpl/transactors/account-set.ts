import type { AccountSet } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { type AccountRoot, signerListKey } from '../entries.ts';
import { ZERO_HASH } from '../hash.ts';
import type { Failure } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction, TransactionJson } from '../transaction.ts';
import { ownedKeys } from './owned-entries.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

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
