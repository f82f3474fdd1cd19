import { jsonRpc } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';
import type { GuardedProcess } from './guarded-process.ts';
import { sleep } from './keep-running.ts';

const EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 7_000;
const FAILURES = 2;
/** Longest time for the node to save its state. */
const SAVED_WITHIN_MS = 12_000;

/** Ends a node that has stopped answering; it saves its state first, if it still can. Returns a function that stops it. */
export function watchdog(url: string, node: GuardedProcess, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const rpc = jsonRpc(url, ANSWER_WITHIN_MS);
  const run = async () => {
    let failures = 0;
    while (node.running && (await sleep(EVERY_MS, stop.signal))) {
      do failures = (await answers(rpc)) ? 0 : failures + 1;
      while (failures === 1 && !stop.signal.aborted);
      if (failures < FAILURES || stop.signal.aborted) continue;
      log.error({ pid: node.pid }, 'the Ethereum node does not answer and is replaced');
      node.kill('SIGTERM');
      // A stopped process gets the signal when it goes on.
      node.kill('SIGCONT');
      await Promise.race([node.exited, sleep(SAVED_WITHIN_MS, stop.signal)]);
      if (!stop.signal.aborted) node.kill('SIGKILL');
      return;
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
    await rpc.close();
  };
}

/** Reads the head and the state, which another call may hold. */
const answers = (rpc: ReturnType<typeof jsonRpc>): Promise<boolean> =>
  Promise.all([
    rpc.call('eth_getBlockByNumber', 'latest', false),
    rpc.call('eth_getBalance', `0x${'00'.repeat(20)}`, 'latest'),
  ]).then(
    () => true,
    () => false,
  );
