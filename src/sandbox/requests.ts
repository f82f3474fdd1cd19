import * as z from 'zod';
import { CALLBACK_TYPES } from '../contract/callbacks.ts';
import {
  AccountNumber,
  Amount,
  optional,
  SymbolText,
  text,
  VaspId,
  VerificationUuid,
} from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { parseDuration } from '../kernel/duration.ts';

/** Bodies, queries and answers of `/sandbox/v1`. */

const MOST_MS = 366 * 86_400_000;
const LONGEST_WAIT_MS = 60_000;
const DURATION = 'should be a duration such as `10m`, `90s` or `1h`';

const duration = (maxMs: number) =>
  z
    .string()
    .refine(value => (parseDuration(value) ?? -1) >= 0 && parseDuration(value)! <= maxMs, { error: DURATION })
    .transform(value => parseDuration(value)!)
    .meta({ examples: ['10m'] });

const position = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'should be a position that an answer has named' })
  .transform(Number);
const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'should be a whole number from 1 to 999' })
  .transform(Number)
  .default(100);

export const AdvanceRequest = z
  .object({ duration: duration(MOST_MS) })
  .meta({ id: 'AdvanceRequest', description: 'How far to move the time of this VASP: forward only.' });

const FiredTimer = z
  .object({ kind: z.string(), key: z.string(), dueAt: Timestamp })
  .meta({ id: 'FiredTimer' });
export const ClockResponse = z.object({ now: Timestamp }).meta({ id: 'ClockResponse' });
export const AdvanceResponse = z
  .object({ now: Timestamp, fired: z.array(FiredTimer) })
  .meta({ id: 'AdvanceResponse', description: 'The new time, and what fell due on the way, in order.' });
export const TimersResponse = z
  .object({
    timers: z.array(FiredTimer.extend({ why: z.string(), attempts: z.number().int() })),
  })
  .meta({ id: 'TimersResponse', description: 'What is pending, next first.' });

export const FaucetRequest = z
  .object({ symbol: SymbolText, address: AccountNumber, amount: Amount })
  .meta({ id: 'FaucetRequest', description: 'Funds an address on an embedded chain.' });
export const FaucetResponse = z.object({ txHash: z.string() }).meta({ id: 'FaucetResponse' });

export const MailboxQuery = z
  .object({
    wait: optional(duration(LONGEST_WAIT_MS)).describe('How long to wait for the first one; at most 60s.'),
    after: optional(position).describe('`next` of the answer before.'),
    type: optional(z.enum(CALLBACK_TYPES)),
    verificationUuid: optional(VerificationUuid),
  })
  .meta({ id: 'MailboxQuery' });
export const MailboxResponse = z
  .object({
    callbacks: z.array(
      z.object({
        id: z.string(),
        callbackType: z.enum(CALLBACK_TYPES),
        data: z.looseObject({}),
        at: Timestamp,
      }),
    ),
    next: z.string().describe('Give it as `after` to read on.'),
  })
  .meta({ id: 'MailboxResponse', description: 'The callbacks of this VASP, oldest first.' });

export const CallbacksQuery = z
  .object({
    verificationUuid: optional(VerificationUuid),
    after: optional(position).describe('`id` of the last one that was read.'),
    limit,
  })
  .meta({ id: 'CallbacksQuery' });
const Attempt = z.object({
  at: Timestamp,
  status: z.number().int().nullable(),
  durationMs: z.number().int(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});
export const CallbackEntry = z
  .object({
    id: z.string(),
    callbackType: z.enum(CALLBACK_TYPES),
    verificationUuid: z.string(),
    status: z.enum(['PENDING', 'DELIVERED', 'GIVEN-UP', 'MAILBOX']),
    data: z.looseObject({}),
    createdAt: Timestamp,
    attempts: z.array(Attempt),
  })
  .meta({ id: 'CallbackEntry', description: 'One callback with every attempt.' });
export const CallbacksResponse = z
  .object({ callbacks: z.array(CallbackEntry) })
  .meta({ id: 'CallbacksResponse' });

export const AssessmentsQuery = z
  .object({ verificationUuid: optional(VerificationUuid), limit })
  .meta({ id: 'AssessmentsQuery' });
export const AssessmentEntry = z
  .object({
    requestId: z.string(),
    verificationUuid: z.string(),
    kind: z.enum(['sanction', 'kyt', 'wco']),
    status: z.enum(['REGISTERED', 'PROCESSED']),
    failures: z.number().int().describe('Calls of the provider in vain.'),
    lastError: z.string().nullable(),
    createdAt: Timestamp,
    riskAssessment: z.looseObject({}).describe('As the answer or the callback says it, at this moment.'),
  })
  .meta({ id: 'AssessmentEntry' });
export const AssessmentsResponse = z
  .object({ assessments: z.array(AssessmentEntry) })
  .meta({ id: 'AssessmentsResponse', description: 'Risk assessments of this VASP, newest first.' });

export const ExchangesQuery = z
  .object({ verificationUuid: optional(VerificationUuid), before: optional(position), limit })
  .meta({ id: 'ExchangesQuery' });
export const ExchangeEntry = z
  .object({
    id: z.string(),
    direction: z.enum(['IN', 'OUT']).describe('IN: this VASP called us; OUT: we called it.'),
    operation: z.string(),
    method: z.string(),
    url: z.string(),
    verificationUuid: z.string().nullable(),
    request: z.string().nullable(),
    status: z.number().int().nullable(),
    response: z.string().nullable(),
    error: z.string().nullable(),
    durationMs: z.number().int(),
    at: Timestamp,
  })
  .meta({ id: 'ExchangeEntry' });
export const ExchangesResponse = z
  .object({ exchanges: z.array(ExchangeEntry) })
  .meta({ id: 'ExchangesResponse', description: 'HTTP exchanges with this VASP, newest first.' });

const address = z
  .string()
  .max(2048)
  .refine(value => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'should be a full http or https address',
  });
const providerKey = optional(text(256));
export const VaspRequest = z
  .object({
    name: text(256),
    endpoints: z
      .object({
        verifyUser: optional(address),
        verifyAccount: optional(address),
        transactionStatus: optional(address),
        callback: optional(address),
      })
      .default({}),
    authorization: optional(
      z.object({
        header: z
          .string()
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, { error: 'should be a header name' })
          .default('Authorization'),
        token: optional(
          z
            .string()
            .max(4096)
            .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, { error: 'should be printable ASCII' }),
        ),
      }),
    ),
    providerKeys: optional(
      z.object({
        sanctionApiKey: providerKey,
        kytApiKey: providerKey,
        wcoApiKey: providerKey,
        wcoGroupId: providerKey,
      }),
    ).describe('For the screening providers, instead of those of the configuration. Never shown.'),
  })
  .meta({ id: 'VaspRequest', description: 'A VASP that is registered, or changed.' });
export const RegisteredVasp = z
  .object({
    vaspId: VaspId,
    name: z.string(),
    endpoints: z.object({
      verifyUser: z.string().optional(),
      verifyAccount: z.string().optional(),
      transactionStatus: z.string().optional(),
      callback: z.string().optional(),
    }),
    authorization: z.object({ header: z.string(), hasToken: z.boolean() }),
    health: z.enum(['UP', 'DOWN']),
    apiKey: z.string().optional().describe('Only in the answer to the first registration; stored hashed.'),
  })
  .meta({ id: 'RegisteredVasp' });
export const VaspsResponse = z.object({ vasps: z.array(RegisteredVasp) }).meta({ id: 'RegisteredVasps' });

const ChainInfo = z.object({
  symbol: z.string(),
  network: z.string(),
  id: z.number().int().nullable(),
  url: z.string(),
  head: z.number().int().nullable(),
  headAgeMs: z.number().int().nullable(),
  embedded: z.boolean(),
});
const UserInfo = z.object({
  id: z.string(),
  kind: z.enum(['natural', 'legal']),
  names: z.looseObject({}),
  kyc: z.boolean(),
  behaviour: z.string(),
  accounts: z.object({ ETH: z.string(), XRP: z.string() }),
});
export const InfoResponse = z
  .object({
    version: z.string(),
    mode: z.enum(['embedded', 'testnet', 'mixed']),
    robot: z.object({ vaspId: VaspId, name: z.string() }),
    vasp: z.object({ vaspId: VaspId, name: z.string() }),
    chains: z.array(ChainInfo),
    users: z.array(UserInfo),
  })
  .meta({ id: 'InfoResponse', description: 'Who is who here, on which chains, with which users.' });

export const DepositEntry = z
  .object({
    symbol: z.string(),
    txHash: z.string(),
    status: z.enum(['SEEN', 'REORGANISED', 'CONFIRMED', 'UNATTRIBUTED', 'CREDITED']),
    from: z.string(),
    address: z.string(),
    amount: z.string(),
    height: z.number().int(),
    at: Timestamp,
    verificationUuid: z.string().nullable(),
    note: z.string(),
  })
  .meta({ id: 'DepositEntry' });
export const DepositsQuery = z.object({ limit }).meta({ id: 'DepositsQuery' });
export const DepositsResponse = z.object({ deposits: z.array(DepositEntry) }).meta({
  id: 'DepositsResponse',
  description: "Transfers that reached the robot: this VASP's, and those that nobody has yet.",
});

export const TimelineEntry = z
  .object({
    at: Timestamp,
    what: z
      .string()
      .describe(
        'The machine or channel: verification, judge, assessment, callback, expectation, deposit, http.',
      ),
    event: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    cause: z.string(),
    detail: z.unknown().optional(),
  })
  .meta({ id: 'TimelineEntry' });
export const TimelineResponse = z
  .object({ verificationUuid: z.string(), timeline: z.array(TimelineEntry) })
  .meta({ id: 'TimelineResponse', description: 'Everything about one verification, in order.' });

export const ScenarioEntry = z
  .object({
    id: z.string(),
    operation: z.string().describe('The operation, or what a behaviour affects.'),
    user: z.string().describe('Id of the user of the robot.'),
    how: z.string(),
    clause: z.string().optional(),
    path: z.string().optional().describe('Where the request goes.'),
    requests: z.object({ ETH: z.looseObject({}), XRP: z.looseObject({}) }).optional(),
    advance: z.string().optional().describe('How far the clock has to be moved for the outcome.'),
    expect: z.looseObject({}).optional().describe('What the answer or the callback holds then.'),
  })
  .meta({ id: 'ScenarioEntry' });
export const ScenariosResponse = z.object({ scenarios: z.array(ScenarioEntry) }).meta({
  id: 'ScenariosResponse',
  description: 'Everything that can be provoked, with the input that does it.',
});

export const ResetResponse = z.object({ result: z.literal(true) }).meta({ id: 'ResetResponse' });
