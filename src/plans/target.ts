import { once } from 'node:events';
import { connect } from 'node:net';
import type { Order } from '../client/calls.ts';
import { ASSETS, type AssetSymbol } from '../contract/assets.ts';
import { accountOf } from '../contract/customers.ts';
import { personsOf } from '../contract/persons.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { Exchange } from '../http/exchange.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { firstAborted } from '../kernel/turns.ts';
import { expiresIn, pause, pauseAwake } from '../timers/loop.ts';
import type { CallGuard } from '../vasps/call-guard.ts';
import type { CallbackSigner, Registration } from '../vasps/http-client.ts';
import { type CallRecording, recordedCalls } from '../vasps/http-client.ts';
import { BadAnswer, NoAnswer } from '../vasps/port.ts';
import { type ExchangeReader, json } from './evidence.ts';
import { TOLD_TOKEN, withoutTokens } from './steps/wrong-tokens.ts';
import { type Move, type RunWorld, runSymbols, type Target } from './world.ts';

interface TargetDeps {
  registration: Registration;
  guard: CallGuard;
  signer: CallbackSigner;
  timeoutMs: Readonly<Record<VaspOperation, number>>;
  exchanges: ExchangeReader & { record(exchange: Exchange): void; position(): number };
  /** Time on the clock of the VASP. */
  now(): number;
  /** A run also names verifications that it has made up: nobody finds anything about them. */
  isVerification(uuid: string): boolean;
}

/** The log keeps the beginning of a body that is too long on purpose. */
const MAX_LOGGED = 8_000;
const logged = (body: string): string => body.slice(0, MAX_LOGGED);

export function createTarget({ registration, guard, signer, timeoutMs, exchanges, now, ...deps }: TargetDeps): Target {
  const { endpoints, authorization, vaspId } = registration;

  return {
    token: authorization.token,
    url: operation => endpoints[operation],
    async post(operation, body, { token = authorization.token, verificationUuid: uuid = null } = {}) {
      // A refused body may end the connection, which the next call must not meet.
      const right = authorization.token;
      const secret = right && right !== token ? { hide: withoutTokens(right, token), shown: TOLD_TOKEN } : undefined;
      let id = 0;
      const onExchange: CallRecording['onExchange'] = exchange => {
        exchanges.record({ ...exchange, direction: 'OUT', request: logged(body) });
        // Whoever reads the log stores what waits. This one is the last of it.
        exchanges.after(vaspId, { after: exchanges.newest(), limit: 1 });
        id = exchanges.newest();
      };
      const recording = { now, position: exchanges.position, guard, secret, onExchange };
      const calls = recordedCalls({ ...authorization, token: token ?? undefined }, recording);
      const headers = operation === 'callback' ? signer.headers(vaspId, body, body) : {};
      await calls
        .send({
          vaspId,
          operation,
          method: 'POST',
          url: endpoints[operation]!,
          verificationUuid: uuid !== null && deps.isVerification(uuid) ? uuid : null,
          body,
          timeoutMs: timeoutMs[operation],
          headers,
        })
        .catch(error => {
          if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
        });
      await calls.close();
      return id;
    },
  };
}

const TRY_AGAIN_MS = 100;
const CONNECT_WITHIN_MS = 1000;

/**
 * Waits until there are addresses and all of them accept connections, at most `limitMs`. Sends nothing. `urls` is asked
 * again at every try: a VASP that starts again may register others. Returns the addresses that do not accept them; an
 * address that may not be called counts as one that does. Throws the reason of the signal.
 */
export async function untilListening(
  urls: () => readonly string[],
  { guard, limitMs, signal }: { guard: CallGuard; limitMs: number; signal: AbortSignal },
): Promise<readonly string[]> {
  const start = elapsedMs();
  for (;;) {
    const present = urls();
    const allowed = present.filter(url => guard.problemOf(url) === undefined);
    const listening = await Promise.all(allowed.map(url => isListening(url, guard, signal)));
    const silent = allowed.filter((_, position) => !listening[position]);
    if (present.length > 0 && silent.length === 0) return silent;
    if (elapsedMs() - start >= limitMs) return silent;
    await pause(TRY_AGAIN_MS, signal);
  }
}

async function isListening(url: string, { lookup }: CallGuard, signal: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(lookup ? { lookup } : {}),
  });
  const over = firstAborted(signal, expiresIn(CONNECT_WITHIN_MS));
  try {
    await once(socket, 'connect', { signal: over.signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    over.release();
    socket.on('error', () => {});
    socket.destroy();
  }
}

/** WIRE-6.3: nobody has listed the names of networks. These are common, too. */
const OTHER_NAMES: Readonly<Record<AssetSymbol, readonly string[]>> = { ETH: ['ETH'], XRP: ['XRPL', 'XRP'] };

/** The questions of the run name the network as the VASP knows it. */
export async function learnNetworks(world: RunWorld): Promise<void> {
  if (world.target.url('verifyAccount') === undefined) return;
  await Promise.all(runSymbols(world).map(symbol => learn(world, symbol)));
}

async function learn(world: RunWorld, symbol: AssetSymbol): Promise<void> {
  const customer = world.customers?.customers.find(each => accountOf(each, symbol) !== undefined);
  if (!customer) return;
  const beneficiary = { beneficiaryPersons: personsOf(customer), accountNumber: [accountOf(customer, symbol)!] };
  const ask = async (network: string) => {
    const question = { originatingVaspId: world.robotVaspId, symbol, network, ivms101: { beneficiary } };
    const id = await world.target.post('verifyAccount', JSON.stringify(question));
    const [exchange] = world.exchanges.after(world.vaspId, { after: id - 1, limit: 1 });
    const { accountVerificationResult, reason } = json(exchange?.response) ?? {};
    return accountVerificationResult === undefined ? undefined : String(reason);
  };
  for (const network of [...ASSETS[symbol].networks, ...OTHER_NAMES[symbol]]) {
    // A VASP that has just started may not be ready.
    const reason = (await ask(network)) ?? (await ask(network));
    if (reason === 'UNKNOWN-NETWORK') continue;
    world.networkOf.set(symbol, network);
    return;
  }
}

/** Few, because everybody reads them. */
const BLOCKS_AFTER = { firstMs: 1_000, factor: 1.5 };

type Clocks = Pick<RunWorld, 'isLedgerFree' | 'selfDelay'>;

/** Of one wait. A run on a busy machine takes longer, and ends. */
const MAX_LATE_MS = 600_000;

interface Mover {
  symbol: AssetSymbol;
  movesTime: boolean;
  world: Pick<RunWorld, 'moveLedgerOn'>;
}

/**
 * Moves an embedded ledger on while a module waits; the caller says for how long. The XRP Ledger closes at once. Ethereum
 * gets blocks from time to time: most VASPs want 3 to 32 confirmations.
 */
export function ledgerMover({ symbol, movesTime, world }: Mover): (waitedMs: number) => Promise<void> {
  let blocksAfter = BLOCKS_AFTER.firstMs;
  return async waitedMs => {
    if (symbol === 'XRP') return movesTime ? world.moveLedgerOn('XRP') : undefined;
    if (waitedMs < blocksAfter) return;
    blocksAfter = waitedMs * BLOCKS_AFTER.factor;
    await world.moveLedgerOn('ETH');
  };
}

/** Real time from now on in which the VASP could act: no other run held the ledger, and the sandbox was not late itself. */
export function stopwatch({ symbol, world }: { symbol: AssetSymbol; world: Clocks }): () => number {
  let readAt = elapsedMs();
  let delayMs = world.selfDelay();
  let waitedMs = 0;
  let lateMs = 0;
  return () => {
    const ms = elapsedMs() - readAt;
    const ownMs = delayMs();
    lateMs += ownMs;
    if (lateMs > MAX_LATE_MS)
      throw new Error(`The sandbox was late itself for more than ${MAX_LATE_MS / 60_000} minutes.`);
    if (world.isLedgerFree(symbol)) waitedMs += Math.max(0, ms - ownMs);
    readAt += ms;
    delayMs = world.selfDelay();
    return waitedMs;
  };
}

/** Real time within which a VASP notices that its clock was moved, and acts. */
const NOTICED_MS = 2_000;

/**
 * Passes time of the VASP's timers. Returns the real time that it needs: the same, unless the VASP follows the clock of the
 * sandbox. Calls that go on end before that clock moves, so modules of the other symbol may go on, too.
 */
export async function moveTimers(world: RunWorld, ms: number): Promise<number> {
  if (!world.followsSandboxClock || ms <= 0) return ms;
  await advance(world, `${Math.ceil(ms)}ms`);
  return NOTICED_MS;
}

/** Each move of the time is noted: a VASP may act more often during it and shortly afterwards. */
export async function advance(
  { api, watch, sandboxNow, signal }: Pick<RunWorld, 'api' | 'watch' | 'sandboxNow' | 'signal'>,
  duration: string,
): Promise<void> {
  const from = sandboxNow();
  await api.advance(duration);
  const move: Move = { from, to: sandboxNow(), noticedBy: undefined };
  watch.moves.push(move);
  void pauseAwake(elapsedMs(), NOTICED_MS, signal).then(() => {
    move.noticedBy = sandboxNow();
  });
}

/** Shortly after a move nobody knows by which time the VASP has acted. */
export const isNearMove = (moves: readonly Move[], at: number): boolean =>
  moves.some(({ from, noticedBy = Number.POSITIVE_INFINITY }) => at >= from && at <= noticedBy);

/** A time that has come for the VASP, too: until it has noticed a move it goes by the time before, and so do its timers. */
export function noticedNow({ sandboxNow, watch }: Pick<RunWorld, 'sandboxNow' | 'watch'>): number {
  const now = sandboxNow();
  const unnoticed = watch.moves.filter(move => isNearMove([move], now));
  return Math.min(now, ...unnoticed.map(({ from }) => from));
}

/** The part of the time from `from` to `to` that the run has not moved. */
export const passedMs = (moves: readonly Move[], from: number, to: number): number =>
  moves.reduce((ms, move) => ms - Math.max(0, Math.min(to, move.to) - Math.max(from, move.from)), to - from);

/** Of several faults with the same name a VASP has only the newest. */
export const faultName = ({
  target,
  mode,
  verificationUuid,
}: Pick<Order<'addFault'>, 'target' | 'mode' | 'verificationUuid'>): string =>
  [target, mode, verificationUuid ?? 'every verification'].join(', ');

/** Removes the faults with these names. A fault that has happened is gone. */
export async function removeFaults(
  api: Pick<RunWorld['api'], 'faults' | 'removeFault'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const { faults } = await api.faults();
  for (const fault of faults) if (names.includes(faultName(fault))) await api.removeFault(fault.id).catch(() => {});
}
