import type { Answers } from '../../client/answers.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';

/** The four endpoints of a VASP: environment variables. */

export const ENDPOINT_VARIABLES: Record<VaspOperation, string> = {
  verifyUser: 'VEGA_VERIFICATION_API_PATH',
  verifyAccount: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
  transactionStatus: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
  callback: 'VEGA_VERIFICATION_CALLBACK_API_PATH',
};
export const ENDPOINTS = Object.keys(ENDPOINT_VARIABLES) as VaspOperation[];

type ProviderKey = Answers['registerVasp']['providerKeys'][number];

export const PROVIDER_KEY_VARIABLES: Record<ProviderKey, string> = {
  sanctionApiKey: 'PROVIDER_A_SANCTION_API_KEY',
  kytApiKey: 'PROVIDER_A_KYT_API_KEY',
  wcoApiKey: 'PROVIDER_B_WCO_API_KEY',
  wcoGroupId: 'PROVIDER_B_WCO_GROUP_ID',
};
export const PROVIDER_KEYS = Object.keys(PROVIDER_KEY_VARIABLES) as ProviderKey[];
