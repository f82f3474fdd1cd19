import * as z from 'zod';
import { REASON_CODES } from './clauses.ts';
import { identifiersOf, type NaturalPersonNameIdentifier, Person, type Persons } from './ivms101.ts';
import { foldText } from './persons.ts';
import { REQUIRED_INFO, type RequiredInfoCode } from './required-info.ts';
import { ProviderAKYT, ProviderAKYTAlert, ProviderBWCO } from './risk.ts';
import {
  isFilled,
  loose,
  MessageText,
  type NearMiss,
  named,
  optional,
  ReasonText,
  TxHash,
  VerificationUuid,
  Vout,
} from './text.ts';
import { Result } from './verification.ts';

/** A callback repeats information of earlier messages. Its form varies, so only the outer members are checked. */
const CallbackIvms101 = loose('CallbackIvms101', 'Personal information of the verification.', {
  originator: z.looseObject({}).nullish(),
  beneficiary: z.looseObject({}).nullish(),
  originatingVASP: Person.nullish(),
  beneficiaryVASP: Person.nullish(),
});

const VerificationResultData = named('VerificationResultData', 'The user verification is finished.', {
  verificationUuid: VerificationUuid,
  verificationResult: Result,
  reason: z.enum(REASON_CODES),
  message: optional(MessageText),
  ivms101: optional(CallbackIvms101),
});

const TxReportData = named('TxReportData', 'The originating VASP reported its transaction.', {
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
const KytResultData = z
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

const WcoResultData = named('WcoResultData', 'REF-6: result of person or organisation screening.', {
  verificationUuid: VerificationUuid,
  riskAssessment: z.object({ providerBWCO: ProviderBWCO }),
});

type CallbackReceiver = 'originating' | 'beneficiary' | 'caller';

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

/** WIRE-3.2: a VERIFIED answer gives the information that was requested, about the person of the request. */

interface Missing {
  code: RequiredInfoCode;
  /** `beneficiaryPersons[0].naturalPerson.name.nameIdentifier` */
  field: string;
}

export const missingInformation = (persons: Persons, codes: readonly RequiredInfoCode[]): Missing[] =>
  codes.filter(code => isMissing(code, persons)).map(code => ({ code, field: fieldOf(code) }));

const fieldOf = (code: RequiredInfoCode): string =>
  REQUIRED_INFO[code].path
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${step === 'persons' ? 'beneficiaryPersons' : step}`))
    .join('')
    .slice(1);

function isMissing(code: RequiredInfoCode, persons: Persons): boolean {
  const { path } = REQUIRED_INFO[code];
  const [root, ...steps] = path as readonly (string | number)[];
  if (root !== 'persons') return false;
  const value = steps.reduce<unknown>(
    (at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step],
    persons,
  );
  return !isFilled(value);
}

/** One name of the answer has to be a name of the request: of the first person, and of one representative. */
export function otherNames(asked: Persons, answered: Persons): NearMiss[] {
  const [askedFirst, ...askedOthers] = asked;
  const [first, ...others] = answered;
  return [
    ...(askedFirst && first ? differences([askedFirst], [first], 'beneficiaryPersons[0]') : []),
    ...differences(askedOthers, others, 'beneficiaryPersons[1]'),
  ];
}

function differences(asked: readonly Person[], answered: readonly Person[], field: string): NearMiss[] {
  const expected = asked.flatMap(namesOf);
  const got = answered.flatMap(namesOf);
  if (expected.length === 0 || got.length === 0) return [];
  if (got.some(name => expected.some(each => isSameName(each, name)))) return [];
  return [{ field, expected: expected.map(nameText).join(' or '), got: got.map(nameText).join(' or ') }];
}

type Name = Pick<NaturalPersonNameIdentifier, 'primaryIdentifier' | 'secondaryIdentifier'>;

const namesOf = ({ naturalPerson, legalPerson }: Person): Name[] =>
  [
    ...identifiersOf(naturalPerson?.name),
    ...identifiersOf(legalPerson?.name).map(({ legalPersonName }) => ({ primaryIdentifier: legalPersonName ?? '' })),
  ].filter(name => nameText(name) !== '');

/** The names of persons, for messages. */
export const nameTexts = (persons: readonly Person[]): string[] => persons.flatMap(namesOf).map(nameText);

const nameText = ({ primaryIdentifier, secondaryIdentifier }: Name): string =>
  [primaryIdentifier, secondaryIdentifier].filter(Boolean).join(', ').trim();

/** D-09: both parts are equal, or one of the names stands in one piece. */
function isSameName(one: Name, other: Name): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.secondary !== '' && b.secondary !== '') return a.primary === b.primary && a.secondary === b.secondary;
  return wholeNames(a).some(whole => wholeNames(b).includes(whole));
}

const partsOf = ({ primaryIdentifier, secondaryIdentifier }: Name) => ({
  primary: foldText(primaryIdentifier),
  secondary: foldText(secondaryIdentifier),
});

const wholeNames = ({ primary, secondary }: ReturnType<typeof partsOf>): string[] =>
  secondary === '' ? [primary] : [`${primary} ${secondary}`, `${secondary} ${primary}`];
