import { accountKey, type Entry, signerListKey } from '../entries.ts';
import type { ReadView } from '../ledger-view.ts';
import { queueDataOf } from '../queue-report.ts';
import { ACCOUNT_FLAGS } from '../transactors/account-flags.ts';
import { type Json, rpcError } from './errors.ts';
import { accountField, booleanField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

const FLAG_NAMES: Readonly<Record<string, number>> = {
  allowTrustLineClawback: ACCOUNT_FLAGS.allowTrustLineClawback,
  allowTrustLineLocking: ACCOUNT_FLAGS.allowTrustLineLocking,
  defaultRipple: ACCOUNT_FLAGS.defaultRipple,
  depositAuth: ACCOUNT_FLAGS.depositAuth,
  disableMasterKey: ACCOUNT_FLAGS.disableMaster,
  disallowIncomingCheck: ACCOUNT_FLAGS.disallowIncomingCheck,
  disallowIncomingNFTokenOffer: ACCOUNT_FLAGS.disallowIncomingNFTokenOffer,
  disallowIncomingPayChan: ACCOUNT_FLAGS.disallowIncomingPayChan,
  disallowIncomingTrustline: ACCOUNT_FLAGS.disallowIncomingTrustline,
  disallowIncomingXRP: ACCOUNT_FLAGS.disallowXrp,
  globalFreeze: ACCOUNT_FLAGS.globalFreeze,
  noFreeze: ACCOUNT_FLAGS.noFreeze,
  passwordSpent: ACCOUNT_FLAGS.passwordSpent,
  requireAuthorization: ACCOUNT_FLAGS.requireAuth,
  requireDestinationTag: ACCOUNT_FLAGS.requireDestTag,
};

export function accountInfo(request: RpcRequest): Json {
  const { engine, apiVersion, params } = request;
  const address = accountField(request, () => selectLedger(request).named);
  const ledger = selectLedger(request);
  const { named } = ledger;
  const key = accountKey(address);
  const entry = ledger.view.read(key);
  if (!entry) throw rpcError('actNotFound', undefined, { ...named, account: address });
  const queue = booleanField(request, 'queue');
  if (queue && ledger.header) throw rpcError('invalidParams', undefined, named);
  const badSignerLists = params.signer_lists !== undefined && typeof params.signer_lists !== 'boolean';
  if (apiVersion > 1 && badSignerLists) throw rpcError('invalidParams', undefined, named);
  const signerLists = booleanField(request, 'signer_lists') ? signerListsOf(ledger.view, address) : {};
  return {
    account_data: { ...entry, index: key, ...avatarOf(entry), ...(apiVersion === 1 ? signerLists : {}) },
    account_flags: flagsOf(entry.Flags),
    ...(apiVersion > 1 ? signerLists : {}),
    ...(queue ? { queue_data: queueDataOf(engine, address) } : {}),
    ...named,
  };
}

function signerListsOf(view: ReadView, address: string): Json {
  const key = signerListKey(address);
  const list = view.read(key);
  return { signer_lists: list ? [{ ...list, index: key }] : [] };
}

function avatarOf({ EmailHash }: Entry): Json {
  if (typeof EmailHash !== 'string') return {};
  return { urlgravatar: `http://www.gravatar.com/avatar/${EmailHash.toLowerCase()}` };
}

const flagsOf = (flags: number): Json =>
  Object.fromEntries(Object.entries(FLAG_NAMES).map(([name, bit]) => [name, (flags & bit) !== 0]));
