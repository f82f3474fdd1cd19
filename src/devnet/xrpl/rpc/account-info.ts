import { ACCOUNT_FLAGS } from '../definitions.ts';
import { accountKey, type Entry, signerListKey } from '../entries.ts';
import type { ReadView } from '../ledger-view.ts';
import { queueDataOf } from '../queue-report.ts';
import { type Json, rpcError } from './errors.ts';
import { accountField, booleanField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

/** The flags that have another name in the answer. */
const FLAG_NAMES: Readonly<Record<string, string>> = {
  lsfDisableMaster: 'disableMasterKey',
  lsfDisallowXRP: 'disallowIncomingXRP',
  lsfRequireAuth: 'requireAuthorization',
  lsfRequireDestTag: 'requireDestinationTag',
};
const flagName = (lsf: string): string => FLAG_NAMES[lsf] ?? lsf.charAt(3).toLowerCase() + lsf.slice(4);

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
  Object.fromEntries(Object.entries(ACCOUNT_FLAGS).map(([lsf, bit]) => [flagName(lsf), (flags & bit) !== 0]));
