import { REQUIRED_INFO_CODES } from '../../../src/contract/required-info.ts';
import { addressOf, BORN, legal, natural } from './judge-request.ts';

import { blankName, bornOn, company, PABLO, type Row } from './reason-rows.ts';

export const USER_ONLY: Row[] = [
  ['REF-4.6: name and account number are given', { requiredInfo: 'NATURAL_PERSON_NAME, ACCOUNT_NUMBER' }, 'OK'],
  ...REQUIRED_INFO_CODES.filter(code => code !== 'ACCOUNT_NUMBER' && code !== 'NATURAL_PERSON_NAME').map(
    (code): Row => [
      `REF-4.6: a natural person and ${code}`,
      { requiredInfo: `NATURAL_PERSON_NAME,${code},ACCOUNT_NUMBER` },
      'UNAVAILABLE-INFORMATION',
      code,
    ],
  ),
  ...REQUIRED_INFO_CODES.map(
    (code): Row =>
      ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'].includes(code)
        ? [`D-10: a legal person and ${code}`, { user: 'garrit-studio', requiredInfo: `ACCOUNT_NUMBER,${code}` }, 'OK']
        : [
            `D-10: a legal person and ${code}`,
            { user: 'garrit-studio', requiredInfo: `ACCOUNT_NUMBER,${code}` },
            'UNAVAILABLE-INFORMATION',
            code,
          ],
  ),
  [
    'REF-4.6: codes that are unavailable or unknown, in their order',
    { requiredInfo: 'FAVOURITE_COLOUR,NATURAL_PERSON_NAME,NATURAL_PERSON_NATIONALITY,ACCOUNT_NUMBER' },
    'UNAVAILABLE-INFORMATION',
    'FAVOURITE_COLOUR,NATURAL_PERSON_NATIONALITY',
  ],
  [
    'REF-4.6.8: no date and place of birth',
    { originator: [natural('Barnes', 'Robert')] },
    'LACK-OF-INFORMATION',
    'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  ],
  [
    'REF-4.6.8: a date, but no place of birth',
    {
      originator: [
        natural('Barnes', 'Robert', { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: ' ' } }),
      ],
    },
    'LACK-OF-INFORMATION',
    'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  ],
  [
    'REF-4.6.8: a place, but no date of birth',
    { originator: [natural('Barnes', 'Robert', { dateAndPlaceOfBirth: { placeOfBirth: 'Seoul' } })] },
    'LACK-OF-INFORMATION',
    'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  ],
  ['REF-4.6.8: no name', { originator: [{ naturalPerson: BORN }] }, 'LACK-OF-INFORMATION', 'NATURAL_PERSON_NAME'],
  ['REF-4.6.8: an empty name', { originator: [blankName('')] }, 'LACK-OF-INFORMATION', 'NATURAL_PERSON_NAME'],
  ['REF-4.6.8: a blank name', { originator: [blankName(' \t')] }, 'LACK-OF-INFORMATION', 'NATURAL_PERSON_NAME'],
  ['REF-4.6.8: a null name', { originator: [blankName(null)] }, 'LACK-OF-INFORMATION', 'NATURAL_PERSON_NAME'],
  [
    'REF-4.6.8: neither name nor birth',
    { originator: [{ naturalPerson: {} }] },
    'LACK-OF-INFORMATION',
    'NATURAL_PERSON_NAME,NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  ],
  [
    'REF-4.6.8: nobody at all',
    { originator: [] },
    'LACK-OF-INFORMATION',
    'NATURAL_PERSON_NAME,NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  ],
  ...['1990-02-30', '1990-2-28', '28.02.1990', '1990', '2026-07-16', '2190-02-28'].map(
    (dateOfBirth): Row => [
      `D-28: born on ${dateOfBirth}, judged on 2026-07-15`,
      { originator: [bornOn(dateOfBirth)] },
      'LACK-OF-INFORMATION',
      'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
    ],
  ),
  ...['2024-02-29', '2026-07-15', '1899-12-31'].map(
    (dateOfBirth): Row => [`D-28: born on ${dateOfBirth}`, { originator: [bornOn(dateOfBirth)] }, 'OK'],
  ),
  [
    'D-28: a company, the representative born on 1990-02-30',
    { originator: company(bornOn('1990-02-30')) },
    'LACK-OF-INFORMATION',
    'CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH',
  ],
  ['D-10: a company with a complete representative', { originator: company(natural('Vega', 'Ana', BORN)) }, 'OK'],
  [
    'D-10: a company, the second representative is complete',
    { originator: company(natural('Vega', 'Ana'), natural('Ruiz', 'Leo', BORN)) },
    'OK',
  ],
  [
    'D-10: a company without a representative',
    { originator: company() },
    'LACK-OF-INFORMATION',
    'CORPORATE_REPRESENTATIVE_NAME,CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH',
  ],
  [
    'D-10: a company, the representative without birth',
    { originator: company(natural('Vega', 'Ana')) },
    'LACK-OF-INFORMATION',
    'CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH',
  ],
  [
    'D-10: a company, the representative without name',
    { originator: company({ naturalPerson: BORN }) },
    'LACK-OF-INFORMATION',
    'CORPORATE_REPRESENTATIVE_NAME',
  ],
  [
    'D-10: a company without its name',
    { originator: [legal(' '), natural('Vega', 'Ana', BORN)] },
    'LACK-OF-INFORMATION',
    'LEGAL_PERSON_NAME',
  ],
  [
    'D-10: a company that lacks everything',
    { originator: [{ legalPerson: {} }] },
    'LACK-OF-INFORMATION',
    'LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH',
  ],
  ['REF-4.6.9: Pablo Escobar', { originator: [natural('Escobar', 'Pablo', PABLO)] }, 'BLACKLISTED'],
  [
    'D-11: Pablo Escobar born elsewhere',
    {
      originator: [
        natural('ESCOBAR', 'pablo', { dateAndPlaceOfBirth: { dateOfBirth: '1949-12-01', placeOfBirth: 'Rionegro' } }),
      ],
    },
    'BLACKLISTED',
  ],
  ['D-11: another Pablo Escobar, born on another day', { originator: [natural('Escobar', 'Pablo', BORN)] }, 'OK'],
  ['D-11: another Escobar, born on that day', { originator: [natural('Escobar', 'Maria', PABLO)] }, 'OK'],
  [
    'D-11: as the representative of a company',
    { originator: company(natural('Escobar', 'Pablo', PABLO)) },
    'BLACKLISTED',
  ],
  [
    'D-11: as a second representative, without birth data',
    { originator: company(natural('Vega', 'Ana', BORN), natural('Escobar', 'Pablo')) },
    'BLACKLISTED',
  ],
  ['PROD-5: NOT-ALLOWED', { user: 'not-allowed' }, 'NOT-ALLOWED', 'This user accepts no transfers.'],
  ['PROD-5: UNDEFINED-ERROR', { user: 'undefined-error' }, 'UNDEFINED-ERROR', 'Simulated failure of the robot.'],
  ['PROD-5: UNKNOWN', { user: 'unknown-wallet' }, 'UNKNOWN-ADDRESS', addressOf('unknown-wallet'), 'UNKNOWN'],
  ...[
    'never-answers',
    'answers-late',
    'answers-slowly',
    'changes-account-number',
    'transfer-pending',
    'transfer-canceled',
    'sanctioned-address',
  ].map((user): Row => [`PROD-5: the judgement of ${user} is`, { user }, 'OK']),
];
