import type { Person } from '../../contract/ivms101.ts';

/** A VASP as an IVMS101 person. */
export const vaspPerson = (name: string): Person => ({
  legalPerson: {
    name: { nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' }] },
  },
});
