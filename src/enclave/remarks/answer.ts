import { checkAnswer } from '../../contract/ivms101-check/check-payload.ts';
import { isRequiredInfoCode, parseRequiredInfo } from '../../contract/required-info.ts';
import { unrequestedPaths } from '../../contract/unrequested.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';
import { missingInformation, otherNames } from '../../contract/verified-answer.ts';
import type { RemarkFinding } from '../../remarks/store.ts';
import type { Verification } from '../verification/store.ts';
import { flawFindings } from './ivms101-flaws.ts';
import { nameTypeFindings } from './name-types.ts';

const BENEFICIARY = 'ivms101.beneficiary';
const ROOT = `${BENEFICIARY}.beneficiaryPersons`;

type Asked = Pick<Verification, 'requiredBeneficiaryInfo' | 'ivms101Beneficiary' | 'createdAt'>;

/** D-27: what is wrong with a VERIFIED answer although it counts. */
export function answerFindings(asked: Asked, answered: AnsweredBeneficiary): RemarkFinding[] {
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
    ...flawFindings(checkAnswer(answered, BENEFICIARY, asked.createdAt).flaws),
    ...unrequestedPaths(persons, codes).map(path => ({
      code: 'INFORMATION-NOT-REQUESTED' as const,
      field: `${ROOT}${path}`,
      expected: `only ${codes.join(', ')}`,
      got: 'more than that',
    })),
  ];
}
