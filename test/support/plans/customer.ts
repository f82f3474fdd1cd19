import type { Customers } from '../../../src/contract/customers.ts';

/** One natural person with an account for ETH. */
export const CUSTOMERS: Customers = {
  customers: [
    {
      id: 'main',
      kind: 'natural',
      names: { lastName: 'Barnes', firstName: 'Robert' },
      dateOfBirth: '1990-02-28',
      placeOfBirth: 'Seoul',
      accounts: { ETH: '0x5811001506550d8356a215be229c15b6ef371a9b' },
      kyc: true,
    },
  ],
};
