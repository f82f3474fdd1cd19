import type { Order } from '../../../src/client/calls.ts';

/** A natural and a legal person that the fixtures do not have. */
export const KIM = {
  kind: 'natural',
  names: { lastName: 'Kim', firstName: 'Minjun' },
  kyc: true,
  behaviour: 'NOT-ALLOWED',
} satisfies Order<'putUser'>;

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
} satisfies Order<'putUser'>;
