import { invalidField, type Json } from './errors.ts';

/** The names of `type` in requests -> LedgerEntryType. Both names are accepted. */
const ENTRY_TYPES: Readonly<Record<string, string>> = {
  account: 'AccountRoot',
  amendments: 'Amendments',
  amm: 'AMM',
  bridge: 'Bridge',
  check: 'Check',
  credential: 'Credential',
  delegate: 'Delegate',
  deposit_preauth: 'DepositPreauth',
  did: 'DID',
  directory: 'DirectoryNode',
  escrow: 'Escrow',
  fee: 'FeeSettings',
  hashes: 'LedgerHashes',
  mpt_issuance: 'MPTokenIssuance',
  mptoken: 'MPToken',
  nft_offer: 'NFTokenOffer',
  nft_page: 'NFTokenPage',
  nunl: 'NegativeUNL',
  offer: 'Offer',
  oracle: 'Oracle',
  payment_channel: 'PayChannel',
  permissioned_domain: 'PermissionedDomain',
  signer_list: 'SignerList',
  state: 'RippleState',
  ticket: 'Ticket',
  vault: 'Vault',
  xchain_owned_claim_id: 'XChainOwnedClaimID',
  xchain_owned_create_account_claim_id: 'XChainOwnedCreateAccountClaimID',
};

/** The LedgerEntryType of `type`; undefined: every type. */
export function entryTypeField({ type }: Json): string | undefined {
  if (type === undefined) return undefined;
  if (typeof type !== 'string') throw invalidField('type', 'string');
  const name = type.toLowerCase();
  const found =
    ENTRY_TYPES[name] ?? Object.values(ENTRY_TYPES).find(canonical => canonical.toLowerCase() === name);
  if (!found) throw invalidField('type');
  return found;
}
