import { type AccountRoot, signerListKey } from '../entries.ts';
import { ZERO_HASH } from '../hash.ts';
import type { Result } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import {
  ASF_NFTOKEN_MINTER,
  LEAST_TICK_SIZE,
  MOST_TICK_SIZE,
  setAccountFields,
} from './account-set-fields.ts';
import { ownedKeys } from './owner-directory.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

/** An account flag: its asf number, its lsf bit, and the older tf bits that set and clear it. */
interface Switch {
  readonly asf: number;
  readonly bit: number;
  readonly setBy?: number;
  readonly clearedBy?: number;
}

const REQUIRE_AUTH: Switch = {
  asf: 2,
  bit: ACCOUNT_FLAGS.requireAuth,
  setBy: 0x00040000,
  clearedBy: 0x00080000,
};
const TWO_WAY: readonly Switch[] = [
  { asf: 1, bit: ACCOUNT_FLAGS.requireDestTag, setBy: 0x00010000, clearedBy: 0x00020000 },
  REQUIRE_AUTH,
  { asf: 3, bit: ACCOUNT_FLAGS.disallowXrp, setBy: 0x00100000, clearedBy: 0x00200000 },
  { asf: 8, bit: ACCOUNT_FLAGS.defaultRipple },
  { asf: 9, bit: ACCOUNT_FLAGS.depositAuth },
  { asf: 12, bit: ACCOUNT_FLAGS.disallowIncomingNFTokenOffer },
  { asf: 13, bit: ACCOUNT_FLAGS.disallowIncomingCheck },
  { asf: 14, bit: ACCOUNT_FLAGS.disallowIncomingPayChan },
  { asf: 15, bit: ACCOUNT_FLAGS.disallowIncomingTrustline },
  { asf: 17, bit: ACCOUNT_FLAGS.allowTrustLineLocking },
];
const ASF_DISABLE_MASTER = 4;
const ASF_ACCOUNT_TXN_ID = 5;
const ASF_NO_FREEZE = 6;
const ASF_GLOBAL_FREEZE = 7;
const ASF_TRUST_LINE_CLAWBACK = 16;

const MAX_DOMAIN_DIGITS = 2 * 256;
const RATE_ONE = 1_000_000_000;

export const accountSet: Transactor = {
  fields: {
    EmailHash: 'optional',
    WalletLocator: 'optional',
    WalletSize: 'optional',
    MessageKey: 'optional',
    Domain: 'optional',
    TransferRate: 'optional',
    SetFlag: 'optional',
    ClearFlag: 'optional',
    TickSize: 'optional',
    NFTokenMinter: 'optional',
  },
  flags: 0x003f0000,
  preflight,
  preclaim,
  apply,
};

const number = (value: unknown): number => (value as number | undefined) ?? 0;
const sets = (tx: Transaction, { asf, setBy = 0 }: Switch) =>
  tx.json.SetFlag === asf || (tx.flags & setBy) !== 0;
const clears = (tx: Transaction, { asf, clearedBy = 0 }: Switch) =>
  tx.json.ClearFlag === asf || (tx.flags & clearedBy) !== 0;

function preflight(tx: Transaction): Result {
  const { json } = tx;
  const setFlag = number(json.SetFlag);
  if (setFlag !== 0 && setFlag === json.ClearFlag) return 'temINVALID_FLAG';
  if (TWO_WAY.some(entry => sets(tx, entry) && clears(tx, entry))) return 'temINVALID_FLAG';
  const rate = number(json.TransferRate);
  if (rate !== 0 && (rate < RATE_ONE || rate > 2 * RATE_ONE)) return 'temBAD_TRANSFER_RATE';
  const tick = number(json.TickSize);
  if (tick !== 0 && (tick < LEAST_TICK_SIZE || tick > MOST_TICK_SIZE)) return 'temBAD_TICK_SIZE';
  const messageKey = json.MessageKey as string | undefined;
  if (messageKey && !publicKeyType(messageKey)) return 'telBAD_PUBLIC_KEY';
  if (((json.Domain as string | undefined)?.length ?? 0) > MAX_DOMAIN_DIGITS) return 'telBAD_DOMAIN';
  const refused = json.NFTokenMinter === undefined ? setFlag : json.ClearFlag;
  return refused === ASF_NFTOKEN_MINTER ? 'temMALFORMED' : 'tesSUCCESS';
}

function preclaim(context: ApplyContext): Result {
  const { tx, view, retry } = context;
  const flags = sourceAccount(context).Flags;
  const owns = () => ownedKeys(view, tx.account).length > 0;
  if (sets(tx, REQUIRE_AUTH) && !(flags & ACCOUNT_FLAGS.requireAuth) && owns())
    return retry ? 'terOWNERS' : 'tecOWNERS';
  if (tx.json.SetFlag === ASF_TRUST_LINE_CLAWBACK) {
    if (flags & ACCOUNT_FLAGS.noFreeze) return 'tecNO_PERMISSION';
    if (owns()) return 'tecOWNERS';
  }
  if (tx.json.SetFlag === ASF_NO_FREEZE && flags & ACCOUNT_FLAGS.allowTrustLineClawback)
    return 'tecNO_PERMISSION';
  return 'tesSUCCESS';
}

function apply(context: ApplyContext): Result {
  const { tx, view } = context;
  const account = sourceAccount(context);
  const flags = switchFlags(context, account);
  if (typeof flags === 'string') return flags;
  const changed = setAccountFields({ ...account, Flags: flags >>> 0 }, tx.json);
  view.writeAccount(switchTransactionId(changed, tx));
  return 'tesSUCCESS';
}

function switchFlags({ tx, view }: ApplyContext, account: AccountRoot): number | Result {
  const { SetFlag, ClearFlag } = tx.json;
  const before = account.Flags;
  const byMaster = addressOfSigner(tx.json.SigningPubKey) === tx.account;
  let flags = before;
  for (const entry of TWO_WAY) {
    if (sets(tx, entry)) flags |= entry.bit;
    if (clears(tx, entry)) flags &= ~entry.bit;
  }
  if (SetFlag === ASF_DISABLE_MASTER && !(before & ACCOUNT_FLAGS.disableMaster)) {
    if (!byMaster) return 'tecNEED_MASTER_KEY';
    if (account.RegularKey === undefined && !view.read(signerListKey(tx.account)))
      return 'tecNO_ALTERNATIVE_KEY';
    flags |= ACCOUNT_FLAGS.disableMaster;
  }
  if (ClearFlag === ASF_DISABLE_MASTER) flags &= ~ACCOUNT_FLAGS.disableMaster;
  if (SetFlag === ASF_NO_FREEZE) {
    if (!byMaster && !(before & ACCOUNT_FLAGS.disableMaster)) return 'tecNEED_MASTER_KEY';
    flags |= ACCOUNT_FLAGS.noFreeze;
  }
  if (SetFlag === ASF_GLOBAL_FREEZE) flags |= ACCOUNT_FLAGS.globalFreeze;
  else if (ClearFlag === ASF_GLOBAL_FREEZE && !(before & ACCOUNT_FLAGS.noFreeze))
    flags &= ~ACCOUNT_FLAGS.globalFreeze;
  if (SetFlag === ASF_TRUST_LINE_CLAWBACK) flags |= ACCOUNT_FLAGS.allowTrustLineClawback;
  return flags;
}

function switchTransactionId(account: AccountRoot, { json }: Transaction): AccountRoot {
  if (json.SetFlag === ASF_ACCOUNT_TXN_ID)
    return { ...account, AccountTxnID: account.AccountTxnID ?? ZERO_HASH };
  if (json.ClearFlag !== ASF_ACCOUNT_TXN_ID) return account;
  const { AccountTxnID: _removed, ...rest } = account;
  return rest as AccountRoot;
}
