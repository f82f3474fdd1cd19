import * as z from 'zod';
import { named } from '../../contract/named.ts';
import { optional, optionalText, text, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import {
  FAULT_MODES,
  FAULT_PARAMETERS,
  FAULT_TARGET_NAMES,
  FAULT_TARGETS,
  type FaultTarget,
  modesOf,
} from '../../fault-injection/targets.ts';
import { calls } from '../../http/endpoint.ts';
import { durationPattern } from '../../kernel/duration-pattern.ts';
import { duration } from '../parameters.ts';

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
const alike = new Map<string, FaultTarget[]>();
for (const name of FAULT_TARGET_NAMES) {
  const { hasVerification, longestDelayMs } = FAULT_TARGETS[name];
  const modes = modesOf(name).map(each => [each.mode, each.parameters]);
  const key = JSON.stringify([modes, hasVerification, longestDelayMs]);
  alike.set(key, [...(alike.get(key) ?? []), name]);
}
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

export const FaultRequest = z
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
export const FaultsRemoved = named('FaultsRemoved', 'Number of removed faults.', { removed: z.number().int() });

export const faultCalls = calls({
  faults: { response: FaultsResponse },
  addFault: { body: FaultRequest, response: FaultEntry },
  removeFaults: { response: FaultsRemoved },
  removeFault: { response: FaultsRemoved },
});
