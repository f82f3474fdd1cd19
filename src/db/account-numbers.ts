import type { Beneficiary, Originator } from '../contract/ivms101.ts';

interface Accounts {
  originatorAccountNumber: string;
  ivms101Originator: Originator;
  beneficiaryAccountNumber: string;
  ivms101Beneficiary: Beneficiary;
}

/**
 * The first account number of each party has a column of its own, so its place in the stored JSON is empty. Rows of older
 * databases have it in both.
 */
export const withoutAccounts = <R extends Accounts>(row: R): R => withFirst(row, '', '');

export function withAccounts<R extends Accounts>(row: R): R {
  const { originatorAccountNumber, beneficiaryAccountNumber } = row;
  return withFirst(row, originatorAccountNumber, beneficiaryAccountNumber);
}

const withFirst = <R extends Accounts>(row: R, originator: string, beneficiary: string): R => ({
  ...row,
  ivms101Originator: withFirstAccount(row.ivms101Originator, originator),
  ivms101Beneficiary: withFirstAccount(row.ivms101Beneficiary, beneficiary),
});

const withFirstAccount = <P extends Originator | Beneficiary>(party: P, first: string): P => ({
  ...party,
  accountNumber: party.accountNumber.with(0, first),
});
