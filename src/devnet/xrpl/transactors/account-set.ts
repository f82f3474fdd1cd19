import type { AccountSet } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { type AccountRoot, signerListKey } from '../entries.ts';
import { ZERO_HASH } from '../hash.ts';
import type { Failure } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { LEAST_TICK_SIZE, MOST_TICK_SIZE, setAccountFields } from './account-set-fields.ts';
import { ownedKeys } from './owned-entries.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

const ASF = definitions.ACCOUNT_SET_FLAGS;

/** An account flag: its asf number, its lsf bit, and the older tf bits that set and clear it. */
interface Switch {
  readonly asf: number;
  readonly bit: number;
  readonly setBy?: number;
  readonly clearedBy?: number;
}

const tf = definitions.TRANSACTION_FLAGS.AccountSet;
const REQUIRE_AUTH: Switch = {
  asf: ASF.asfRequireAuth,
  bit: ACCOUNT_FLAGS.lsfRequireAuth,
  setBy: tf.tfRequireAuth,
  clearedBy: tf.tfOptionalAuth,
};
const REQUIRE_TAG: Switch = {
  asf: ASF.asfRequireDest,
  bit: ACCOUNT_FLAGS.lsfRequireDestTag,
  setBy: tf.tfRequireDestTag,
  clearedBy: tf.tfOptionalDestTag,
};
const DISALLOW_XRP: Switch = {
  asf: ASF.asfDisallowXRP,
  bit: ACCOUNT_FLAGS.lsfDisallowXRP,
  setBy: tf.tfDisallowXRP,
  clearedBy: tf.tfAllowXRP,
};
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
  REQUIRE_TAG,
  DISALLOW_XRP,
  ...OTHERS.map(name => ({ asf: ASF[`asf${name}`], bit: ACCOUNT_FLAGS[`lsf${name}`] })),
];

const MAX_DOMAIN_DIGITS = 2 * 256;
const RATE_ONE = 1_000_000_000;

export const accountSet: Transactor<AccountSet> = { preflight, preclaim, apply };

const sets = (tx: Transaction, { asf, setBy = 0 }: Switch) =>
  tx.json.SetFlag === asf || (tx.flags & setBy) !== 0;
const clears = (tx: Transaction, { asf, clearedBy = 0 }: Switch) =>
  tx.json.ClearFlag === asf || (tx.flags & clearedBy) !== 0;

function preflight(tx: Transaction<AccountSet>): Failure {
  const { json } = tx;
  const setFlag = json.SetFlag ?? 0;
  if (setFlag !== 0 && setFlag === json.ClearFlag) return 'temINVALID_FLAG';
  if (TWO_WAY.some(entry => sets(tx, entry) && clears(tx, entry))) return 'temINVALID_FLAG';
  const rate = json.TransferRate ?? 0;
  if (rate !== 0 && (rate < RATE_ONE || rate > 2 * RATE_ONE)) return 'temBAD_TRANSFER_RATE';
  const tick = json.TickSize ?? 0;
  if (tick !== 0 && (tick < LEAST_TICK_SIZE || tick > MOST_TICK_SIZE)) return 'temBAD_TICK_SIZE';
  if (json.MessageKey && !publicKeyType(json.MessageKey)) return 'telBAD_PUBLIC_KEY';
  if ((json.Domain?.length ?? 0) > MAX_DOMAIN_DIGITS) return 'telBAD_DOMAIN';
  const refused = json.NFTokenMinter === undefined ? setFlag : json.ClearFlag;
  return refused === ASF.asfAuthorizedNFTokenMinter ? 'temMALFORMED' : undefined;
}

function preclaim(context: ApplyContext<AccountSet>): Failure {
  const { tx, view, retry } = context;
  const flags = sourceAccount(context).Flags;
  const owns = () => ownedKeys(view, tx.account).length > 0;
  if (sets(tx, REQUIRE_AUTH) && !(flags & ACCOUNT_FLAGS.lsfRequireAuth) && owns())
    return retry ? 'terOWNERS' : 'tecOWNERS';
  if (tx.json.SetFlag === ASF.asfAllowTrustLineClawback) {
    if (flags & ACCOUNT_FLAGS.lsfNoFreeze) return 'tecNO_PERMISSION';
    if (owns()) return 'tecOWNERS';
  }
  if (tx.json.SetFlag === ASF.asfNoFreeze && flags & ACCOUNT_FLAGS.lsfAllowTrustLineClawback)
    return 'tecNO_PERMISSION';
}

function apply(context: ApplyContext<AccountSet>): Failure {
  const { tx, view } = context;
  const account = sourceAccount(context);
  const flags = switchFlags(context, account);
  if (typeof flags === 'string') return flags;
  const changed = setAccountFields({ ...account, Flags: flags >>> 0 }, tx.json);
  view.writeAccount(switchTransactionId(changed, tx));
}

function switchFlags(
  { tx, view }: ApplyContext<AccountSet>,
  account: AccountRoot,
): number | NonNullable<Failure> {
  const { SetFlag, ClearFlag } = tx.json;
  const before = account.Flags;
  const byMaster = addressOfSigner(tx.json.SigningPubKey) === tx.account;
  let flags = before;
  for (const entry of TWO_WAY) {
    if (sets(tx, entry)) flags |= entry.bit;
    if (clears(tx, entry)) flags &= ~entry.bit;
  }
  if (SetFlag === ASF.asfDisableMaster && !(before & ACCOUNT_FLAGS.lsfDisableMaster)) {
    if (!byMaster) return 'tecNEED_MASTER_KEY';
    if (account.RegularKey === undefined && !view.read(signerListKey(tx.account)))
      return 'tecNO_ALTERNATIVE_KEY';
    flags |= ACCOUNT_FLAGS.lsfDisableMaster;
  }
  if (ClearFlag === ASF.asfDisableMaster) flags &= ~ACCOUNT_FLAGS.lsfDisableMaster;
  if (SetFlag === ASF.asfNoFreeze) {
    if (!byMaster && !(before & ACCOUNT_FLAGS.lsfDisableMaster)) return 'tecNEED_MASTER_KEY';
    flags |= ACCOUNT_FLAGS.lsfNoFreeze;
  }
  if (SetFlag === ASF.asfGlobalFreeze) flags |= ACCOUNT_FLAGS.lsfGlobalFreeze;
  else if (ClearFlag === ASF.asfGlobalFreeze && !(before & ACCOUNT_FLAGS.lsfNoFreeze))
    flags &= ~ACCOUNT_FLAGS.lsfGlobalFreeze;
  if (SetFlag === ASF.asfAllowTrustLineClawback) flags |= ACCOUNT_FLAGS.lsfAllowTrustLineClawback;
  return flags;
}

function switchTransactionId(account: AccountRoot, { json }: Transaction): AccountRoot {
  if (json.SetFlag === ASF.asfAccountTxnID)
    return { ...account, AccountTxnID: account.AccountTxnID ?? ZERO_HASH };
  if (json.ClearFlag !== ASF.asfAccountTxnID) return account;
  const { AccountTxnID: _removed, ...rest } = account;
  return rest as AccountRoot;
}
