import type { VaspOperation } from '../../contract/vasp-api.ts';

/** The four endpoints of a VASP: as people call them, and the variable that holds their address in an enclave. */

export const ENDPOINT_TITLES: Record<VaspOperation, string> = {
  verifyUser: 'Verify user',
  verifyAccount: 'Verify account',
  transactionStatus: 'Transaction status',
  callback: 'Callback',
};
export const ENDPOINTS = Object.keys(ENDPOINT_TITLES) as VaspOperation[];

export const ENDPOINT_VARIABLES: Record<VaspOperation, string> = {
  verifyUser: 'VEGA_VERIFICATION_API_PATH',
  verifyAccount: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
  transactionStatus: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
  callback: 'VEGA_VERIFICATION_CALLBACK_API_PATH',
};

export const ENDPOINT_HELP: Record<VaspOperation, string> = {
  verifyUser: 'Asked in a deposit test: may this originator pay that customer of yours?',
  verifyAccount: 'Asked in a deposit test: is this address yours?',
  transactionStatus: 'Asked in a withdrawal test without your report: where is your transaction?',
  callback: 'Told about results and reports. Without an address they wait in the mailbox.',
};

export const PROVIDER_KEY_TITLES = {
  sanctionApiKey: 'Provider A: key of sanction screening',
  kytApiKey: 'Provider A: key of monitoring',
  wcoApiKey: 'Provider B: key of person screening',
  wcoGroupId: 'Provider B: group ID',
} as const;
export const PROVIDER_KEYS = Object.keys(PROVIDER_KEY_TITLES) as (keyof typeof PROVIDER_KEY_TITLES)[];

export const PROVIDER_KEY_VARIABLES: Record<keyof typeof PROVIDER_KEY_TITLES, string> = {
  sanctionApiKey: 'PROVIDER_A_SANCTION_API_KEY',
  kytApiKey: 'PROVIDER_A_KYT_API_KEY',
  wcoApiKey: 'PROVIDER_B_WCO_API_KEY',
  wcoGroupId: 'PROVIDER_B_WCO_GROUP_ID',
};
