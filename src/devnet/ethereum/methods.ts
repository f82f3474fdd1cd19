import type { DevnetAccess } from '../access.ts';

/**
 * The JSON-RPC methods that `/devnet/ethereum` passes on. They read, send, and turn the clock and the miner. None can
 * call another host, replace the chain, or leave the sandbox in a state that its own reset does not undo.
 */

const READING = [
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_coinbase',
  'eth_config',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getAccountInfo',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockNumberAndIndex',
  'eth_getRawTransactionByHash',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionBySenderAndNonce',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_hashrate',
  'eth_maxPriorityFeePerGas',
  'eth_mining',
  'eth_protocolVersion',
  'eth_simulateV1',
  'eth_syncing',
  'net_listening',
  'net_peerCount',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
  'debug_traceTransaction',
];
const SENDING = [
  'eth_fillTransaction',
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransaction',
  'eth_sendTransactionSync',
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v3',
  'eth_signTypedData_v4',
  'personal_sign',
];
const FILTERS = [
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
];
const CONTROLS = [
  'evm_mine',
  'evm_increaseTime',
  'evm_setNextBlockTimestamp',
  'evm_snapshot',
  'evm_revert',
  'evm_setAutomine',
  'anvil_mine',
  'anvil_increaseTime',
  'anvil_setNextBlockTimestamp',
  'anvil_snapshot',
  'anvil_revert',
  'anvil_setBalance',
  'anvil_setNextBlockBaseFeePerGas',
  'anvil_getAutomine',
  'anvil_setAutomine',
  'hardhat_mine',
  'hardhat_setBalance',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_getAutomine',
];
const ALLOWED: Record<DevnetAccess, ReadonlySet<string>> = {
  everything: new Set([...READING, ...SENDING, ...FILTERS, ...CONTROLS]),
  'reading and sending': new Set([...READING, 'eth_sendRawTransaction', ...FILTERS]),
};
/** True: the call moves the head back, and no new block tells of it. */
export const movesHeadBack = (method: string): boolean => /^(evm|anvil)_revert$/.test(method);
/** True: no transaction repeats what it does to the chain, or to what waits for it. */
export const isOnlyInState = (method: string): boolean =>
  /^(evm|anvil|hardhat)_(mine|revert|reorg|dropTransaction|setBalance)$/.test(method);
/** True: blocks that were there are gone. */
export const removesBlocks = (method: string): boolean => /^(evm|anvil)_(revert|reorg)$/.test(method);
export const sends = (method: string): boolean => /^eth_send/.test(method);

/** true: no blocks are made from now on; false: they are made again. Undefined: another call. */
export function holds({ method, params }: { method: string; params?: unknown }): boolean | undefined {
  const [value] = Array.isArray(params) ? params : [];
  if (/_setAutomine$/.test(method)) return value === false;
  return method === 'evm_setIntervalMining' && Number(value) > 0 ? false : undefined;
}

/** Only over a WebSocket. */
export const SUBSCRIBING: ReadonlySet<string> = new Set(['eth_subscribe', 'eth_unsubscribe']);

/** The namespaces in which the node controls the chain or shows more than it serves here. */
const GUARDED = /^(anvil|hardhat|evm|debug|txpool|trace|ots|erigon|tenderly|personal|miner|admin|engine)_/;

/** Why other methods of the node are refused, by the part of the name behind the prefix. The last line is for all others. */
const REASONS: readonly [RegExp, string][] = [
  [
    /^(reset|setRpcUrl)$/,
    'it would make the node call another host. POST /sandbox/v1/chains/ETH/start-over makes a new chain',
  ],
  [/^reorg$|^rollback$/, 'use POST /sandbox/v1/chains/ETH/reorg instead'],
  [/^dropTransaction$|^dropAllTransactions$/, 'use POST /sandbox/v1/chains/ETH/drop instead'],
  [/^setIntervalMining$/, 'use ETH_BLOCK_TIME or POST /sandbox/v1/chains/ETH/hold instead'],
  [/^(subscribe|unsubscribe)$/, 'it needs a WebSocket: connect to the same address with ws:'],
  [
    /^(set|impersonate|stopImpersonating|autoImpersonate|add|deal|load|dump|sendUnsigned)/,
    'it would change what the chain contains without a transaction',
  ],
  [/./, 'this address serves reading, sending, filters, and the controls that leave the sandbox intact'],
];

const SHARED =
  'several VASPs share this chain, and its operator controls it. Sign transactions yourself, and send them with eth_sendRawTransaction';

/** Codes of JSON-RPC and EIP-1474: the method does not exist, or it is not supported here. */
const UNKNOWN = -32601;
const REFUSED = -32004;

/** Undefined: the method is passed on. */
export function refusedMethod(method: string, access: DevnetAccess = 'everything') {
  if (ALLOWED[access].has(method)) return undefined;
  if (ALLOWED.everything.has(method)) return refused(method, SHARED);
  const [, namespace, name = method] = /^([^_]*)_(.*)$/s.exec(method) ?? [];
  const reason = REASONS.find(([pattern]) => pattern.test(name))?.[1];
  const isOfNode = namespace === 'eth' ? reason !== REASONS.at(-1)![1] : GUARDED.test(method);
  if (reason !== undefined && isOfNode)
    return refused(method, access === 'everything' || namespace === 'eth' ? reason : SHARED);
  return { code: UNKNOWN, message: `The method ${method.slice(0, 64)} does not exist here.` };
}

const refused = (method: string, reason: string) => ({
  code: REFUSED,
  message: `The method ${method.slice(0, 64)} is not allowed here: ${reason}.`,
});
