import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type Broadcast, broadcastOf, type Meaning, type Outgoing, type OutgoingPayment } from '../payments.ts';
import {
  type BlockPayouts,
  ChainUnreachable,
  type ContractPayouts,
  type IncomingTransfer,
  type Sender,
  type Sending,
  type ValueTransfer,
} from '../port.ts';
import { loggedTransfers, ranCode, traceBlock, transferLogsOf, transfersOf } from './incoming.ts';
import { type BlockTransaction, type EthereumNode, type EthereumNodes, type FullBlock, hex } from './node.ts';
import { type Confirmations, finalHeight, headOf, requireBlock, requireReceipt } from './reading.ts';
import { type EthereumWallet, type Market, partsOf, quoteFee } from './wallet.ts';

interface SendingNode {
  node: EthereumNode;
  market(): Promise<Market>;
}

/** `feeCap`: of a bid, in wei per gas. */
export const ethereumSending = (
  nodes: EthereumNodes<SendingNode>,
  own: EthereumWallet,
  confirmations: Confirmations,
  feeCap: bigint,
): Sending => ({
  balanceOf: account =>
    nodes.ask(async node => {
      const total = BigInt(await node.call<string>('eth_getBalance', account, 'latest'));
      return { total, spendable: total };
    }),
  numbers: account =>
    nodes.ask(async node => {
      const height = await finalOf(node, confirmations);
      const finalized = height < 0 ? 0 : await sequenceAt(node, account, hex(height));
      return { next: await sequenceAt(node, account, 'pending'), finalized, height };
    }),
  findTransactionByNonce: sender =>
    nodes.ask(async node => findTransactionByNonce(node, sender, (await headOf(node)).height)),
  outgoing: (account, sequence, after) =>
    nodes.ask(async node => {
      const final = await finalOf(node, confirmations);
      return outgoing(node, { account, sequence }, { after, final });
    }),
  quoteFee: (payment, replaced) =>
    nodes.decide(({ node, market }) => quoteFee(node, market(), feeCap, payment, replaced)),
  whyUnpayable: async ({ account }) => precompileText(account),
  isFor: () => true,
  costOf: fee => partsOf(fee).maxFeePerGas * partsOf(fee).gasLimit,
  sign: own.sign,
  broadcast: bytes => nodes.ask(node => broadcastEthereum(node, bytes)),
});

/** Up to the newest rules of the network: the contracts 1 to 17, and 256. */
const LAST_PRECOMPILES = [0x11n, 0x100n] as const;

/** D-49: money that is sent to such a contract is lost, and some of them refuse it. */
function precompileText(account: string): string | undefined {
  const address = BigInt(account);
  const [last, beside] = LAST_PRECOMPILES;
  const isPrecompile = (address > 0n && address <= last) || address === beside;
  return isPrecompile ? `${account} is a contract of the network itself, and nobody can spend what it has` : undefined;
}

const sequenceAt = async (node: EthereumNode, account: string, block: string): Promise<number> =>
  Number(await node.call<string>('eth_getTransactionCount', account, block));

const finalOf = async (node: EthereumNode, confirmations: Confirmations): Promise<number> =>
  finalHeight(node, confirmations, (await headOf(node)).height);

/** Of one part. */
const BATCH_SIZE = 64;

async function outgoing(
  node: EthereumNode,
  sender: Sender,
  { after, final }: { after: number; final: number },
): Promise<Outgoing> {
  const before = await blockBefore(node, sender, after, final);
  const upTo = Math.min(before + BATCH_SIZE, final);
  const payments: OutgoingPayment[] = [];
  for (let height = before + 1; height <= upTo; height++)
    for (const transaction of ofSender((await requireBlock(node.fullBlock(height), height)).transactions, sender))
      if (Number(transaction.nonce) >= sender.sequence) payments.push(paymentOf(transaction));
  return { payments, upTo };
}

const ofSender = (transactions: readonly BlockTransaction[], { account }: Sender): BlockTransaction[] =>
  transactions.filter(({ from }) => from.toLowerCase() === account);

const paymentOf = (transaction: BlockTransaction): OutgoingPayment => ({
  sequence: Number(transaction.nonce),
  next: Number(transaction.nonce) + 1,
  hash: transaction.hash,
  to: { account: transaction.to?.toLowerCase() ?? '' },
  amount: BigInt(transaction.value),
  fee: {
    gasLimit: String(BigInt(transaction.gas)),
    ...(transaction.maxFeePerGas === undefined
      ? { gasPrice: String(BigInt(transaction.gasPrice ?? 0)) }
      : {
          maxFeePerGas: String(BigInt(transaction.maxFeePerGas)),
          maxPriorityFeePerGas: String(BigInt(transaction.maxPriorityFeePerGas ?? 0)),
        }),
  },
});

/** Some nodes keep the states of about 128 blocks only. */
const STATES_KEPT = 120;

/**
 * A block from `after` on, up to `last`, before which the number is not used: the one just before its use, as far as the
 * node has the states. A node that lags cannot hide a use.
 */
async function blockBefore(
  node: EthereumNode,
  { account, sequence }: Sender,
  after: number,
  last: number,
): Promise<number> {
  const isUsedAt = async (height: number) =>
    Number(await node.ask<string>('eth_getTransactionCount', account, hex(height))) > sequence;
  let [before, at] = [after, last];
  let middle = last - STATES_KEPT;
  try {
    if (at <= before || !(await isUsedAt(at))) return Math.max(before, at);
    while (at - before > 1) {
      if (middle <= before || middle >= at) middle = Math.floor((before + at) / 2);
      if (await isUsedAt(middle)) at = middle;
      else before = middle;
    }
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
  }
  return before;
}

async function findTransactionByNonce(node: EthereumNode, sender: Sender, head: number) {
  const height = (await blockBefore(node, sender, -1, head)) + 1;
  const block = height > head ? null : await node.fullBlock(height);
  const found = ofSender(block?.transactions ?? [], sender);
  return found.find(({ nonce }) => Number(nonce) === sender.sequence)?.hash;
}

/**
 * Nodes agree neither on codes nor on texts, so the text decides. The first matching row counts. Without a match the
 * answer is unclear: the transaction may have been sent.
 */
const KNOWN_REFUSALS: readonly [RegExp, Meaning][] = [
  [/already (known|imported|exists|in)|known transaction|alreadyknown|tx with same hash/i, 'already-known'],
  [/replacement.*(underpriced|too low|notallowed)|underpriced.*replacement|(too low to|could not) replace/i, 'outbid'],
  [/nonce (is )?too low|old ?nonce|nonce.*(already|been) used|nonce_too_low/i, 'already-known'],
  [/nonce (is )?too (high|distant|far)|nonce ?gap/i, { final: false, reason: 'sequence-gap' }],
  [/(insufficient|enough) ?(funds|balance)|cost exceeds account balance/i, { final: false, reason: 'funds' }],
  [/exceeds the configured cap/i, { final: false, reason: 'fee-too-high' }],
  [
    /less than block base fee|underpriced|(fee|price|tip)[a-z ]*(too low|below)|feetoolow|too low for the next block/i,
    { final: false, reason: 'fee-too-low' },
  ],
  [/pool is full|already reserved|limit reached/i, { final: false, reason: 'busy' }],
  // Narrow on purpose: bytes wrongly taken for worthless would be paid a second time.
  [
    /gas limit too high|exceeds block gas limit|invalid (sender|signature|chain ?id)|intrinsic gas too low|failed to decode (signed )?transaction|oversized data/i,
    { final: true, reason: 'malformed' },
  ],
];

async function broadcastEthereum(node: EthereumNode, bytes: string): Promise<Broadcast> {
  try {
    return broadcastOf('accepted', '', await node.ask<string>('eth_sendRawTransaction', bytes));
  } catch (error) {
    if (error instanceof RpcRefusal) {
      const meaning = KNOWN_REFUSALS.find(([words]) => words.test(error.message))?.[1] ?? 'unclear';
      return broadcastOf(meaning, String(error.code), error.message);
    }
    if (error instanceof ChainUnreachable) return broadcastOf('unclear', '', error.message);
    throw error;
  }
}

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
