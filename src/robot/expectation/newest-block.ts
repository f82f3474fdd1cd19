import type { Chain, Head } from '../../chains/port.ts';
import { shareNext } from '../../kernel/share-next.ts';
import { firstWithin } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';

/** A VASP waits at most this long for a chain that does not answer. */
const PATIENCE_MS = 1_000;

const heads = new WeakMap<Chain, () => Promise<Head>>();

/** Many verifications at once are one call. */
function headOf(chain: Chain): () => Promise<Head> {
  const shared = heads.get(chain) ?? shareNext(() => chain.head());
  heads.set(chain, shared);
  return shared;
}

/**
 * D-18: the newest block before VERIFIED. The chain is asked: what it says now holds every block that a payer could have
 * seen. Where it does not answer, the newest block that was read counts. Undefined: none was read yet.
 */
export async function newestBlock(
  deps: RobotDeps,
  chain: Chain,
): Promise<Pick<Head, 'height' | 'hash'> | undefined> {
  let head: Head | undefined;
  const asking = headOf(chain)().then(
    answer => {
      head = answer;
    },
    () => {},
  );
  await firstWithin(PATIENCE_MS, [asking]);
  const [first, second] = [head, chain.seenHead].filter(block => block !== undefined);
  if (!first) return deps.deposits.cursor(chain.symbol) ?? undefined;
  return second && second.height > first.height ? second : first;
}
