import type { SetRegularKey } from 'xrpl';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import { accountKey, signerListKey } from '../entries.ts';
import { defaultBaseFee } from '../fees.ts';
import type { ReadView } from '../ledger-view.ts';
import type { Failure } from '../results.ts';
import { addressOfSigner, publicKeyType } from '../signature.ts';
import type { Transaction } from '../transaction.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

export const setRegularKey: Transactor<SetRegularKey> = {
  baseFee: (tx, view, fees) => (isFreeReset(tx, view) ? 0n : defaultBaseFee(tx, fees)),
  preflight: ({ json }): Failure =>
    json.RegularKey !== undefined && json.RegularKey === json.Account ? 'temBAD_REGKEY' : undefined,
  apply,
};

/** The master key may set the regular key once without a fee. An incoming payment allows it again. */
function isFreeReset({ json, account }: Transaction<SetRegularKey>, view: ReadView): boolean {
  const { SigningPubKey } = json;
  if (!publicKeyType(SigningPubKey) || addressOfSigner(SigningPubKey) !== account) return false;
  const flags = view.read(accountKey(account))?.Flags ?? ACCOUNT_FLAGS.lsfPasswordSpent;
  return !(flags & ACCOUNT_FLAGS.lsfPasswordSpent);
}

function apply(context: ApplyContext<SetRegularKey>): Failure {
  const { tx, view } = context;
  const source = sourceAccount(context);
  const Flags = (isFreeReset(tx, view) ? source.Flags | ACCOUNT_FLAGS.lsfPasswordSpent : source.Flags) >>> 0;
  const account = { ...source, Flags };
  if (tx.json.RegularKey !== undefined) {
    view.writeAccount({ ...account, RegularKey: tx.json.RegularKey });
    return undefined;
  }
  if (Flags & ACCOUNT_FLAGS.lsfDisableMaster && !view.read(signerListKey(tx.account))) return 'tecNO_ALTERNATIVE_KEY';
  const { RegularKey: _removed, ...rest } = account;
  view.writeAccount(rest as typeof account);
}
