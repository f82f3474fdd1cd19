import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { ChainRefused, ChainUnreachable } from '../../chains/port.ts';
import type { Order } from '../../client/calls.ts';
import { type Answers, client, Refused } from '../../client/client.ts';
import { isAssetSymbol } from '../../contract/assets.ts';
import { asCaller, hasRole } from '../../contract/tenancy.ts';
import { endpointsAt } from '../../contract/vasp-api.ts';
import { VaspsResponse } from '../../contract/vasps.ts';
import { createWaiters } from '../../enclave/callbacks/waiters.ts';
import type { EnclaveDeps, RiskDeps } from '../../enclave/deps.ts';
import { createEnclave } from '../../enclave/enclave.ts';
import { foreignEnclave } from '../../enclave/http-enclave/foreign-enclave.ts';
import { httpEnclave, relayingDirectory } from '../../enclave/http-enclave/http-enclave.ts';
import { signingSecretStore } from '../../enclave/vasps/signing-store.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import { readText } from '../../kernel/text-file.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import type { Users } from '../../robot/users/users.ts';
import { loadScreening } from '../../screening/load.ts';
import { DEVELOPMENT_KEYS } from '../../screening/port.ts';
import { type PaymentOnLedger, type ReportedPayment, simulatedScreening } from '../../screening/simulated.ts';
import { pause } from '../../timers/loop.ts';
import { callGuard, noGuard } from '../../vasps/call-guard.ts';
import { directory } from '../../vasps/directory.ts';
import type { CallRecording } from '../../vasps/http-client.ts';
import { callbackSigner, codeOf, type Registration } from '../../vasps/http-client.ts';
import type { Vasp } from '../../vasps/port.ts';
import type { Config } from '../config/config.ts';
import { besideDatabase } from '../storage.ts';
import type { Base } from './base.ts';
import { CLOCK_PATH, ROBOT_PATH } from './robot.ts';

/**
 * The enclave. `residents`: the VASPs of this process, by id. `atForeign`: what the robot sends to a foreign enclave, which
 * leads then.
 */
export function enclavePart(
  base: Base,
  residents: ReadonlyMap<string, Vasp>,
  atForeign?: Registration['authorization'],
) {
  const { config, db, clock, random, timers, exchanges, vasps, timeoutMs, networks, machineClock } = base;
  const guard = createGuard(config);
  const secrets = signingSecretStore(db, base.box, random, machineClock.now);
  const signing = { secrets, signer: callbackSigner(secrets.of, machineClock.now) };
  const recording: CallRecording = {
    guard,
    now: clock.now,
    position: exchanges.position,
    turnOf: base.turnOf,
    onExchange(exchange) {
      exchanges.record({ direction: 'OUT', ...exchange });
      if (!exchange.isRepeated) vasps.recordHealth(exchange.vaspId, exchange.status !== null);
    },
  };
  const { url = '' } = config.foreignEnclave;
  const foreign = atForeign && foreignEnclave(url, atForeign, recording);
  const http = { ...recording, timeoutMs, names: base.names, signer: signing.signer };
  const deps: EnclaveDeps = {
    db,
    clock,
    random,
    timers,
    directory: foreign ? relayingDirectory(residents, foreign) : directory(residents, vasps.find, http),
    timeoutMs,
    risk: createScreening(config, base, { users: base.users, random, chain: symbol => networks[symbol].chain() }),
    vasps,
    guard,
    signing,
    waiters: createWaiters(),
    faults: base.faults,
    residentVaspId: asCaller(config.robot.vaspId),
    isHosted: base.isHosted,
    beforeVerifying: (...ordered) => base.callers().beforeVerifying(...ordered),
    beforeReporting: (...reported) => base.callers().beforeReporting(...reported),
    thresholds: config.thresholds,
    foreign,
  };
  return { deps, enclave: foreign ? httpEnclave({ ...deps, foreign }) : createEnclave(deps) };
}

/** In the hosted mode strangers choose the addresses that the program calls. */
const createGuard = ({ mode, callbackAllow, allowHttpCallbacks, callbackDns }: Config) =>
  mode === 'hosted'
    ? callGuard({ allowed: callbackAllow, allowHttp: allowHttpCallbacks, dnsServers: callbackDns })
    : noGuard;

/** D-42: a ledger that cannot be reached shows nothing. */
async function paymentAt(
  chain: RobotDeps['chain'],
  { asset, txHash, outputAddress }: ReportedPayment,
  vaspId: string,
): Promise<PaymentOnLedger> {
  if (!isAssetSymbol(asset)) return 'NO-LEDGER';
  try {
    const ledger = await chain(asset);
    const wanted = ledger.parseAddress(outputAddress);
    if (!wanted) return 'NOT-FOUND';
    const look = () => ledger.lookup(txHash, wanted.account);
    const { at, transfers } = await ledger.onBehalfOf(vaspId, look);
    const pays = transfers.some(({ to }) => to.account === wanted.account && to.tag === wanted.tag);
    return at !== undefined && pays ? { at } : 'NOT-FOUND';
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof ChainRefused) return 'UNREACHABLE';
    throw error;
  }
}

/** The simulated providers, with the users of the VASP that asks; without a robot no users and no ledger. */
function createScreening(
  config: Config,
  folders: { fixturesPath: string; shippedPath: string },
  { users, random, chain }: { users: Users; random: Random; chain: RobotDeps['chain'] },
): RiskDeps {
  const hasRobot = hasRole(config.roles, 'robot');
  const data = loadScreening(folders.fixturesPath, folders.shippedPath);
  const screening = (vaspId: string) =>
    simulatedScreening(data, {
      accepted: DEVELOPMENT_KEYS,
      holderOf: async (asset, address) =>
        hasRobot && isAssetSymbol(asset) ? (await users.of(vaspId)).findIncludingRemoved(asset, address) : undefined,
      paymentAt: async payment => (hasRobot ? paymentAt(chain, payment, vaspId) : 'NO-LEDGER'),
      newId: random.uuid,
      answerMs: config.screening.answerMs,
    });
  return { screening, keys: config.screening.keys, usdRates: data.usdRates, scenarios: data.scenarios };
}

/** The enclave may have been replaced by one that does not know the robot. */
const LOOK_EVERY_MS = 60_000;
const ANSWERS_WITHIN_MS = 5_000;

/** Looks whether the foreign enclave knows the robot, and joins it where that is asked. A robot whose enclave is away waits. */
export function watchEnclave(base: Base) {
  const { config, log, stopping, random } = base;
  const { robot, foreignEnclave: settings } = config;
  const { token = random.secret() } = settings;
  const url = settings.url!;
  const member = membership(base, url);
  let why: string | undefined = 'is asked for the first time';
  let first: Promise<boolean> = Promise.resolve(false);

  async function watch(ownUrl: string, known: () => void): Promise<void> {
    const at = `${settings.robotUrl ?? ownUrl}${ROBOT_PATH}`;
    const endpoints = { ...endpointsAt(at), clock: at + CLOCK_PATH };
    const registration = { name: robot.name, endpoints, authorization: { header: 'Authorization', token } };
    let said: string | undefined;
    let lookedAt = Number.NEGATIVE_INFINITY;
    while (!stopping.signal.aborted) {
      if (why === undefined) why = await silenceOf(url);
      if (why !== undefined || elapsedMs() - lookedAt > LOOK_EVERY_MS) {
        why = await member.whyUnknown(registration);
        lookedAt = elapsedMs();
      }
      if (why !== said) log[why ? 'warn' : 'info']({ enclave: url, why }, 'the state of the enclave');
      said = why;
      if (!why) known();
      await pause(config.chainRetryMs, stopping.signal);
    }
  }
  return {
    token,
    /** What the robot sends to the enclave. The token changes when it joins. */
    authorization: member.authorization,
    missing: () => (why ? [`enclave: ${url} ${why}`] : []),
    /** `url`: where the robot listens. */
    start(ownUrl: string): void {
      first = new Promise(resolve => {
        void watch(ownUrl, () => resolve(true)).then(() => resolve(false));
      });
    },
    /** Resolves when the enclave knows the robot for the first time; false: it stopped before that. */
    ready: () => first,
  };
}

/** The robot as a VASP of the enclave, with its key there. */
function membership({ config, timers, vasps }: Base, url: string) {
  const { robot, foreignEnclave: settings } = config;
  const keyPath = settings.joins ? besideDatabase(config, '.enclave-key') : undefined;
  const stored = keyPath && existsSync(keyPath) ? readText(keyPath).trim() : undefined;
  const authorization = { header: 'Authorization', token: settings.key ?? stored };
  const send = (request: Request) => fetch(request, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  const api = (apiKey = authorization.token) => client(url, { apiKey, send });
  const stranger = client(url, { send });

  async function registered(registration: Order<'registerVasp'>): Promise<Partial<Answers['registerVasp']>> {
    if (authorization.token !== undefined)
      try {
        return await api().registerVasp(robot.vaspId, registration);
      } catch (error) {
        // An enclave in memory has forgotten the key.
        if (!(error instanceof Refused) || error.status !== 401) throw error;
      }
    const { invitation } = settings;
    const joined = invitation
      ? await stranger.register({ ...registration, vaspId: robot.vaspId, invitation })
      : await stranger.registerVasp(robot.vaspId, registration);
    authorization.token = joined.apiKey;
    if (keyPath && joined.apiKey) {
      writeFileSync(keyPath, joined.apiKey, { mode: 0o600 });
      chmodSync(keyPath, 0o600);
    }
    return joined;
  }
  return {
    authorization,
    /** Looks, and joins before that where it is asked. Undefined: the enclave knows the robot. */
    async whyUnknown(registration: Order<'registerVasp'>): Promise<string | undefined> {
      const own = robot.vaspId;
      let task: 'join' | 'self' = 'join';
      try {
        // The clocks were not moved while the robot was away.
        const { clocks = [] } = settings.joins ? await registered(registration) : {};
        for (const { owner, aheadMs } of clocks) await timers.advanceUntil(owner, aheadMs);
        task = 'self';
        const { vaspId } = await api().self();
        const answer = await api()
          .vasps()
          .catch(() => undefined);
        const { data: listed } = VaspsResponse.safeParse(answer);
        if (listed) vasps.learnNames(listed.vasps);
        return vaspId === own ? undefined : takenFor(vaspId, own);
      } catch (error) {
        return error instanceof Refused ? refusedBecause(task, error, own) : away(error as Error);
      }
    },
  };
}

/** Any answer will do. Unlike a call of the API it leaves no exchange. */
const silenceOf = (url: string): Promise<string | undefined> =>
  fetch(`${url}/healthcheck`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) })
    .then(answer => answer.body?.cancel())
    .then(() => undefined, away);

const away = (error: Error): string =>
  `cannot be reached (${codeOf((error.cause as Error | undefined) ?? error)}). The robot waits for it. Start the enclave, or set ENCLAVE_URL`;

const takenFor = (taken: string, own: string): string =>
  `takes the robot for VASP ${taken}: set ENCLAVE_KEY to the key of VASP ${own}, or ROBOT_VASP_ID to ${taken}`;

function refusedBecause(task: 'join' | 'self', { status, message }: Refused, own: string): string {
  if (task === 'self' && (status === 401 || status === 403))
    return `refuses the key (${status}): set ENCLAVE_KEY to the key of VASP ${own} there`;
  if (task === 'join' && status === 401)
    return `has another VASP ${own}, or is hosted (401): set ENCLAVE_KEY to its key, ROBOT_VASP_ID to a free id, or ENCLAVE_INVITATION`;
  if (task === 'join' && status === 404)
    return 'cannot be joined (404): it is no enclave of robot-vasp. Leave --join out, and register the robot there';
  return `refuses the robot: ${message}`;
}
