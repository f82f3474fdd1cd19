import { createHash } from 'node:crypto';
import { refusals } from '../../contract/refusals.ts';
import type { VerifyUserResponse } from '../../contract/requests.ts';
import { write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x20-\x7e]{1,255}$/;

export interface Call {
  caller: string;
  /** Undefined: the effect runs on every call. */
  key: string | undefined;
  body: object;
}

/**
 * Runs `effect` once per key. A repeated call gets the first answer. Answer and effect commit together. Throws
 * `Refusal` invalid-field for a key that was used with another body.
 */
export function once(
  deps: RobotDeps,
  { caller, key, body }: Call,
  effect: () => VerifyUserResponse,
): VerifyUserResponse {
  if (key === undefined) return effect();
  if (!KEY.test(key)) throw refusals.invalidField(HEADER, 'should be 1 to 255 printable ASCII characters');
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return write(deps.db, tx => {
    const first = deps.answers.find(caller, key);
    if (first && first.bodyHash !== bodyHash)
      throw refusals.invalidField(HEADER, 'was used with another body');
    if (first) return first.answer;
    const answer = effect();
    deps.answers.insert(tx, { vaspId: caller, key, bodyHash, answer });
    return answer;
  });
}
