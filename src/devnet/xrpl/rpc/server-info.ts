import { randomBytes } from 'node:crypto';
import { toHex } from '../hash.ts';
import { humanNow, rippleTime } from '../header.ts';
import type { Json } from './errors.ts';
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
export const serverStatus = ({ engine, admin }: RpcRequest): Json => ({
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
