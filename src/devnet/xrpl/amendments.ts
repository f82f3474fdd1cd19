import { sha512Half, toHex } from './hash-tree.ts';

/** The amendments whose rules this ledger follows. Everything else is answered with temDISABLED. */
const NAMES = [
  'DeletableAccounts',
  'DepositAuth',
  'DepositPreauth',
  'DisallowIncoming',
  'Escrow',
  'ExpandedSignerList',
  'FeeEscalation',
  'Flow',
  'FlowCross',
  'HardenedValidations',
  'ImmediateOfferKilled',
  'MultiSign',
  'MultiSignReserve',
  'RequireFullyCanonicalSig',
  'TickSize',
  'TicketBatch',
  'TrustSetAuth',
  'XRPFees',
  'fix1523',
  'fix1543',
  'fix1571',
  'fixMasterKeyAsRegularKey',
  'fixPreviousTxnID',
  'fixTrustLinesToSelf',
  'fixUniversalNumber',
];

/** `id`: the hash of the name. */
export const AMENDMENTS = NAMES.map(name => ({ id: toHex(sha512Half(Buffer.from(name))), name })).sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
