import { CALLBACK_TYPES, CALLBACKS, type CallbackType } from '../../contract/callbacks.ts';
import { DriverAnswer, DriverDescription, DriverRequest } from '../../contract/driver.ts';
import { VASP_API, VaspCallbackAnswer, type VaspOperation } from '../../contract/vasp-api.ts';
import type { Json, Schemas } from './schemas.ts';
import { BALANCE, CALLED, callbackBody, DESCRIPTION, driverOrders } from './vasp-bodies.ts';

/** WIRE-3: the requests that a VASP receives, at the endpoints of its registration. */

const QUESTIONS: Readonly<Record<Exclude<VaspOperation, 'callback'>, { summary: string; description: string }>> = {
  verifyAccount: {
    summary: 'Does this account belong to you, and to the named person if there is one?',
    description:
      'Sent to the beneficiary VASP, at `endpoints.verifyAccount`. The answer is due within one second (WIRE-3.1).',
  },
  verifyUser: {
    summary: 'May this originator pay your customer?',
    description:
      'Sent to the beneficiary VASP, at `endpoints.verifyUser`. The answer is due within five seconds (WIRE-3.2).',
  },
  transactionStatus: {
    summary: 'What is the status of your transaction?',
    description:
      'Sent to the originating VASP, at `endpoints.transactionStatus`. The answer is due within one second (WIRE-3.3).',
  },
};

export const webhooks = (schemas: Schemas): Json => ({
  ...Object.fromEntries(
    (Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]).map(operation => [
      operation,
      { post: { operationId: `vasp-${operation}`, ...question(operation, schemas) } },
    ]),
  ),
  driver: {
    post: { operationId: 'vasp-driver', ...drive(schemas) },
    get: { operationId: 'vasp-driver-description', ...describeDriver(schemas) },
  },
  ...Object.fromEntries(
    CALLBACK_TYPES.map(type => [type, { post: { operationId: `vasp-callback-${type}`, ...callback(type, schemas) } }]),
  ),
});

/** For the address of the registration: a runtime expression can read nothing of it. */
const CALLBACK_URL = 'https://vasp.example/callback';

/** The same callbacks, shown at the operation that causes them. Generators name their code by the id of each. */
export const callbacksOf = (operationId: string, types: readonly CallbackType[] = [], schemas: Schemas): Json =>
  types.length === 0
    ? {}
    : {
        callbacks: Object.fromEntries(
          types.map(type => [
            type,
            { [CALLBACK_URL]: { post: { operationId: `${operationId}-${type}`, ...callback(type, schemas) } } },
          ]),
        ),
      };

function question(operation: keyof typeof QUESTIONS, schemas: Schemas): Json {
  const { request, answer } = VASP_API[operation];
  return {
    tags: [TAG.name],
    ...QUESTIONS[operation],
    security: SECURITY,
    requestBody: { required: true, content: json(schemas.of(request, 'output'), CALLED[operation].request) },
    responses: {
      200: {
        description: 'The answer. D-12 and D-16 describe late, malformed and other answers.',
        content: json(schemas.of(answer, 'input'), CALLED[operation].answer),
      },
    },
  };
}

const drive = (schemas: Schemas): Json => ({
  tags: [TAG.name],
  summary: 'Act: send, report or assess',
  description:
    'Sent by a test run, at the driver endpoint (`endpoints.driver`, or that of the run). Answer at once, then act. Optional: without a driver a person acts.',
  security: SECURITY,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemas.of(DriverRequest, 'output'),
        examples: Object.fromEntries(Object.entries(driverOrders()).map(([action, value]) => [action, { value }])),
      },
    },
  },
  responses: {
    200: { description: 'The action is done, or begins.', content: json(schemas.of(DriverAnswer, 'input'), BALANCE) },
    202: { description: 'The action begins.', content: json(schemas.of(DriverAnswer, 'input'), {}) },
    501: {
      description: 'This VASP cannot do it: `{"code":"NOT-SUPPORTED"}`.',
      content: json(
        schemas.named('DriverRefusal', {
          type: 'object',
          required: ['code'],
          properties: { code: { const: 'NOT-SUPPORTED' }, message: { type: 'string' } },
        }),
        { code: 'NOT-SUPPORTED' },
      ),
    },
  },
});

const describeDriver = (schemas: Schemas): Json => ({
  tags: [TAG.name],
  summary: 'Your actions and customers',
  description: 'Optional. With it a run needs no customers file.',
  security: SECURITY,
  responses: {
    200: { description: 'Actions and customers.', content: json(schemas.of(DriverDescription, 'input'), DESCRIPTION) },
  },
});

/** `TX_REPORT` becomes `TxReport`. */
const inCamelCase = (type: string): string =>
  type.replace(/([A-Z])([A-Z]*)_?/g, (_, first: string, rest: string) => first + rest.toLowerCase());

const callback = (type: CallbackType, schemas: Schemas): Json => ({
  tags: [TAG.name],
  summary: `To the ${CALLBACKS[type].receiver} VASP: ${CALLBACKS[type].trigger}`,
  description: `Sent to \`endpoints.callback\` (WIRE-3.4), and signed once the VASP has a signing secret: \`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`.${CALLBACKS[type].mandatory ? ' Every VASP must handle it.' : ''}`,
  security: SECURITY,
  requestBody: {
    required: true,
    content: json(
      schemas.named(`${inCamelCase(type)}Callback`, {
        type: 'object',
        required: ['callbackType', 'data'],
        properties: { callbackType: { const: type }, data: schemas.of(CALLBACKS[type].data, 'output') },
        additionalProperties: false,
      }),
      callbackBody(type),
    ),
  },
  responses: {
    200: {
      description: 'Received. After another status, or without an answer in time, the callback is sent again (D-13).',
      content: json(schemas.of(VaspCallbackAnswer, 'input'), { result: true }),
    },
    410: { description: 'The delivery ends (D-40).' },
  },
});

export const TAG = {
  name: 'your VASP',
  description: 'The requests that your VASP receives, at the endpoints of its registration.',
};
/** Header and token are those of the registration, if it has any. */
const SECURITY = [{}, { vaspToken: [] }];

const json = (schema: Json, example: object): Json => ({ 'application/json': { schema, example } });
