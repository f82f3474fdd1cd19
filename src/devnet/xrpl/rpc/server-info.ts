import { randomBytes } from 'node:crypto';
import { definitions } from '../definitions.ts';
import { BASE_LEVEL, MEDIAN_LEVEL } from '../entries.ts';
import { AMENDMENTS } from '../genesis.ts';
import { humanNow, parseHash, rippleTime, toHex } from '../hash-tree.ts';
import { accountId } from '../signature.ts';
import { newestLedger, type Session, STREAMS } from '../subscriptions.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

const BUILD_VERSION = '2.6.1';
const NODE_KEY = 'n9KORY8QtTdRx7TVDpwnG9NvyxsDwHUKUEeDLY3AkiGncVaSXZi5';
const STATES = ['connected', 'disconnected', 'full', 'syncing', 'tracking'];

/** `server_info`: amounts in XRP. */
export function serverInfo(request: RpcRequest): Json {
  const { engine, admin } = request;
  const { base, reserveBase, reserveIncrement } = engine.fees;
  const info = {
    ...common(request),
    hostid: hostId(admin),
    ...loadFactors(request),
    last_close: { converge_time_s: CONVERGE_MS / 1000, proposers: 0 },
    validated_ledger: {
      age: Math.max(0, rippleTime(engine.now) - engine.closed.closeTime),
      base_fee_xrp: toXrp(base),
      hash: engine.closed.hash,
      reserve_base_xrp: toXrp(reserveBase),
      reserve_inc_xrp: toXrp(reserveIncrement),
      seq: engine.closed.index,
    },
    ...(admin ? { validator_list: { count: 0, expiration: 'unknown', status: 'unknown' } } : {}),
  };
  return { info };
}

/** Load as a multiple of the base fee. The parts are shown only where they differ. */
function loadFactors({ engine, admin }: RpcRequest): Json {
  const { feeFactor, openLevel } = engine.submissions;
  const escalation = Number(openLevel) / 256;
  const showsEscalation = escalation !== 1 && (admin || escalation !== feeFactor);
  return {
    load_factor: feeFactor,
    ...(engine.loadFactor === feeFactor ? {} : { load_factor_server: engine.loadFactor }),
    ...(admin && engine.loadFactor !== 1 ? { load_factor_local: engine.loadFactor } : {}),
    ...(showsEscalation ? { load_factor_fee_escalation: escalation } : {}),
  };
}

/** `server_state`: the same in drops and load units. */
export function serverState(request: RpcRequest): Json {
  const { engine, admin } = request;
  const { base, reserveBase, reserveIncrement } = engine.fees;
  const state = {
    ...common(request),
    load_base: 256,
    load_factor: Math.round(256 * engine.submissions.feeFactor),
    load_factor_fee_escalation: Math.min(Number(engine.submissions.openLevel), 0xffffffff),
    load_factor_fee_queue: 256,
    load_factor_fee_reference: 256,
    load_factor_server: 256 * engine.loadFactor,
    last_close: { converge_time: CONVERGE_MS, proposers: 0 },
    validated_ledger: {
      base_fee: Number(base),
      close_time: engine.closed.closeTime,
      hash: engine.closed.hash,
      reserve_base: Number(reserveBase),
      reserve_inc: Number(reserveIncrement),
      seq: engine.closed.index,
    },
    ...(admin ? { validator_list_expires: 0 } : {}),
  };
  return { state };
}

/** The answer to a subscription of the stream `server`. */
const serverStatus = ({ engine, admin }: RpcRequest): Json => ({
  stand_alone: true,
  random: toHex(randomBytes(32)),
  server_status: 'full',
  load_base: 256,
  load_factor: 256 * engine.loadFactor,
  hostid: hostId(admin),
  pubkey_node: NODE_KEY,
});

const toXrp = (drops: bigint): number => Number(drops) / 1_000_000;

/** `hostid` for everybody but admins: one word for the server. */
const HOST_WORD = 'ROBE';
const hostId = (admin: boolean): string => (admin ? 'robot-vasp' : HOST_WORD);
/** A standalone server simulates consensus in this time. */
const CONVERGE_MS = 100;

function common({ engine, admin, server }: RpcRequest): Json {
  const upMs = Math.max(0, engine.now - server.startedAt);
  const accounting = STATES.map(state => [
    state,
    { duration_us: state === 'full' ? String(upMs * 1000) : '0', transitions: state === 'full' ? '1' : '0' },
  ]);
  return {
    build_version: BUILD_VERSION,
    complete_ledgers: engine.completeLedgers,
    initial_sync_duration_us: '0',
    io_latency_ms: 1,
    jq_trans_overflow: '0',
    network_id: engine.networkId,
    peer_disconnects: '0',
    peer_disconnects_resources: '0',
    peers: 0,
    ports: server.ports,
    pubkey_node: NODE_KEY,
    server_state: 'full',
    server_state_duration_us: String(upMs * 1000),
    state_accounting: Object.fromEntries(accounting),
    time: humanNow(engine.now),
    uptime: Math.floor(upMs / 1000),
    validation_quorum: 0,
    ...(admin ? ADMIN_FACTS : {}),
  };
}

const ADMIN_FACTS = { load: { job_types: [], threads: 1 }, node_size: 'tiny', pubkey_validator: 'none' };

export const ping = ({ admin }: RpcRequest): Json => (admin ? { role: 'admin', unlimited: true } : {});

export const random = (): Json => ({ random: toHex(randomBytes(32)) });

export const ledgerClosed = ({ engine }: RpcRequest): Json => ({
  ledger_hash: engine.closed.hash,
  ledger_index: engine.closed.index,
});

export const ledgerCurrent = ({ engine }: RpcRequest): Json => ({ ledger_current_index: engine.open.index });

/** Closes the ledger now. Admin only. */
export function ledgerAccept({ engine, admin }: RpcRequest): Json {
  if (!admin) throw rpcError('forbidden');
  engine.close();
  return { ledger_current_index: engine.open.index };
}

export function fee({ engine }: RpcRequest): Json {
  const { base } = engine.fees;
  const { expectedSize, maxQueueSize, openFee, openLevel, retryPool } = engine.submissions;
  return {
    current_ledger_size: String(engine.open.transactions.size),
    current_queue_size: String(retryPool.queued().length),
    expected_ledger_size: String(expectedSize),
    max_queue_size: String(maxQueueSize),
    drops: {
      base_fee: base.toString(),
      median_fee: ((base * MEDIAN_LEVEL) / BASE_LEVEL).toString(),
      minimum_fee: (base * BigInt(engine.loadFactor)).toString(),
      open_ledger_fee: openFee.toString(),
    },
    levels: {
      median_level: MEDIAN_LEVEL.toString(),
      minimum_level: String(256 * engine.loadFactor),
      open_ledger_level: openLevel.toString(),
      reference_level: '256',
    },
    ledger_current_index: engine.open.index,
  };
}

/** `server_definitions`: only the hash for a client that already has them. */
export function serverDefinitions({ params: { hash } }: RpcRequest): Json {
  if (hash !== undefined && !parseHash(hash)) throw invalidField('hash');
  return parseHash(hash) === definitions.hash ? { hash: definitions.hash } : { ...definitions };
}

/** The amendments. All of them are enabled, and nobody votes here. */
export function feature({ params, admin }: RpcRequest): Json {
  const { feature: asked, vetoed } = params;
  if (asked === undefined) return { features: Object.fromEntries(AMENDMENTS.map(described)) };
  if (typeof asked !== 'string') throw rpcError('invalidParams');
  const found = AMENDMENTS.find(({ id, name }) => name === asked || id === parseHash(asked));
  if (!found) throw rpcError('badFeature');
  if (vetoed !== undefined && !admin) throw rpcError('noPermission');
  return Object.fromEntries([described(found)]);
}

const described = ({ id, name }: (typeof AMENDMENTS)[number]): [string, Json] => [
  id,
  { enabled: true, name, supported: true },
];

export function subscribe(request: RpcRequest): Json {
  const session = sessionOf(request);
  const watched = session.accounts.size + session.accountsProposed.size;
  const streams = change(request, 'add', MAX_ACCOUNTS - watched);
  session.apiVersion = request.apiVersion;
  return {
    ...(streams.includes('server') ? serverStatus(request) : {}),
    ...(streams.includes('ledger') ? newestLedger(request.engine) : {}),
  };
}

export function unsubscribe(request: RpcRequest): Json {
  change(request, 'delete', MAX_ACCOUNTS);
  return {};
}

function sessionOf({ session }: RpcRequest): Session {
  if (!session) throw rpcError('invalidParams');
  return session;
}

const MAX_ACCOUNTS = 10_000;

/** Validates the whole request before anything changes. Counts first: to read an address takes time. Returns the streams. */
function change(request: RpcRequest, how: 'add' | 'delete', maxAccounts: number): string[] {
  const session = sessionOf(request);
  const { params } = request;
  const streams = list(params.streams).map(name => {
    if (typeof name !== 'string' || !STREAMS.has(name)) throw rpcError('malformedStream');
    return name;
  });
  const { accounts, accounts_proposed: proposed, books } = params;
  if (books !== undefined) throw rpcError('notSupported', 'This server has no streams of order books.');
  if (list(proposed).length + list(accounts).length > maxAccounts) throw rpcError('tooBusy');
  const [own, ownProposed] = [addresses(accounts), addresses(proposed)];
  for (const stream of streams) session.streams[how](stream);
  for (const address of own) session.accounts[how](address);
  for (const address of ownProposed) session.accountsProposed[how](address);
  return streams;
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw rpcError('invalidParams');
  return value;
}

function addresses(value: unknown): string[] {
  if (value === undefined) return [];
  const listed = list(value);
  if (listed.length === 0 || !listed.every(accountId)) throw rpcError('actMalformed');
  return listed as string[];
}
