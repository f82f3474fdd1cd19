import { stateLeaves } from './close.ts';
import { accountKey, amendmentsKey, type Entry, type Fees, feeSettingsKey, newAccount } from './entries.ts';
import { type LedgerHeader, sealHeader, sha512Half, toHex, updateTree, ZERO_HASH } from './hash-tree.ts';
import type { Storage } from './storage.ts';

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

/** The account that owns every coin at first. Its key is public ("masterpassphrase"). */
export const GENESIS_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
export const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
export const TOTAL_COINS = 10n ** 17n;

/** Address -> drops. */
export type Endowed = ReadonlyMap<string, bigint>;

/** Writes ledger 1. `bank` gets what the endowed accounts leave. */
export function createGenesis(
  storage: Storage,
  fees: Fees,
  endowed: Endowed = new Map(),
  bank = GENESIS_ADDRESS,
): LedgerHeader {
  const others = [...endowed].filter(([address]) => address !== bank);
  const left = others.reduce((coins, [, drops]) => coins - drops, TOTAL_COINS);
  const accounts = [[bank, left] as const, ...others];
  const state = [
    ...accounts.map(([address, drops]) => ({ key: accountKey(address), after: newAccount(address, 1, drops) })),
    { key: feeSettingsKey, after: feeSettings(fees) },
    { key: amendmentsKey, after: amendments },
  ];
  for (const change of state) storage.putEntry(change, 1);
  const accountHash = updateTree(storage.tree, stateLeaves(state));
  const header = sealHeader({
    index: 1,
    parentHash: ZERO_HASH,
    parentCloseTime: 0,
    transactionHash: ZERO_HASH,
    accountHash,
    totalCoins: TOTAL_COINS,
    closeTime: 0,
  });
  storage.insertHeader(header);
  return header;
}

const amendments: Entry = { LedgerEntryType: 'Amendments', Flags: 0, Amendments: AMENDMENTS.map(({ id }) => id) };

const feeSettings = (fees: Fees): Entry => ({
  LedgerEntryType: 'FeeSettings',
  Flags: 0,
  BaseFeeDrops: fees.base.toString(),
  ReserveBaseDrops: fees.reserveBase.toString(),
  ReserveIncrementDrops: fees.reserveIncrement.toString(),
});

export function feesOf(entry: Entry): Fees {
  const drops = (name: string) => BigInt(String(entry[name]));
  return {
    base: drops('BaseFeeDrops'),
    reserveBase: drops('ReserveBaseDrops'),
    reserveIncrement: drops('ReserveIncrementDrops'),
  };
}
