import * as z from 'zod';
import { Person } from './ivms101.ts';
import { loose, named } from './named.ts';
import { REASON_CODES } from './reasons.ts';
import { ProviderAKYT, ProviderAKYTAlert, ProviderBWCO } from './risk.ts';
import { MessageText, optional, ReasonText, TxHash, VerificationUuid, Vout } from './text.ts';
import { Result } from './verification.ts';

/** A callback repeats information of earlier messages. Its form varies, so only the outer members are checked. */
const CallbackIvms101 = loose('CallbackIvms101', 'Personal information of the verification.', {
  originator: z.looseObject({}).nullish(),
  beneficiary: z.looseObject({}).nullish(),
  originatingVASP: Person.nullish(),
  beneficiaryVASP: Person.nullish(),
});

export const VerificationResultData = named('VerificationResultData', 'The user verification is finished.', {
  verificationUuid: VerificationUuid,
  verificationResult: Result,
  reason: z.enum(REASON_CODES),
  message: optional(MessageText),
  ivms101: optional(CallbackIvms101),
});

export const TxReportData = named('TxReportData', 'The originating VASP reported its transaction.', {
  verificationUuid: VerificationUuid,
  txHash: TxHash,
  vout: optional(Vout),
});

export const ErrorReportData = named('ErrorReportData', 'The originating VASP cancelled the transfer.', {
  verificationUuid: VerificationUuid,
  result: z.enum(['VERIFIED', 'DENIED', 'ERROR']),
  reason: ReasonText,
  message: optional(MessageText),
});

/** REF-6, REF-2.7: `alertCount` is the number of alerts. With 0 alerts their member is absent. */
export const KytResultData = z
  .object({
    verificationUuid: VerificationUuid,
    riskAssessment: z.object({
      providerAKYT: ProviderAKYT,
      providerAKYTAlerts: z.array(ProviderAKYTAlert).min(1).optional(),
    }),
  })
  .refine(
    data =>
      (data.riskAssessment.providerAKYTAlerts?.length ?? 0) === (data.riskAssessment.providerAKYT.alertCount ?? 0),
    { error: 'should have as many elements as `alertCount` says', path: ['riskAssessment', 'providerAKYTAlerts'] },
  )
  .meta({ id: 'KytResultData', description: 'REF-6: result of transaction monitoring.' });

export const WcoResultData = named('WcoResultData', 'REF-6: result of person or organisation screening.', {
  verificationUuid: VerificationUuid,
  riskAssessment: z.object({ providerBWCO: ProviderBWCO }),
});

export type CallbackReceiver = 'originating' | 'beneficiary' | 'caller';

interface CallbackRow {
  readonly data: z.ZodType;
  /** The VASP in this role of the verification. `caller`: the VASP that requested the assessment. */
  readonly receiver: CallbackReceiver;
  readonly trigger: string;
  /** True: every VASP must handle it. */
  readonly mandatory: boolean;
}

export const CALLBACKS = {
  VERIFICATION_RESULT: {
    data: VerificationResultData,
    receiver: 'originating',
    trigger: 'the user verification is finished',
    mandatory: true,
  },
  TX_REPORT: {
    data: TxReportData,
    receiver: 'beneficiary',
    trigger: 'POST /v1/verifications/tx by the counterparty',
    mandatory: true,
  },
  ERROR_REPORT: {
    data: ErrorReportData,
    receiver: 'beneficiary',
    trigger: 'POST /v1/verifications/error by the counterparty',
    mandatory: true,
  },
  PROVIDER_A_KYT_RESULT: {
    data: KytResultData,
    receiver: 'caller',
    trigger: 'POST /v1/risk-assessment/providerA-kyt',
    mandatory: false,
  },
  PROVIDER_B_WCO_RESULT: {
    data: WcoResultData,
    receiver: 'caller',
    trigger: 'POST /v1/risk-assessment/providerB-wco',
    mandatory: false,
  },
} as const satisfies Record<string, CallbackRow>;

export type CallbackType = keyof typeof CALLBACKS;
export const CALLBACK_TYPES = Object.keys(CALLBACKS) as [CallbackType, ...CallbackType[]];
export type CallbackData<T extends CallbackType> = z.infer<(typeof CALLBACKS)[T]['data']>;

const callbackOf = <T extends CallbackType>(type: T) =>
  z.object({ callbackType: z.literal(type), data: CALLBACKS[type].data as (typeof CALLBACKS)[T]['data'] });

export const Callback = z
  .discriminatedUnion('callbackType', CALLBACK_TYPES.map(callbackOf) as [ReturnType<typeof callbackOf>])
  .meta({ id: 'Callback', description: 'REF-6: a message of the enclave to a VASP.' });
/** Distributes over the types, so that a switch on callbackType narrows `data`. */
export type Callback = { [T in CallbackType]: { callbackType: T; data: CallbackData<T> } }[CallbackType];
