import * as z from 'zod';
import { checkPayload, fromJsonText, MAX_PROBLEMS } from '../contract/ivms101-check/check.ts';
import { DIALECTS } from '../contract/ivms101-check/dialects.ts';
import { Ivms101Problem } from '../contract/ivms101-check/problem.ts';
import { MAX_ELEMENTS } from '../contract/parse.ts';
import { named } from '../contract/text.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import type { SandboxDeps } from './deps.ts';

export const ivms101Endpoints = (deps: SandboxDeps): Endpoint[] => [
  control(ivms101Calls.checkIvms101, {
    summary: 'Check IVMS101 against the standard of 2020, clause by clause',
    run: ({ body }, caller) => {
      const { dialect, problems } = checkPayload(body.payload, deps.clock.now(caller));
      return { dialect, problems: [...problems] };
    },
  }),
];

const EXAMPLE = {
  originator: {
    originatorPersons: [
      {
        naturalPerson: {
          name: {
            nameIdentifier: [{ primaryIdentifier: 'Kim', secondaryIdentifier: 'Minji', nameIdentifierType: 'LEGL' }],
          },
          countryOfResidence: 'UK',
        },
      },
    ],
    accountNumber: ['0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c'],
  },
};

const Ivms101CheckRequest = named('Ivms101CheckRequest', 'IVMS101 to check. Nothing is stored or sent.', {
  payload: z
    .unknown()
    // Of a union with a list, or of a list of types, generators of clients make what does not compile.
    .meta({
      not: { type: 'null' },
      description:
        'Anything that holds IVMS101: a request, its `payload`, its `ivms101`, an originator, a beneficiary, a person, or one of them as JSON text.',
      examples: [EXAMPLE],
    })
    .transform(fromJsonText)
    .pipe(
      z.union([z.looseObject({}), z.array(z.looseObject({})).max(MAX_ELEMENTS)], {
        error: 'should be an object, a list of persons, or the JSON text of one of them',
      }),
    ),
});

const Ivms101CheckResponse = named('Ivms101CheckResponse', 'What IVMS101 (2020) says of the payload.', {
  dialect: z
    .enum(DIALECTS)
    .describe('How the payload is written. The network keeps the names of 2020, so any other one is a problem.'),
  problems: z
    .array(Ivms101Problem)
    .describe(`At most ${MAX_PROBLEMS} of them; none: the payload follows the standard.`),
});

export const ivms101Calls = calls({ checkIvms101: { body: Ivms101CheckRequest, response: Ivms101CheckResponse } });
