import type { AssetInfo } from '../../contract/assets.ts';
import { missingInformation, otherNames } from '../../contract/callbacks.ts';
import { LEGAL_NAME_TYPES, NAME_LISTS, NATURAL_NAME_TYPES, type Persons } from '../../contract/ivms101.ts';
import { checkAnswer, checkPayload } from '../../contract/ivms101-check/check.ts';
import type { Ivms101Problem } from '../../contract/ivms101-check/problem.ts';
import { unrequestedPaths } from '../../contract/requested-data.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { isRequiredInfoCode, parseRequiredInfo } from '../../contract/required-info.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';
import type { Tx } from '../../db/transaction.ts';
import { addFinding, type NewFinding } from '../../findings/store.ts';
import { isAtLeast } from '../../kernel/decimal.ts';
import type { Verification } from '../verification/store.ts';

/** D-27: name types that IVMS101 does not know. `root`: the path of the list. */
function nameTypeFindings(persons: Persons, root: string): NewFinding[] {
  const findings: NewFinding[] = [];
  const look = (type: string | null | undefined, known: readonly string[], index: number, path: string) => {
    if (type === null || type === undefined || known.includes(type.trim().toUpperCase())) return;
    const field = `${root}[${index}].${path}`;
    findings.push({ code: 'UNKNOWN-NAME-TYPE', field, expected: known.join(', '), got: type });
  };
  for (const [index, { naturalPerson, legalPerson }] of persons.entries())
    for (const list of NAME_LISTS) {
      naturalPerson?.name?.[list]?.forEach(({ nameIdentifierType: type }, i) => {
        look(type, NATURAL_NAME_TYPES, index, `naturalPerson.name.${list}[${i}].nameIdentifierType`);
      });
      legalPerson?.name?.[list]?.forEach(({ legalPersonNameIdentifierType: type }, i) => {
        look(type, LEGAL_NAME_TYPES, index, `legalPerson.name.${list}[${i}].legalPersonNameIdentifierType`);
      });
    }
  return findings;
}

/** A message may be wrong everywhere, and a few findings say what kind of mistake it is. */
const MAX_FINDINGS = 10;
/** `nameTypeFindings` tells these with the type that came. */
const NAME_TYPES = ['NaturalPersonNameTypeCode', 'LegalPersonNameTypeCode'];

/** D-27: what IVMS101 forbids. */
const problemFindings = (problems: readonly Ivms101Problem[]): NewFinding[] =>
  problems
    .filter(({ severity, clause }) => severity === 'FAILURE' && !NAME_TYPES.includes(clause))
    .slice(0, MAX_FINDINGS)
    .map(({ path, clause, text, wanted }) => ({
      code: 'IVMS101-PROBLEM',
      field: path,
      expected: wanted,
      got: `${text} (IVMS101 ${clause})`,
    }));

/** Decimal text by currency: from this price on a transfer exceeds the threshold. */
export type Thresholds = Readonly<Record<string, string>>;

/** D-27: what is wrong with the request of an originating VASP although it is served. `now`: its time. */
export const requestFindings = (
  { assetInfo, payload: { ivms101 } }: VerifyUserRequest,
  thresholds: Thresholds,
  now: number,
): NewFinding[] => [
  ...nameTypeFindings(ivms101.originator.originatorPersons, 'ivms101.originator.originatorPersons'),
  ...nameTypeFindings(ivms101.beneficiary.beneficiaryPersons, 'ivms101.beneficiary.beneficiaryPersons'),
  ...problemFindings(checkPayload({ ivms101 }, now).problems),
  ...thresholdFindings(assetInfo, thresholds),
];

/** REF-2.2: the price decides. A currency without a threshold is not checked. */
function thresholdFindings(
  { isExceedingThreshold, tradePrice, tradeCurrency }: AssetInfo,
  thresholds: Thresholds,
): NewFinding[] {
  const currency = tradeCurrency.toUpperCase();
  const threshold = Object.hasOwn(thresholds, currency) ? thresholds[currency]! : undefined;
  if (threshold === undefined) return [];
  const isExceeding = isAtLeast(tradePrice, threshold);
  if (isExceeding === isExceedingThreshold) return [];
  const price = `${tradePrice} ${currency} is ${isExceeding ? 'not less' : 'less'} than ${threshold} ${currency}`;
  return [
    {
      code: 'THRESHOLD-WRONG',
      field: 'assetInfo.isExceedingThreshold',
      expected: `${isExceeding}: ${price}`,
      got: String(isExceedingThreshold),
    },
  ];
}

const BENEFICIARY = 'ivms101.beneficiary';
const ROOT = `${BENEFICIARY}.beneficiaryPersons`;

type Asked = Pick<Verification, 'requiredBeneficiaryInfo' | 'ivms101Beneficiary' | 'createdAt'>;

/** D-27: what is wrong with a VERIFIED answer although it counts. */
export function answerFindings(asked: Asked, answered: AnsweredBeneficiary): NewFinding[] {
  const persons = answered.beneficiaryPersons ?? [];
  const codes = parseRequiredInfo(asked.requiredBeneficiaryInfo).filter(isRequiredInfoCode);
  return [
    ...missingInformation(persons, codes).map(({ code, field }) => ({
      code: 'INFORMATION-MISSING' as const,
      field: `${BENEFICIARY}.${field}`,
      expected: code,
      got: null,
    })),
    ...otherNames(asked.ivms101Beneficiary.beneficiaryPersons, persons).map(({ field, ...names }) => ({
      code: 'NAME-DIFFERS' as const,
      field: `${BENEFICIARY}.${field}`,
      ...names,
    })),
    ...nameTypeFindings(persons, ROOT),
    ...problemFindings(checkAnswer(answered, BENEFICIARY, asked.createdAt).problems),
    ...unrequestedPaths(persons, codes).map(path => ({
      code: 'INFORMATION-NOT-REQUESTED' as const,
      field: `${ROOT}${path}`,
      expected: `only ${codes.join(', ')}`,
      got: 'more than that',
    })),
  ];
}

/** D-27: the conduct of the robot is no subject of findings. */
export function addFindings(
  { residentVaspId }: { residentVaspId: string },
  tx: Tx,
  of: { verificationUuid: string; vaspId: string; at: number },
  findings: () => readonly NewFinding[],
): void {
  if (of.vaspId === residentVaspId) return;
  for (const finding of findings()) addFinding(tx, { ...of, ...finding });
}
