import { firstWithin } from '../../kernel/clock.ts';
import { type JsonRpc, type PassCall, RpcRefusal, RpcUnreachable } from '../../kernel/json-rpc.ts';
import type { BlockFeed } from './block-feed.ts';
import type { Journal } from './journal.ts';
import { isOnlyInState, movesHeadBack, sends } from './methods.ts';

export type Passing = ReturnType<typeof passing>;
type Save = () => Promise<void>;

const FOLLOWED_WITHIN_MS = 5_000;

/**
 * Every call of others to the node passes here. What the node acknowledges is on the disk before its answer is given, and
 * nothing is sent while the newest state cannot be saved.
 */
export function passing(
  rpc: JsonRpc,
  journal: Journal,
  blocks: BlockFeed,
  followers: ReadonlySet<() => Promise<void>>,
) {
  let unsaved: string | undefined;
  let save: Save | undefined;
  const pass: PassCall = async (call, send) => {
    const { method } = call;
    // The node may answer already. It lacks what it has acknowledged.
    if (!save) throw new RpcUnreachable('the Ethereum node is starting');
    if (unsaved && sends(method)) throw new RpcRefusal(LIMIT_EXCEEDED, notSent(unsaved));
    const saveNow = save;
    const answer = await send();
    await journal.add(call, answer, rpc).catch(cause => {
      unsaved = `what was sent before could not be kept (${cause.code ?? cause.message})`;
      throw new RpcUnreachable(unsaved, { cause });
    });
    if (isOnlyInState(method)) await saveNow();
    if (movesHeadBack(method)) {
      blocks.wakeAll();
      const followed = Promise.all([...followers].map(follow => follow()));
      await firstWithin(FOLLOWED_WITHIN_MS, [followed]);
    }
    return answer;
  };
  return {
    pass,
    unsaved: () => unsaved,
    onSave(why: string | undefined): void {
      unsaved = why;
    },
    /** The node has what it has acknowledged. */
    begin(saveState: Save): void {
      save = saveState;
    },
    end(): void {
      save = undefined;
    },
  };
}

/** A kill would lose what is sent now. */
const notSent = (why: string): string => `Nothing was sent: ${why}. Free some space, then send it again.`;
/** The robot takes it for "not now". */
const LIMIT_EXCEEDED = -32005;
