import * as z from 'zod';
import { optional, optionalText, text, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { FAULT_MODES, FAULT_PARAMETERS, FAULT_TARGET_NAMES } from '../../fault-injection/targets.ts';
import { duration } from '../parameters.ts';

/** `/faults` */

const MOST_TIMES = 1_000_000;
const LONGEST_DELAY_MS = 366 * 86_400_000;

const mode = z.enum(FAULT_MODES);
const target = z
  .enum(FAULT_TARGET_NAMES)
  .describe(
    'What is made to fail: the answers that you get (`answer`, `answer.<operation>`), what the robot answers the enclave (`robot.…`), the callbacks to you (`callback`, `callback.<callbackType>`).',
  );
const times = z.int().min(1).max(MOST_TIMES);

export const FaultRequest = z
  .object({
    target,
    mode: mode.describe('GET /sandbox/v1/faults says which modes a target has, and what each means.'),
    verificationUuid: optional(VerificationUuid).describe('Only this verification; without it all of yours.'),
    times: optional(times).describe('So often, then it succeeds; without it until the fault is removed.'),
    delay: optional(duration(LONGEST_DELAY_MS)).describe('Modes delay and reorder, e.g. `30s`.'),
    status: optional(z.int().min(400).max(599)).describe('Mode status.'),
    code: optional(text(128)).describe('Mode status of an answer: of the error object.'),
    message: optional(optionalText(1024)).describe('Mode status of an answer: of the error object.'),
  })
  .meta({
    id: 'FaultRequest',
    description: 'One injected fault. For each event the oldest matching fault applies.',
  });

export const FaultEntry = z
  .object({
    id: z.string(),
    target,
    verificationUuid: z.string().nullable(),
    mode,
    times: z.number().int().nullable(),
    used: z.number().int().describe('How often it has hit.'),
    left: z.number().int().nullable().describe('How often it will hit; null: until it is removed.'),
    parameters: z.object({
      delay: z.string().optional(),
      status: z.number().int().optional(),
      code: z.string().optional(),
      message: z.string().optional(),
    }),
    createdAt: Timestamp,
    meaning: z.string(),
  })
  .meta({ id: 'FaultEntry', description: 'An active fault.' });

const TargetEntry = z.object({
  target,
  modes: z.array(
    z.object({
      mode,
      meaning: z.string(),
      parameters: z.array(z.enum(FAULT_PARAMETERS)).describe('Members of the request that go with the mode.'),
    }),
  ),
});
export const FaultsResponse = z.object({ faults: z.array(FaultEntry), targets: z.array(TargetEntry) }).meta({
  id: 'FaultsResponse',
  description: 'The active faults of this VASP, oldest first, and what is possible.',
});
export const FaultsRemoved = z
  .object({ removed: z.number().int() })
  .meta({ id: 'FaultsRemoved', description: 'How many faults that were.' });
