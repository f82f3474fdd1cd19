import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { parseJson } from '../../kernel/json.ts';
import { type JsonRpc, RpcRefusal } from '../../kernel/json-rpc.ts';
import { oneAtATime } from '../../kernel/turns.ts';
import { allMined } from './chain-controls.ts';
import { sends } from './methods.ts';

/** A signed transaction, or the code of a contract that the faucet has set for its next one. */
type Entry = { hash: string; raw: string } | { code: unknown[] };
type Call = { method: string; params?: unknown };

/**
 * What the node has acknowledged since its last saved state, in a file beside it: a line is written before the answer is
 * given. The first line names a block of the state to which the others belong. After its start the node gets them again. The
 * number of a transaction keeps it from being executed twice.
 */
export type Journal = ReturnType<typeof journalFile>;

export function journalFile(path: string) {
  const next = oneAtATime();
  let count = 0;

  const read = async (): Promise<unknown[]> => {
    const lines = (await readFile(path, 'utf8').catch(ifMissing)).split('\n').map(parseJson);
    return lines.filter(line => line !== undefined);
  };
  async function clear(): Promise<void> {
    await rm(path, { force: true });
    count = 0;
  }
  async function replace(base: string, entries: readonly unknown[]): Promise<void> {
    await writeFile(`${path}.new`, [{ base }, ...entries].map(lineOf).join(''));
    await rename(`${path}.new`, path);
    count = entries.length;
  }

  return {
    path,
    /** Resolves when what the call has sent would survive the end of the node. */
    async add({ method, params }: Call, answer: unknown, rpc: JsonRpc): Promise<void> {
      const entry = await entryOf(method, Array.isArray(params) ? params : [], answer, rpc);
      if (!entry) return;
      await next(async () => {
        await appendFile(path, lineOf(entry));
        count += 1;
      });
    },
    /**
     * Called before the state is dumped. The returned function is called when it is saved with this block: it removes
     * what the state has. Transactions that wait in the pool are in no state.
     */
    async dumping(rpc: JsonRpc): Promise<(base: string) => Promise<void>> {
      const before = count;
      const pool = await waiting(rpc);
      return base =>
        next(async () => {
          const entries = (await read()).slice(1) as Entry[];
          const isLeft = (entry: Entry, i: number) => i >= before || ('hash' in entry && pool.has(entry.hash));
          await replace(base, entries.filter(isLeft));
        });
    },
    /** Gives the node what its state lacks. False: these are not the lines of its state. */
    async replay(rpc: JsonRpc): Promise<boolean> {
      const [first, ...entries] = await read();
      const { base } = (first ?? {}) as { base?: string };
      const isOfState = base !== undefined && (await rpc.call('eth_getBlockByHash', base, false)) !== null;
      if (!isOfState) {
        await clear();
        return false;
      }
      count = entries.length;
      const mined = allMined(rpc);
      for (const entry of entries as Entry[]) {
        if ('code' in entry) await mined();
        const repeated =
          'code' in entry ? rpc.call('anvil_setCode', ...entry.code) : rpc.call('eth_sendRawTransaction', entry.raw);
        await repeated.catch(ifRefused);
      }
      await mined();
      return true;
    },
    /** A new chain has nothing to repeat. */
    clear,
  };
}

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

async function entryOf(
  method: string,
  params: readonly unknown[],
  answer: unknown,
  rpc: JsonRpc,
): Promise<Entry | undefined> {
  if (method === 'anvil_setCode') return { code: [...params] };
  if (!sends(method)) return undefined;
  const hash = typeof answer === 'string' ? answer : (answer as { transactionHash: string }).transactionHash;
  const raw = method.startsWith('eth_sendRaw')
    ? (params[0] as string)
    : await rpc.call<string | null>('eth_getRawTransactionByHash', hash);
  return raw === null ? undefined : { hash, raw };
}

/** By account and number. */
type Pool = Record<'pending' | 'queued', Record<string, Record<string, { hash: string }>>>;

async function waiting(rpc: JsonRpc): Promise<ReadonlySet<string>> {
  const { pending, queued } = await rpc.call<Pool>('txpool_content');
  const accounts = [...Object.values(pending), ...Object.values(queued)];
  return new Set(accounts.flatMap(each => Object.values(each).map(({ hash }) => hash)));
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** The state has it, or what it needs is not there any more. */
function ifRefused(error: unknown): void {
  if (!(error instanceof RpcRefusal)) throw error;
}
