import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.ts';
import { unsignedTransaction } from '../parse-transaction.ts';
import { accountId } from '../signature.ts';
import { baseFee } from '../transactors/registry.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';

/** The `tx_json` of a request that signs or submits: a copy with a valid Account. */
export function signableJson(params: Json): Json {
  const { tx_json: json } = params;
  if (json === undefined) throw missingField('tx_json');
  if (!isObject(json)) throw invalidField('tx_json', 'object');
  if (json.TransactionType === undefined) throw missingField('tx_json.TransactionType');
  if (json.Account === undefined) throw rpcError('srcActMissing', "Missing field 'tx_json.Account'.");
  if (!accountId(json.Account)) throw rpcError('srcActMalformed', "Invalid field 'tx_json.Account'.");
  return { ...json };
}

export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The transaction with NetworkID, Sequence (the next one behind the queue, 0 with a ticket) and Fee. */
export function autofilled(engine: Engine, stated: Json): Json {
  const { networkId, submissions } = engine;
  const next = () =>
    stated.TicketSequence === undefined ? submissions.sequencesOf(stated.Account as string).available : 0;
  const json: Json = {
    ...(networkId > 1024 ? { NetworkID: networkId } : {}),
    ...stated,
    Sequence: stated.Sequence ?? next(),
  };
  return { ...json, Fee: json.Fee ?? feeFor(engine, json) };
}

const MAX_TIMES = 10n;

/** The fee for the open ledger now, in drops. Throws `highFee` above ten times the usual one. */
function feeFor(engine: Engine, json: Json): string {
  const usual = usualFee(engine, json);
  const loaded = usual * BigInt(engine.loadFactor);
  const { openFee } = engine.submissions;
  const fee = openFee > loaded ? openFee : loaded;
  const limit = usual * MAX_TIMES;
  if (fee > limit) throw rpcError('highFee', `Fee of ${fee} exceeds the requested tx limit of ${limit}`);
  return fee.toString();
}

function usualFee({ open, fees }: Engine, json: Json): bigint {
  try {
    const tx = unsignedTransaction({ Fee: '0', Sequence: 0, SigningPubKey: '', ...json });
    return baseFee(tx, open.view, fees);
  } catch {
    return fees.base;
  }
}

/** A Payment may state DeliverMax instead of Amount. */
export function checkPayment(json: Json, params: Json): Json {
  if (json.TransactionType !== 'Payment') return json;
  const { DeliverMax, ...rest } = json;
  if (DeliverMax !== undefined && rest.Amount !== undefined && !isDeepStrictEqual(DeliverMax, rest.Amount))
    throw rpcError('invalidParams', "Cannot specify differing 'Amount' and 'DeliverMax'");
  const payment: Json = { ...rest, Amount: rest.Amount ?? DeliverMax };
  if (payment.Amount === undefined) throw missingField('tx_json.Amount');
  if (payment.Destination === undefined) throw missingField('tx_json.Destination');
  if (!accountId(payment.Destination)) throw invalidField('tx_json.Destination');
  if (params.build_path !== undefined) throw rpcError('invalidParams', 'Cannot build paths.');
  return payment;
}
