import type { Owner } from './judge.ts';

/** The customers of the independent VASP. */
export const PEOPLE: Omit<Owner, 'accounts'>[] = [
  {
    id: 'jane',
    kind: 'natural',
    names: { lastName: 'Doering', firstName: 'Jane' },
    dateOfBirth: '1981-03-09',
    placeOfBirth: 'Graz',
    kyc: true,
  },
  {
    id: 'acme',
    kind: 'legal',
    names: {
      legalName: 'Acme Stone Ltd',
      representatives: [
        { lastName: 'Ferrari', firstName: 'Ugo' },
        { lastName: 'Bright', firstName: 'Ada' },
      ],
    },
    dateOfBirth: '1970-12-30',
    placeOfBirth: 'Turin',
    kyc: true,
  },
  {
    id: 'fresh',
    kind: 'natural',
    names: { lastName: 'Nkemelu', firstName: 'Ife' },
    dateOfBirth: '2001-01-17',
    placeOfBirth: 'Enugu',
    kyc: false,
  },
  {
    id: 'hangul',
    kind: 'natural',
    names: { lastName: '박', firstName: '서연' },
    dateOfBirth: '1993-10-21',
    placeOfBirth: '대구',
    kyc: true,
  },
  {
    id: 'one-name',
    kind: 'natural',
    names: { lastName: 'Suharti' },
    dateOfBirth: '1979-06-05',
    placeOfBirth: 'Solo',
    kyc: true,
  },
] as Omit<Owner, 'accounts'>[];
