import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { serves } from '../contract/tenancy.ts';
import { named, optional, optionalText, text, VerificationUuid } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { write } from '../db/transaction.ts';
import {
  FAULT_MODES,
  FAULT_PARAMETERS,
  FAULT_TARGET_NAMES,
  FAULT_TARGETS,
  type FaultMode,
  type FaultTarget,
  modesOf,
  REORDER_WITHIN_MS,
} from '../fault-injection/port.ts';
import type { FaultRow } from '../fault-injection/store.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { durationPattern, formatDuration } from '../kernel/duration.ts';
import { grouped } from '../kernel/members.ts';
import type { SandboxDeps } from './deps.ts';
import { duration, POSITION } from './parameters.ts';

/** `/sandbox/v1/faults`: a VASP orders faults for itself. */
export const faultEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(faultCalls.faults, {
    summary: 'List the active faults of this VASP, the chain controls that are on, and every fault that can be ordered',
    async run(_, caller) {
      const networks = await Promise.all(
        Object.values(deps.networks).map(async ({ symbol, activeControls }) =>
          (await activeControls()).map(control => ({ symbol, control })),
        ),
      );
      return {
        faults: deps.faults.active(caller).map(presentFault),
        controls: networks.flat(),
        targets: FAULT_TARGET_NAMES.map(target => ({ target, modes: modesOf(target) })),
      };
    },
  }),
  control(faultCalls.addFault, {
    summary: 'Order a fault; it replaces one of the same target, verification and mode',
    refusals: ['verification-missing'],
    conditionallyRequired: ['delay', 'status'],
    examples: {
      'two callbacks': {
        summary: 'The next two callbacks are answered with 503, then they succeed',
        body: { target: 'callback', mode: 'status', status: 503, times: 2 },
      },
      'a late answer': {
        summary: 'The robot answers the next user verification too late: REQUEST-TIMEOUT',
        body: { target: 'robot.verifyUser', mode: 'delay', delay: '6s', times: 1 },
      },
      'an answer that is lost': {
        summary: 'The connection of your next call breaks off before the answer; the call still takes effect',
        body: { target: 'answer', mode: 'drop', times: 1 },
      },
    },
    run({ body }, caller) {
      refuseNotServed(deps, body.target);
      refuseImpossible(body);
      const { target, mode, verificationUuid = null, times = null } = body;
      if (verificationUuid !== null) deps.enclave.requireParties(verificationUuid, caller);
      const createdAt = deps.clock.now(caller);
      const order = { target, mode, verificationUuid, times, parameters: parametersOf(body), createdAt };
      const row = deps.faults.add({ vaspId: caller, ...order });
      if (row) return presentFault(row);
      const why = `is refused because ${deps.faults.max} faults are active already. Remove one first`;
      throw refusals.invalidField('target', why);
    },
  }),
  control(faultCalls.removeFaults, {
    summary: 'Remove every fault of this VASP',
    run(_, caller) {
      const removed = deps.faults.active(caller).length;
      write(deps.db, tx => deps.faults.removeOf(tx, caller));
      return { removed };
    },
  }),
  control(faultCalls.removeFault, {
    summary: 'Remove one fault',
    refusals: ['not-found'],
    precondition: 'fault-ordered',
    run({ params: { id } }, caller) {
      if (!POSITION.test(id) || !deps.faults.remove(caller, Number(id)))
        throw refusals.notFound('Fault', id, '/sandbox/v1/faults');
      return { removed: 1 };
    },
  }),
];

function presentFault(row: FaultRow) {
  const [target, mode] = [row.target as FaultTarget, row.mode as FaultMode];
  const { delayMs, ...rest } = row.parameters as { delayMs?: number; status?: number; code?: string; message?: string };
  return {
    id: String(row.id),
    target,
    verificationUuid: row.verificationUuid,
    mode,
    times: row.times,
    used: row.used,
    left: row.times === null ? null : row.times - row.used,
    parameters: { ...rest, ...(delayMs === undefined ? {} : { delay: formatDuration(delayMs) }) },
    createdAt: toIso(row.createdAt),
    meaning: FAULT_TARGETS[target].modes[mode]!.meaning,
  };
}

/** In another process nothing would ever meet the fault. */
function refuseNotServed({ roles }: SandboxDeps, target: FaultTarget): void {
  const servedBy = /^(answer\.)?robot[.-]|^devnet/.test(target)
    ? 'robot'
    : target.startsWith('answer.')
      ? 'enclave'
      : 'all';
  if (!serves(servedBy, roles))
    throw refusals.invalidField('target', `is of the ${servedBy}, which is another process: order the fault there`);
}

/** Refuses impossible combinations. The text names the member and the possible values. */
function refuseImpossible(request: z.output<typeof FaultRequest>): void {
  const { target, mode, delay, status, verificationUuid } = request;
  const { hasVerification, longestDelayMs } = FAULT_TARGETS[target];
  const possible = modesOf(target);
  const chosen = possible.find(each => each.mode === mode);
  if (!chosen)
    throw refusals.invalidField(
      'mode',
      `is not possible at ${target}. Possible are ${quoted(possible.map(each => each.mode))}`,
    );
  const usable =
    chosen.parameters.length === 0 ? 'there are no parameters' : `the parameters are ${quoted(chosen.parameters)}`;
  for (const name of FAULT_PARAMETERS)
    if (request[name] !== undefined && !chosen.parameters.includes(name))
      throw refusals.invalidField(name, `is not possible with ${target} and ${mode}: ${usable}`);
  if (mode === 'delay' && delay === undefined) throw refusals.missingField('delay');
  if (mode === 'status' && status === undefined) throw refusals.missingField('status');
  if (delay !== undefined && (delay < 1 || delay > longestDelayMs))
    throw refusals.invalidField('delay', `should be from 1ms to ${formatDuration(longestDelayMs)} here`);
  if (verificationUuid !== undefined && !hasVerification)
    throw refusals.invalidField('verificationUuid', `is not possible with ${target}: there is no verification yet`);
}

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ');

function parametersOf({ mode, delay, status, code, message }: z.output<typeof FaultRequest>): object {
  if (mode === 'reorder') return { delayMs: delay ?? REORDER_WITHIN_MS };
  return mode === 'delay' ? { delayMs: delay } : { status, code, message };
}

/** `/faults` */

const MAX_TIMES = 1_000_000;
const MAX_DELAY_MS = 366 * 86_400_000;

const mode = z.enum(FAULT_MODES);
const target = z
  .enum(FAULT_TARGET_NAMES)
  .describe(
    'The message that fails: answers to you (`answer`, `answer.<operation>`), answers of the robot to the enclave (`robot.…`), callbacks to you (`callback`, `callback.<callbackType>`), or the answers of the embedded ledgers to your VASP (`devnet`, `devnet.ETH`, `devnet.XRP`, `devnet.eth_estimateGas`, `devnet.eth_sendRawTransaction`, `devnet.submit`).',
  );
const times = z.int().min(1).max(MAX_TIMES);

/** The targets that can fail in the same ways. */
const alike = grouped(FAULT_TARGET_NAMES, name => {
  const { hasVerification, longestDelayMs } = FAULT_TARGETS[name];
  const modes = modesOf(name).map(each => [each.mode, each.parameters]);
  return JSON.stringify([modes, hasVerification, longestDelayMs]);
});
const ABSENT = { type: 'null' };
/** Every combination that is possible, for the API document. `refuseImpossible` refuses the others. */
const POSSIBLE = [...alike.values()].flatMap(targets => {
  const { hasVerification, longestDelayMs } = FAULT_TARGETS[targets[0]!];
  const delay = { type: ['string', 'null'], pattern: durationPattern(longestDelayMs, 1) };
  return modesOf(targets[0]!).map(({ mode, parameters }) => ({
    required: mode === 'delay' || mode === 'status' ? [mode] : [],
    properties: {
      target: { enum: targets },
      mode: { const: mode },
      ...(hasVerification ? {} : { verificationUuid: ABSENT }),
      ...Object.fromEntries(FAULT_PARAMETERS.filter(name => !parameters.includes(name)).map(name => [name, ABSENT])),
      ...(parameters.includes('delay') ? { delay: mode === 'delay' ? { ...delay, type: 'string' } : delay } : {}),
      ...(mode === 'status' ? { status: { type: 'integer' } } : {}),
    },
  }));
});

const FaultRequest = z
  .object({
    target,
    mode: mode.describe('How it fails. GET /sandbox/v1/faults lists the modes of each target with their meaning.'),
    verificationUuid: optional(VerificationUuid).describe(
      'Limits the fault to one verification. Default: all of your verifications.',
    ),
    times: optional(times).describe(
      'Number of failures before it succeeds. Default: it fails until the fault is removed.',
    ),
    delay: optional(duration(MAX_DELAY_MS)).describe(
      'Length of the delay, for the modes delay and reorder. Example: `30s`.',
    ),
    status: optional(z.int().min(400).max(599)).describe('HTTP status, for the mode status.'),
    code: optional(text(128)).describe(
      '`code` of the error, for the mode status of an answer and the mode error of a ledger.',
    ),
    message: optional(optionalText(1024)).describe(
      '`message` of the error, for the mode status of an answer and the mode error of a ledger.',
    ),
  })
  .meta({
    id: 'FaultRequest',
    description: 'Orders a fault. When several active faults match an event, the oldest one applies.',
    if: { required: ['target', 'mode'], properties: { target: {}, mode: {} }, additionalProperties: true },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { anyOf: POSSIBLE },
  });

export const FaultEntry = named('FaultEntry', 'An active fault.', {
  id: z.string(),
  target,
  verificationUuid: z.string().nullable(),
  mode,
  times: z.number().int().nullable(),
  used: z.number().int().describe('Number of times that it has applied.'),
  left: z.number().int().nullable().describe('Number of times that it will still apply; null: until it is removed.'),
  parameters: z.object({
    delay: z.string().optional(),
    status: z.number().int().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  createdAt: Timestamp,
  meaning: z.string(),
});

const TargetEntry = z.object({
  target,
  modes: z.array(
    z.object({
      mode,
      meaning: z.string(),
      parameters: z.array(z.enum(FAULT_PARAMETERS)).describe('Members of the request that this mode uses.'),
    }),
  ),
});
export const FaultsResponse = named(
  'FaultsResponse',
  'The active faults of this VASP, oldest first, and every possible target and mode.',
  {
    faults: z.array(FaultEntry),
    controls: z
      .array(z.object({ symbol: z.string(), control: z.string() }))
      .describe(
        'The chain controls of the embedded chains that are on (`hold`, `load-factor 10`, `fee-spike 2000000000`) or wait for the next transaction or ledger (`drop`, `delay 3`, `reorder`). They concern every VASP.',
      ),
    targets: z.array(TargetEntry),
  },
);
const FaultsRemoved = named('FaultsRemoved', 'Number of removed faults.', { removed: z.number().int() });

export const faultCalls = calls({
  faults: { response: FaultsResponse },
  addFault: { body: FaultRequest, response: FaultEntry },
  removeFaults: { response: FaultsRemoved },
  removeFault: { response: FaultsRemoved },
});
