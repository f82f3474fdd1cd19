import type { Spend } from '../access.ts';
import { MOST_GAS_OF_A_STRANGER } from './limits.ts';

/** Place of the gas limit in a transaction, by its type. A transaction before EIP-2718 begins with a list. */
const PLACES: Readonly<Record<string, number>> = { '01': 3, '02': 4, '03': 4, '04': 4 };
const PLACE_WITHOUT_TYPE = 2;

/** A transaction of a stranger is counted, and has at most the gas of a call. Throws the sentence that refuses it. */
export async function spendFor(raw: unknown, spend: Spend): Promise<void> {
  const gas = await gasLimitOf(raw).catch(() => undefined);
  if (gas === undefined) throw new Error('The parameter is no signed transaction.');
  if (gas > MOST_GAS_OF_A_STRANGER)
    throw new Error(
      `Several VASPs share this chain: a transaction has at most ${MOST_GAS_OF_A_STRANGER} gas.`,
    );
  spend({ gas: Number(gas), bytes: (raw as string).length / 2 - 1 });
}

async function gasLimitOf(raw: unknown): Promise<bigint | undefined> {
  const [, type = '', rest] = (typeof raw === 'string' && /^0x(0[1-4])?((?:[0-9a-f]{2})+)$/i.exec(raw)) || [];
  if (rest === undefined) return undefined;
  const { decodeRlp } = await import('ethers/utils');
  const fields = decodeRlp(`0x${rest}`);
  if (!Array.isArray(fields)) return undefined;
  // Beside its blobs a transaction is a list of its own.
  const own = Array.isArray(fields[0]) ? fields[0] : fields;
  const limit = own[PLACES[type] ?? PLACE_WITHOUT_TYPE];
  return typeof limit === 'string' ? BigInt(limit === '0x' ? 0 : limit) : undefined;
}
