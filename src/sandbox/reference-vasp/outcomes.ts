import type * as z from 'zod';
import type { Client } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { pause } from '../../timers/loop.ts';
import type { VerificationEntry } from '../verifications/schema.ts';

/** Finding what came of an act of the reference VASP. */

const WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;

export type Verification = z.infer<typeof VerificationEntry>;

/** The first thing that `look` finds. Throws an error that names `what` after 10 seconds. */
export async function found<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = elapsedMs() + WITHIN_MS; ; await pause(LOOK_AGAIN_MS)) {
    const thing = await look();
    if (thing !== undefined) return thing;
    if (elapsedMs() > end) throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`);
  }
}

/** The newest verification of this amount, as soon as it is over. */
export const verificationOf = (
  api: Client,
  symbol: AssetSymbol,
  amount: string,
  isOver: (row: Verification) => boolean,
): Promise<Verification> =>
  found(`${amount} ${symbol}`, async () => {
    const { verifications } = await api.verifications({ limit: 20 });
    const row = verifications.find(each => each.symbol === symbol && each.amount === amount);
    return row && isOver(row) ? row : undefined;
  });
