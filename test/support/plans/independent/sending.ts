import type { Ledger } from './ledgers.ts';
import type { Originating } from './originating.ts';

interface Signed {
  hash: string;
  send(): Promise<void>;
}

/** A lost answer says nothing: the hash tells whether the node has it. */
export async function sendSurely({ is }: Originating, ledger: Ledger, { hash, send }: Signed): Promise<void> {
  const failure = await send().then(
    () => undefined,
    error => error,
  );
  if (failure === undefined) return;
  const takesForLost =
    is('pays again when the answer of its node is lost') ||
    is('cancels a payment when the answer of its node is lost') ||
    is('forgets a payment when the answer of its node is lost');
  if (takesForLost) throw failure;
  if (is('reports a payment that its node refuses')) return;
  if (is('sends again when the answer of its node is lost') && (await isTakenNow(send))) return;
  if (!(await ledger.knows(hash))) throw failure;
}

const isTakenNow = (send: () => Promise<void>): Promise<boolean> =>
  send().then(
    () => true,
    error => /already (known|imported)|nonce too low/i.test(String(error.message)),
  );
