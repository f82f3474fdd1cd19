import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type EthereumNode, hex } from './node.ts';

/** The most balances of one call: its answer is limited like the code of a contract. */
const ACCOUNTS_PER_CALL = 500;
const BYTES_PER_BALANCE = 32;

/** As `ContractPayouts.balances`. */
export async function readBalances(
  node: EthereumNode,
  { height, hash }: { height: number; hash?: string },
  accounts: readonly string[],
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const byHash = hash === undefined ? undefined : { blockHash: hash, requireCanonical: true };
  const balances = new Map<string, bigint>();
  for (let first = 0; first < accounts.length; first += ACCOUNTS_PER_CALL) {
    const part = accounts.slice(first, first + ACCOUNTS_PER_CALL);
    const answer = await readPart(node, part, byHash ?? hex(height));
    if (answer === undefined) return undefined;
    part.forEach((account, i) => {
      balances.set(account, answer[i]!);
    });
  }
  return balances;
}

/** One call for all accounts; a node that refuses it is asked for each account. */
async function readPart(
  node: EthereumNode,
  accounts: readonly string[],
  block: string | object,
): Promise<bigint[] | undefined> {
  try {
    const answer = await node.ask<string>('eth_call', { data: balancesCode(accounts) }, block);
    if (answer.length === 2 + accounts.length * BYTES_PER_BALANCE * 2)
      return accounts.map((_, i) => BigInt(`0x${answer.slice(2 + i * 64, 66 + i * 64)}`));
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
  }
  return readEach(node, accounts, block);
}

async function readEach(
  node: EthereumNode,
  accounts: readonly string[],
  block: string | object,
): Promise<bigint[] | undefined> {
  try {
    const balances: bigint[] = [];
    for (const account of accounts)
      balances.push(BigInt(await node.ask<string>('eth_getBalance', account, block)));
    return balances;
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
}

/**
 * Code of a contract's creation, run only by `eth_call`. For each account: PUSH20 account, BALANCE, PUSH2 position,
 * MSTORE. Then PUSH2 length, PUSH1 0, RETURN: the balances are the answer.
 */
function balancesCode(accounts: readonly string[]): string {
  const position = (index: number) => (index * BYTES_PER_BALANCE).toString(16).padStart(4, '0');
  const stores = accounts.map((account, i) => `73${account.slice(2)}3161${position(i)}52`);
  return `0x${stores.join('')}61${position(accounts.length)}6000f3`;
}
