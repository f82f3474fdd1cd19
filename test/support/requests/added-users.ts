import type { UserChange } from '../../../src/client/orders.ts';

/** A natural and a legal person that the fixtures do not have. */
export const KIM = {
  kind: 'natural',
  names: { lastName: 'Kim', firstName: 'Minjun' },
  kyc: true,
  behaviour: 'NOT-ALLOWED',
} satisfies UserChange;

export const HARBOUR = {
  kind: 'legal',
  names: {
    legalName: 'Harbour Freight',
    representatives: [
      { lastName: 'Ito', firstName: 'Aya' },
      { lastName: 'Berg', firstName: 'Nils' },
    ],
  },
  kyc: false,
  behaviour: 'ORDINARY',
} satisfies UserChange;
