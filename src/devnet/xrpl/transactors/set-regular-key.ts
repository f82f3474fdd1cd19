import type { Result } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { ACCOUNT_FLAGS } from './account-flags.ts';
import { type ApplyContext, sourceAccount, type Transactor } from './transactor.ts';

export const setRegularKey: Transactor = {
  fields: { RegularKey: 'optional' },
  flags: 0,
  preflight: ({ json }: Transaction): Result =>
    json.RegularKey !== undefined && json.RegularKey === json.Account ? 'temBAD_REGKEY' : 'tesSUCCESS',
  apply,
};

function apply(context: ApplyContext): Result {
  const { tx, view } = context;
  const account = sourceAccount(context);
  if (tx.json.RegularKey !== undefined) {
    view.writeAccount({ ...account, RegularKey: tx.json.RegularKey as string });
    return 'tesSUCCESS';
  }
  if (account.Flags & ACCOUNT_FLAGS.disableMaster) return 'tecNO_ALTERNATIVE_KEY';
  const { RegularKey: _removed, ...rest } = account;
  view.writeAccount(rest as typeof account);
  return 'tesSUCCESS';
}
