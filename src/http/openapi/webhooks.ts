import { CALLBACK_TYPES, CALLBACKS, type CallbackType } from '../../contract/callbacks.ts';
import { VASP_API, VaspCallbackAnswer, type VaspOperation } from '../../contract/vasp-api.ts';
import type { Json, Schemas } from './schemas.ts';

/** WIRE-3: what we call at the tested VASP, at the addresses of its registration. */

const ASKED: Readonly<Record<Exclude<VaspOperation, 'callback'>, { summary: string; description: string }>> =
  {
    verifyAccount: {
      summary: 'Is this account yours, and of that name if one is given?',
      description:
        'To the beneficiary VASP, at `endpoints.verifyAccount`; it answers within a second (WIRE-3.1).',
    },
    verifyUser: {
      summary: 'May this originator pay that beneficiary of yours?',
      description:
        'To the beneficiary VASP, at `endpoints.verifyUser`; it answers within five seconds (WIRE-3.2).',
    },
    transactionStatus: {
      summary: 'Where does your transaction stand?',
      description:
        'To the originating VASP, at `endpoints.transactionStatus`; it answers within a second (WIRE-3.3).',
    },
  };

export const webhooks = (schemas: Schemas): Json => ({
  ...Object.fromEntries(
    (Object.keys(ASKED) as (keyof typeof ASKED)[]).map(operation => [
      operation,
      { post: question(operation, schemas) },
    ]),
  ),
  ...Object.fromEntries(CALLBACK_TYPES.map(type => [type, { post: callback(type, schemas) }])),
});

/** The same callbacks, at the operations that cause them. */
export const callbacksOf = (causes: readonly CallbackType[] = [], schemas: Schemas): Json =>
  causes.length === 0
    ? {}
    : {
        callbacks: Object.fromEntries(
          causes.map(type => [type, { '{endpoints.callback}': { post: callback(type, schemas) } }]),
        ),
      };

function question(operation: keyof typeof ASKED, schemas: Schemas): Json {
  const { request, answer } = VASP_API[operation];
  return {
    tags: [TAG.name],
    ...ASKED[operation],
    security: SECURITY,
    requestBody: { required: true, content: json(schemas.of(request, 'output')) },
    responses: {
      200: {
        description: 'The answer. Too late, another status or another form: D-12, D-16.',
        content: json(schemas.of(answer, 'input')),
      },
    },
  };
}

const callback = (type: CallbackType, schemas: Schemas): Json => ({
  tags: [TAG.name],
  summary: `To the ${CALLBACKS[type].receiver} VASP: ${CALLBACKS[type].trigger}`,
  description: `At \`endpoints.callback\` (WIRE-3.4).${CALLBACKS[type].mandatory ? ' Every VASP has to handle it.' : ''}`,
  security: SECURITY,
  requestBody: {
    required: true,
    content: json({
      type: 'object',
      required: ['callbackType', 'data'],
      properties: { callbackType: { const: type }, data: schemas.of(CALLBACKS[type].data, 'output') },
      additionalProperties: false,
    }),
  },
  responses: {
    200: {
      description: 'Taken. Any other status, or none in time: sent again (D-13).',
      content: json(schemas.of(VaspCallbackAnswer, 'input')),
    },
  },
});

export const TAG = {
  name: 'your VASP',
  description: 'What it has to answer: the addresses of its registration.',
};
/** With the header and the token of the registration, where it names one. */
const SECURITY = [{}, { ofTheVasp: [] }];

const json = (schema: Json): Json => ({ 'application/json': { schema } });
