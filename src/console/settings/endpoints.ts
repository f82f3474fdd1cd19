import type { SandboxAnswers } from '../../client/answers.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';

/** The four endpoints of a VASP: titles, help texts and environment variables. */

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
  verifyUser: 'Deposit test: may this originator pay your customer?',
  verifyAccount: 'Deposit test: does this address belong to your customer?',
  transactionStatus: 'Withdrawal test without your report: what is the status of your transaction?',
  callback: 'Receives results and reports. Without an address they wait in the mailbox.',
};

type ProviderKey = SandboxAnswers['vasp']['providerKeys'][number];

export const PROVIDER_KEY_TITLES: Record<ProviderKey, string> = {
  sanctionApiKey: 'Provider A: key for sanction screening',
  kytApiKey: 'Provider A: key for transaction monitoring',
  wcoApiKey: 'Provider B: key for person screening',
  wcoGroupId: 'Provider B: group ID',
};
export const PROVIDER_KEYS = Object.keys(PROVIDER_KEY_TITLES) as ProviderKey[];

export const PROVIDER_KEY_VARIABLES: Record<ProviderKey, string> = {
  sanctionApiKey: 'PROVIDER_A_SANCTION_API_KEY',
  kytApiKey: 'PROVIDER_A_KYT_API_KEY',
  wcoApiKey: 'PROVIDER_B_WCO_API_KEY',
  wcoGroupId: 'PROVIDER_B_WCO_GROUP_ID',
};
