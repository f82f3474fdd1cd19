import { humanOf, rippleTime } from '../header.ts';
import type { Json } from './errors.ts';
import type { RpcRequest } from './request.ts';

const BUILD_VERSION = '2.6.1';
const NODE_KEY = 'n9KORY8QtTdRx7TVDpwnG9NvyxsDwHUKUEeDLY3AkiGncVaSXZi5';
const STATES = ['connected', 'disconnected', 'full', 'syncing', 'tracking'];

/** `server_info`: amounts in XRP. */
export function serverInfo(request: RpcRequest): Json {
  const { engine } = request;
  const { base, reserveBase, reserveIncrement } = engine.fees;
  const info = {
    ...common(request),
    load_factor: engine.submissions.feeFactor,
    last_close: { converge_time_s: 0, proposers: 0 },
    validated_ledger: {
      age: Math.max(0, rippleTime(engine.now) - engine.closed.closeTime),
      base_fee_xrp: toXrp(base),
      hash: engine.closed.hash,
      reserve_base_xrp: toXrp(reserveBase),
      reserve_inc_xrp: toXrp(reserveIncrement),
      seq: engine.closed.index,
    },
  };
  return { info };
}

/** `server_state`: the same in drops and load units. */
export function serverState(request: RpcRequest): Json {
  const { engine } = request;
  const { base, reserveBase, reserveIncrement } = engine.fees;
  const state = {
    ...common(request),
    load_base: 256,
    load_factor: Math.round(256 * engine.submissions.feeFactor),
    load_factor_fee_escalation: Number(engine.submissions.openLevel),
    load_factor_fee_queue: 256,
    load_factor_fee_reference: 256,
    load_factor_server: 256 * engine.loadFactor,
    last_close: { converge_time: 0, proposers: 0 },
    validated_ledger: {
      base_fee: Number(base),
      close_time: engine.closed.closeTime,
      hash: engine.closed.hash,
      reserve_base: Number(reserveBase),
      reserve_inc: Number(reserveIncrement),
      seq: engine.closed.index,
    },
  };
  return { state };
}

const toXrp = (drops: bigint): number => Number(drops) / 1_000_000;

function common({ engine, admin, server }: RpcRequest): Json {
  const upMs = Math.max(0, engine.now - server.startedAt);
  const accounting = STATES.map(state => [
    state,
    { duration_us: state === 'full' ? String(upMs * 1000) : '0', transitions: state === 'full' ? '1' : '0' },
  ]);
  return {
    build_version: BUILD_VERSION,
    complete_ledgers: engine.completeLedgers,
    hostid: server.hostId,
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
    time: humanOf(rippleTime(engine.now)),
    uptime: Math.floor(upMs / 1000),
    validation_quorum: 0,
    ...(admin ? ADMIN_FACTS : {}),
  };
}

const ADMIN_FACTS = {
  load: { job_types: [], threads: 1 },
  node_size: 'tiny',
  pubkey_validator: 'none',
  validator_list: { count: 0, expiration: 'never', status: 'active' },
};
