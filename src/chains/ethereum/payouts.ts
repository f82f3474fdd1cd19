import { RpcRefusal } from '../../kernel/json-rpc.ts';
import type { BlockPayouts, ContractPayouts, IncomingTransfer, ValueTransfer } from '../port.ts';
import { type Confirmations, finalHeight, headOf, requireBlock, requireReceipt } from './blocks.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex } from './node.ts';
import { loggedTransfers, ranCode, traceBlock, transferLogsOf, transfersOf } from './value-transfers.ts';

/** Up to this number of candidates the node is asked which of them ran code. */
const MAX_ASKED = 16;

/** D-26, by one node. */
export const contractPayouts = (node: EthereumNode, confirmations: Confirmations): ContractPayouts => ({
  balances: (at, accounts) => readBalances(node, at, accounts),
  async inBlock(height, account) {
    const block = await requireBlock(node.fullBlock(height), height);
    const { height: head } = await headOf(node);
    const found = {
      blockHash: block.hash,
      at: Number(block.timestamp) * 1000,
      final: height <= (await finalHeight(node, confirmations, head)),
    };
    const all = (await loggedIn(node, block)) ?? (await tracedIn(node, block));
    const transfers = all?.flatMap((ofOne, i) => payoutsTo(account, ofOne, { ...found, block, i }));
    return { ...found, transfers, candidates: transfers ? [] : await candidatesIn(node, block) };
  },
});

/** For each transaction its transfers. */
async function loggedIn(node: EthereumNode, block: FullBlock): Promise<ValueTransfer[][] | undefined> {
  const logs = await transferLogsOf(node, block);
  return (
    logs &&
    block.transactions.map(transaction => {
      const own = logs.filter(({ transactionHash }) => transactionHash === transaction.hash);
      return loggedTransfers(block, transaction, own) ?? [];
    })
  );
}

async function tracedIn(node: EthereumNode, block: FullBlock): Promise<ValueTransfer[][] | undefined> {
  const roots = await traceBlock(node, block.hash);
  return roots?.length === block.transactions.length ? roots.map(transfersOf) : undefined;
}

function payoutsTo(
  account: string,
  transfers: readonly ValueTransfer[],
  { block, i, ...found }: Pick<BlockPayouts, 'blockHash' | 'at' | 'final'> & { block: FullBlock; i: number },
): IncomingTransfer[] {
  const txHash = block.transactions[i]!.hash;
  return transfers
    .filter(({ to, via }) => to.account === account && via !== undefined)
    .map(transfer => ({ ...transfer, ...found, txHash, height: Number(block.number) }));
}

async function candidatesIn(node: EthereumNode, block: FullBlock): Promise<BlockPayouts['candidates']> {
  let candidates = block.transactions;
  if (candidates.length <= MAX_ASKED) {
    const paying: BlockTransaction[] = [];
    for (const transaction of candidates) {
      const { status } = await requireReceipt(node, transaction, block.hash);
      if (status === '0x1' && (await ranCode(node, transaction, block))) paying.push(transaction);
    }
    candidates = paying;
  }
  return candidates.map(({ hash, from, to }) => ({ txHash: hash, contract: (to ?? from).toLowerCase() }));
}

/** The most balances of one call: its answer is limited like the code of a contract. */
const ACCOUNTS_PER_CALL = 500;
const BYTES_PER_BALANCE = 32;

/** As `ContractPayouts.balances`. */
async function readBalances(
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
async function readPart(node: EthereumNode, accounts: readonly string[], block: string | object) {
  try {
    const answer = await node.ask<string>('eth_call', { data: balancesCode(accounts) }, block);
    if (answer.length === 2 + accounts.length * BYTES_PER_BALANCE * 2)
      return accounts.map((_, i) => BigInt(`0x${answer.slice(2 + i * 64, 66 + i * 64)}`));
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
  }
  return readEach(node, accounts, block);
}

async function readEach(node: EthereumNode, accounts: readonly string[], block: string | object) {
  try {
    const balances: bigint[] = [];
    for (const account of accounts) balances.push(BigInt(await node.ask<string>('eth_getBalance', account, block)));
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
