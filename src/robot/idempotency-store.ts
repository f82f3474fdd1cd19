import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { refusals } from '../contract/refusals.ts';
import type { VerifyUserAnswer } from '../contract/requests.ts';
import { deleteSome, findRow, insertRow } from '../db/prepared-statements.ts';
import { answers } from '../db/schema/robot.ts';
import type { Tx } from '../db/transaction.ts';
import type { RobotDeps } from './deps.ts';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x20-\x7e]{1,255}$/;

type Keep = (tx: Tx, answer: VerifyUserAnswer) => void;

/**
 * Runs `effect`, which calls `keep` in its transaction, once per key; without a key on every call. Of two calls at once the
 * second one waits for the answer of the first one. Throws `Refusal` for another body.
 */
export async function once(
  deps: RobotDeps,
  { caller, key, body }: { caller: string; key: string | undefined; body: object },
  effect: (keep?: Keep) => Promise<VerifyUserAnswer>,
): Promise<VerifyUserAnswer> {
  if (key === undefined) return effect();
  if (!KEY.test(key)) throw refusals.invalidField(HEADER, 'should be 1 to 255 printable ASCII characters');
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const earlier = (): VerifyUserAnswer | undefined => {
    const first = findRow(deps.db, answers, { vaspId: caller, key });
    if (first && first.bodyHash !== bodyHash) throw refusals.invalidField(HEADER, 'was used with another body');
    return first?.answer;
  };
  const keep: Keep = (tx, answer) =>
    insertRow(tx, answers, { vaspId: caller, key, bodyHash, answer, at: deps.clock.now(caller) });
  return deps.oneByOne(`${caller} ${key}`, async () => earlier() ?? effect(keep));
}

/** At most `limit` of a VASP from before a time. Returns how many. */
export const removeSome = (tx: Tx, vaspId: string, before: number, limit: number): number =>
  deleteSome(tx, answers, and(eq(answers.vaspId, vaspId), lt(answers.at, before)), limit);
