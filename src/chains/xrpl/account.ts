import type { Balance, ChainAddress } from '../port.ts';
import type { XrplConnection } from './connection.ts';
import { serverInfo, toDrops } from './server-info.ts';
import { XrplRefusal } from './session.ts';

interface AccountData {
  Balance: string;
  Flags: number;
  OwnerCount: number;
  Sequence: number;
}

/** Undefined: the account does not exist. `current` includes transactions that wait for the next ledger. */
async function accountData(connection: XrplConnection, account: string, ledger: 'validated' | 'current') {
  try {
    const fields = { account, ledger_index: ledger };
    return (await connection.request<{ account_data: AccountData }>('account_info', fields, ['actNotFound']))
      .account_data;
  } catch (error) {
    if (error instanceof XrplRefusal) return undefined;
    throw error;
  }
}

/** A new account's Sequence begins with the index of the ledger that creates it; until then the answer is 0. */
export async function sequenceOf(
  connection: XrplConnection,
  account: string,
  ledger: 'validated' | 'current',
): Promise<number> {
  return (await accountData(connection, account, ledger))?.Sequence ?? 0;
}

const REQUIRE_DESTINATION_TAG = 0x0002_0000;

/** D-32: a payment without a tag to an account that requires one costs the fee and pays nothing. */
export async function whyUnpayable(
  connection: XrplConnection,
  { account, tag }: ChainAddress,
): Promise<string | undefined> {
  if (tag !== undefined) return undefined;
  const data = await accountData(connection, account, 'validated');
  if (!data || (data.Flags & REQUIRE_DESTINATION_TAG) === 0) return undefined;
  return `${account} requires a destination tag, and the verification names none: a payment would fail with tecDST_TAG_NEEDED`;
}

export async function balanceOf(connection: XrplConnection, account: string): Promise<Balance> {
  const data = await accountData(connection, account, 'validated');
  if (!data) return { total: 0n, spendable: 0n };
  const { validated_ledger: ledger } = await serverInfo(connection);
  const reserve =
    toDrops(ledger.reserve_base_xrp) + BigInt(data.OwnerCount) * toDrops(ledger.reserve_inc_xrp);
  const total = BigInt(data.Balance);
  return { total, spendable: total > reserve ? total - reserve : 0n };
}
