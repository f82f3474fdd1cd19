import * as z from 'zod';
import { named, optional, shownName, text, VaspId } from '../../contract/text.ts';
import { HTTP_ADDRESS, HTTP_ADDRESS_PROBLEM, TOKEN, TOKEN_HEADER, TOKEN_HEADER_PROBLEM } from '../../contract/vasps.ts';
import { calls } from '../../http/endpoint.ts';
import { limit, nextPage, readOnFrom, total } from '../parameters.ts';

/** `/vasps` */

const address = z
  .string()
  .max(2048)
  .regex(HTTP_ADDRESS, { error: HTTP_ADDRESS_PROBLEM })
  .meta({
    id: 'HttpAddress',
    description: 'A full http or https address.',
    examples: ['https://vasp.example/callback'],
  });
const header = z.string().regex(TOKEN_HEADER, { error: TOKEN_HEADER_PROBLEM });
const token = z.string().max(4096).regex(TOKEN, { error: 'should be printable ASCII' });
export const PROVIDER_KEYS = ['sanctionApiKey', 'kytApiKey', 'wcoApiKey', 'wcoGroupId'] as const;

/** Both groups of members; `member` makes each one optional or removable. */
const endpointsOf = <T extends z.ZodType>(member: (schema: typeof address) => T) =>
  z.object({
    verifyUser: member(address),
    verifyAccount: member(address),
    transactionStatus: member(address),
    callback: member(address),
    driver: member(address).describe('The address at which a conformance plan tells the VASP to act.'),
    clock: member(address).describe('Of a robot that has joined: where this enclave moves its clock.'),
  });
const providerKeysOf = <T extends z.ZodType>(member: (schema: z.ZodString) => T) =>
  z.object({
    sanctionApiKey: member(text(256)),
    kytApiKey: member(text(256)),
    wcoApiKey: member(text(256)),
    wcoGroupId: member(text(256)),
  });

export const VaspRequest = named('VaspRequest', 'Registers a VASP or replaces its registration.', {
  name: shownName(256),
  endpoints: endpointsOf(optional).default({}),
  authorization: optional(z.object({ header: header.default('Authorization'), token: optional(token) })),
  providerKeys: optional(providerKeysOf(optional)).describe(
    'Keys for the screening providers. They replace the configured ones and are never shown.',
  ),
});

const removable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
export const VaspPatch = named(
  'VaspPatch',
  'JSON merge patch (RFC 7396): members that are left out stay as they are, null removes.',
  {
    name: shownName(256).optional(),
    endpoints: endpointsOf(removable).optional(),
    authorization: z.object({ header: removable(header), token: removable(token) }).optional(),
    providerKeys: removable(providerKeysOf(removable)),
  },
);

export const RegisteredVasp = named('RegisteredVasp', {
  vaspId: VaspId,
  name: z.string(),
  endpoints: z.object({
    verifyUser: z.string().optional(),
    verifyAccount: z.string().optional(),
    transactionStatus: z.string().optional(),
    callback: z.string().optional(),
    driver: z.string().optional(),
    clock: z.string().optional(),
  }),
  authorization: z.object({ header: z.string(), hasToken: z.boolean() }),
  providerKeys: z.array(z.enum(PROVIDER_KEYS)).describe('Names of the keys that are set.'),
  health: z.enum(['UP', 'DOWN']),
  apiKey: z
    .string()
    .optional()
    .describe('Shown once, in the answer to the first registration; only its hash is stored.'),
  clocks: z
    .array(z.object({ owner: VaspId, aheadMs: z.number().int() }))
    .optional()
    .describe('For a robot that joins: the VASPs that have moved their time. At most 1000.'),
});
export const RegisteredVaspsQuery = named('RegisteredVaspsQuery', { limit, after: readOnFrom });
export const VaspsResponse = named('RegisteredVasps', {
  vasps: z.array(RegisteredVasp).describe('The calling VASP comes first.'),
  next: nextPage('after'),
  total,
});

/** For examples: the tested VASP of the local mode, with the id of the default configuration. */
export const LOCAL_VASP = { vaspId: '15952089931162058999' };

export const vaspCalls = calls({
  registeredVasps: { query: RegisteredVaspsQuery, response: VaspsResponse },
  registerVasp: { body: VaspRequest, response: RegisteredVasp },
  changeVasp: { body: VaspPatch, response: RegisteredVasp },
});
