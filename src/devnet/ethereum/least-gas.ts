import type { Transaction } from 'ethers/transaction';

/** Gas that a transaction pays before its code runs. `create`: that of one without a recipient. */
const GAS = { call: 21_000, create: 53_000, word: 2, address: 2_400, key: 1_900, authorization: 25_000 };
const BYTE = { zero: 4, other: 16 };
/** EIP-7623: the least for data, whatever its code takes. */
const FLOOR = { zero: 10, other: 40 };
const WORD_BYTES = 32;

/** The embedded node takes a transaction with less gas, and loses it. In the words of geth; undefined: it is enough. */
export function missingGas({ to, gasLimit, data, accessList, authorizationList }: Transaction): string | undefined {
  const bytes = data.length / 2 - 1;
  const zero = (data.slice(2).match(/../g) ?? []).filter(byte => byte === '00').length;
  const dataBy = (gas: typeof BYTE): number => zero * gas.zero + (bytes - zero) * gas.other;
  const start = to === null ? GAS.create + Math.ceil(bytes / WORD_BYTES) * GAS.word : GAS.call;
  const keys = (accessList ?? []).reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const lists =
    (accessList?.length ?? 0) * GAS.address + keys * GAS.key + (authorizationList?.length ?? 0) * GAS.authorization;
  const intrinsic = start + dataBy(BYTE) + lists;
  const floor = GAS.call + dataBy(FLOOR);
  if (gasLimit < intrinsic) return `intrinsic gas too low: gas ${gasLimit}, minimum needed ${intrinsic}`;
  if (gasLimit < floor) return `insufficient gas for floor data gas cost: gas ${gasLimit}, minimum needed ${floor}`;
  return undefined;
}
