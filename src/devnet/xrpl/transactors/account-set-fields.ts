import { definitions } from '../definitions.ts';
import type { AccountRoot } from '../entries.ts';
import type { TransactionJson } from '../transaction.ts';

const { asfAuthorizedNFTokenMinter } = definitions.ACCOUNT_SET_FLAGS;
export const LEAST_TICK_SIZE = 3;
/** As many digits as an amount has, so it removes the field. */
export const MOST_TICK_SIZE = 16;

/** The values in an AccountSet that remove a field instead of setting it. */
const REMOVED_BY: Readonly<Record<string, (value: unknown) => boolean>> = {
  EmailHash: value => /^0*$/.test(String(value)),
  WalletLocator: value => /^0*$/.test(String(value)),
  MessageKey: value => value === '',
  Domain: value => value === '',
  TransferRate: value => value === 0 || value === 1_000_000_000,
  TickSize: value => value === 0 || value === MOST_TICK_SIZE,
};

/** The account with the fields of an AccountSet. */
export function setAccountFields(account: AccountRoot, json: TransactionJson): AccountRoot {
  const changed: Record<string, unknown> = { ...account };
  for (const [field, removes] of Object.entries(REMOVED_BY)) {
    if (json[field] === undefined) continue;
    if (removes(json[field])) delete changed[field];
    else changed[field] = json[field];
  }
  if (json.SetFlag === asfAuthorizedNFTokenMinter) changed.NFTokenMinter = json.NFTokenMinter;
  if (json.ClearFlag === asfAuthorizedNFTokenMinter) delete changed.NFTokenMinter;
  return changed as unknown as AccountRoot;
}
