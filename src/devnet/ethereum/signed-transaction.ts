import type { BeforeSending, Sending } from '../access.ts';
import { MOST_GAS_OF_A_STRANGER } from './limits.ts';

/** Place of the gas limit in a transaction, by its type. A transaction before EIP-2718 begins with a list. */
const PLACES: Readonly<Record<string, number>> = { '01': 3, '02': 4, '03': 4, '04': 4 };
const PLACE_WITHOUT_TYPE = 2;

/** A transaction of a stranger has at most the gas of a call. Throws the sentence that refuses it. */
export async function announce(raw: unknown, beforeSending: BeforeSending): Promise<void> {
  const sending = await sendingOf(raw).catch(() => undefined);
  if (!sending) throw new Error('The parameter is no signed transaction.');
  if (sending.gas > MOST_GAS_OF_A_STRANGER)
    throw new Error(
      `Several VASPs share this chain: a transaction has at most ${MOST_GAS_OF_A_STRANGER} gas.`,
    );
  beforeSending(sending);
}

/** Undefined: it is no signed transaction. The hash is that of its canonical form, which the node prints. */
export async function sendingOf(raw: unknown): Promise<Sending | undefined> {
  const [, type = '', rest] = (typeof raw === 'string' && /^0x(0[1-4])?((?:[0-9a-f]{2})+)$/i.exec(raw)) || [];
  if (rest === undefined) return undefined;
  const [{ decodeRlp, encodeRlp }, { keccak256 }] = await Promise.all([
    import('ethers/utils'),
    import('ethers/crypto'),
  ]);
  const fields = decodeRlp(`0x${rest}`);
  if (!Array.isArray(fields)) return undefined;
  // Beside its blobs a transaction is a list of its own. The hash leaves the blobs out.
  const own = Array.isArray(fields[0]) ? fields[0] : fields;
  const limit = own[PLACES[type] ?? PLACE_WITHOUT_TYPE];
  if (typeof limit !== 'string') return undefined;
  return {
    symbol: 'ETH',
    hash: keccak256(`0x${type}${encodeRlp(own).slice(2)}`),
    gas: limit === '0x' ? 0 : Number(limit),
    bytes: (raw as string).length / 2 - 1,
  };
}
