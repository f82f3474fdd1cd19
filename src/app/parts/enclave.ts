import { actAs } from '../../contract/tenancy.ts';
import { createWaiters } from '../../enclave/callbacks/waiters.ts';
import type { EnclaveDeps } from '../../enclave/deps.ts';
import { createEnclave } from '../../enclave/enclave.ts';
import { foreignEnclave } from '../../enclave/http-enclave/foreign-enclave.ts';
import { httpEnclave } from '../../enclave/http-enclave/http-enclave.ts';
import { relayingDirectory } from '../../enclave/http-enclave/relaying-directory.ts';
import { signingSecretStore } from '../../enclave/vasps/signing-store.ts';
import { callGuard, noGuard } from '../../vasps/call-guard.ts';
import { directory } from '../../vasps/directory.ts';
import type { Vasp } from '../../vasps/port.ts';
import type { CallRecording } from '../../vasps/recorded-calls.ts';
import { callbackSigner } from '../../vasps/signature.ts';
import type { Registration } from '../../vasps/wire.ts';
import type { Config } from '../config/config.ts';
import { createScreening } from '../screening.ts';
import type { Base } from './base.ts';

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
  const secrets = signingSecretStore({ db, box: base.box, random, now: machineClock.now });
  const signing = { secrets, signer: callbackSigner(secrets.of, machineClock.now) };
  const recording: CallRecording = {
    guard,
    now: clock.now,
    position: exchanges.position,
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
    risk: createScreening(config, base, {
      users: base.users,
      random,
      chain: symbol => networks[symbol].chain(),
    }),
    vasps,
    guard,
    signing,
    waiters: createWaiters(),
    faults: base.faults,
    residentVaspId: actAs(config.robot.vaspId),
    isHosted: base.isHosted,
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
