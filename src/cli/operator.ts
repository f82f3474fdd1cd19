import type { Client } from '../client/client.ts';
import { visibleJson } from '../kernel/json.ts';
import { operating } from './call.ts';
import { jsonOf, textOf } from './input.ts';

const VASP = { vasp: { value: '<vaspId>', meaning: 'vaspId of the VASP', isRequired: true } } as const;

/** Commands of the operator of a hosted sandbox. */
export const commands = {
  invite: operating({
    summary: 'invites a VASP to a hosted sandbox',
    details: 'The invitation is printed once and works once, at POST /sandbox/v1/registrations.',
    options: {
      name: { value: '<name>', meaning: 'whom you invite', isRequired: true },
      'expires-in': { value: '<duration>', meaning: 'how long the invitation is valid', default: '7d' },
    },
    examples: ['OPERATOR_KEY=… ROBOT_VASP_URL=https://sandbox.example robot-vasp invite --name "Bright Exchange"'],
    async call(api, { values }) {
      const answer = await api.invite({ name: values.name, expiresIn: values['expires-in'] });
      return { lines: [answer.invitation], answer };
    },
  }),

  export: operating({
    summary: 'prints everything that a hosted sandbox has about a VASP',
    details:
      'JSON on standard output, with the persons of its verifications. Keys are not in it; tokens and secrets are encrypted with DATA_KEY. Another cell takes it over by `robot-vasp import`, if the VASP is suspended.',
    options: VASP,
    examples: ['robot-vasp export --vasp 15952089931162060684 > vasp.json'],
    async call(api, { values }) {
      const answer = await api.exportTenant(values.vasp);
      return { lines: [visibleJson(answer)], answer };
    },
  }),

  import: operating({
    summary: 'takes over a VASP of another cell from its export',
    details:
      'The VASP goes on here with its open verifications and its callbacks. Its money and its runs stay in the other cell. The new key is printed once.',
    args: [{ name: '<file>', meaning: 'the output of robot-vasp export' }],
    examples: ['robot-vasp import vasp.json --cell b'],
    async call(api, { args: [file = ''] }) {
      const exported = jsonOf(textOf(file), file) as Parameters<Client['importTenant']>[0];
      const answer = await api.importTenant(exported);
      return { lines: [answer.apiKey], answer };
    },
  }),

  forget: operating({
    summary: 'deletes the data of a VASP of a hosted sandbox for good',
    details:
      'Persons, accounts, endpoints, keys and exchanges are deleted in all files. Amounts stay, so every balance stays. The id stays taken.',
    options: VASP,
    examples: ['robot-vasp forget --vasp 15952089931162060684'],
    async call(api, { values: { vasp: vaspId } }) {
      const answer = await api.forgetTenant(vaspId);
      return { lines: [`VASP ${vaspId} is forgotten`], answer: { ...answer, vaspId } };
    },
  }),
};
