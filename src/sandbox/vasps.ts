import * as z from 'zod';
import { parse } from '../contract/parse.ts';
import { refusals } from '../contract/refusals.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { named, optional, text, VaspId } from '../contract/text.ts';
import {
  HTTP_ADDRESS,
  HTTP_ADDRESS_PROBLEM,
  TOKEN,
  TOKEN_HEADER,
  TOKEN_HEADER_PROBLEM,
  VaspName,
} from '../contract/vasps.ts';
import type { RegisteredVasp as Stored } from '../enclave/control.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { maskedUrl } from '../kernel/secrets.ts';
import type { SandboxDeps } from './deps.ts';
import { duration, limit, nextPage, readOnFrom, total } from './parameters.ts';

export const vaspEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(vaspCalls.registeredVasps, {
    summary: 'List the registered VASPs',
    run: ({ query }, caller) => listVasps(deps, query, caller),
  }),
  control(vaspCalls.registerVasp, {
    summary: 'Register a VASP, or replace its registration',
    refusals: ['not-found', 'address-not-allowed'],
    run: ({ body, params }, caller) => registerVasp(deps, params.vaspId, body, caller),
  }),
  control(vaspCalls.changeVasp, {
    summary: 'Change a registration; members that are left out stay as they are',
    refusals: ['not-found', 'address-not-allowed'],
    examples: { default: { params: LOCAL_VASP, body: { authorization: { token: 'my-token' } } } },
    run({ body, params: { vaspId } }, caller) {
      const { name, endpoints, authorization, providerKeys } = ownVasp(deps, vaspId, caller);
      const merged = mergePatch({ name, endpoints, authorization, providerKeys }, body);
      return registerVasp(deps, vaspId, parse(VaspRequest, merged), caller);
    },
  }),
];

type Json = { [member: string]: unknown };

/** RFC 7396. */
function mergePatch(target: Json, patch: Json): Json {
  const merged = { ...target };
  for (const [member, value] of Object.entries(patch))
    merged[member] =
      typeof value === 'object' && value !== null
        ? mergePatch((target[member] ?? {}) as Json, value as Json)
        : (value ?? undefined);
  return merged;
}

/**
 * The caller comes first. In hosted mode it is the only one; of the others `/v1/vasps` tells ids and names. A position is
 * the number of VASPs before it: a registration is never removed.
 */
export function listVasps(
  { enclave, isHosted }: SandboxDeps,
  { limit, after = 0 }: z.output<typeof RegisteredVaspsQuery>,
  caller: CallerId,
) {
  const own = enclave.findVasp(caller);
  const end = after + limit;
  const registered = isHosted ? (own ? [own] : []) : enclave.listVasps();
  const others = registered.slice(0, end).filter(({ vaspId }) => vaspId !== caller);
  const first = own ? [own, ...others] : others;
  return {
    vasps: first.slice(after, end).map(presentVasp),
    next: end < registered.length ? String(end) : null,
    total: registered.length,
  };
}

const maskedEndpoints = (endpoints: Stored['endpoints']): Stored['endpoints'] =>
  Object.fromEntries(Object.entries(endpoints).map(([name, url]) => [name, url && maskedUrl(url)]));

/** Never the token, never a key, and no password in an address. */
export const presentVasp = ({ vaspId, name, endpoints, authorization, providerKeys, health }: Stored) => ({
  vaspId,
  name,
  endpoints: maskedEndpoints(endpoints),
  authorization: { header: authorization.header, hasToken: authorization.token !== undefined },
  providerKeys: PROVIDER_KEYS.filter(key => providerKeys?.[key] !== undefined),
  health,
});

const FOREIGN_VASP = 'This is another VASP. Only its own API key may change it.';

/** The registration of the caller. Throws `Refusal` not-found, unauthorized. */
export function ownVasp({ enclave, isHosted }: SandboxDeps, vaspId: string, caller: CallerId): Stored {
  const registered = enclave.findVasp(vaspId);
  if (!registered || (isHosted && vaspId !== caller)) throw refusals.notFound('VASP', vaspId, '/v1/vasps');
  if (vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  return registered;
}

/**
 * Registers a VASP or replaces a registration. Only a VASP itself may replace its own. `apiKey` is only in the answer to the
 * first registration. In hosted mode nobody registers here. Throws `Refusal` invalid-field, unauthorized, not-found,
 * address-not-allowed.
 */
export function registerVasp(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  caller: CallerId,
) {
  if (deps.isHosted && vaspId !== caller) throw refusals.notFound('VASP', vaspId, '/v1/vasps');
  if (!VaspId.safeParse(vaspId).success)
    throw refusals.invalidField('vaspId', 'should be an unsigned 64-bit integer in decimal text');
  const before = deps.enclave.findVasp(vaspId);
  if (before && vaspId !== caller) throw refusals.unauthorized(FOREIGN_VASP);
  const apiKey = before ? undefined : `rv_${deps.random.secret()}`;
  const saved = saveRegistration(deps, vaspId, request, apiKey);
  return {
    ...presentVasp(saved),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(saved.endpoints.clock && !deps.isHosted ? { clocks: deps.clock.moved().slice(0, MAX_CLOCKS) } : {}),
  };
}

const MAX_CLOCKS = 1000;

/** `apiKey`: of a first registration in the local mode. */
export function saveRegistration(
  deps: SandboxDeps,
  vaspId: string,
  request: z.output<typeof VaspRequest>,
  apiKey?: string,
): Stored {
  const before = deps.enclave.findVasp(vaspId);
  const now = deps.clock.now(vaspId);
  const { name, endpoints, authorization = { header: 'Authorization' }, providerKeys = {} } = request;
  const called = unmasked(endpoints, before?.endpoints);
  requireAllowed(deps, called);
  return deps.enclave.saveVasp(
    {
      vaspId,
      name,
      endpoints: called,
      authorization,
      // Without keys of its own it uses the configured ones.
      ...(Object.values(providerKeys).some(key => key !== undefined) ? { providerKeys } : {}),
      isActive: true,
      createdAt: before?.createdAt ?? now,
      updatedAt: Math.max(now, (before?.updatedAt ?? 0) + 1),
    },
    apiKey,
  );
}

/** An address that comes back as it was shown, with its secrets masked, keeps them. */
function unmasked(endpoints: Stored['endpoints'], before: Stored['endpoints'] = {}): Stored['endpoints'] {
  const shown = maskedEndpoints(before);
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, url]) => {
      const endpoint = name as keyof Stored['endpoints'];
      return [name, url !== undefined && url === shown[endpoint] ? before[endpoint] : url];
    }),
  );
}

/** Throws `Refusal` address-not-allowed for the first address that the program does not call. */
export function requireAllowed({ enclave }: SandboxDeps, endpoints: Stored['endpoints']): void {
  for (const [name, url] of Object.entries(endpoints)) {
    const problem = url === undefined ? undefined : enclave.guard.problemOf(url);
    if (problem !== undefined) throw refusals.addressNotAllowed(`endpoints.${name}`, problem);
  }
}

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
    driver: member(address).describe('The endpoint at which a test run tells the VASP to act.'),
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
  name: VaspName,
  endpoints: endpointsOf(optional).default({}),
  authorization: optional(z.object({ header: header.default('Authorization'), token: optional(token) })),
  providerKeys: optional(providerKeysOf(optional)).describe(
    'Keys for the screening providers. They replace the configured ones and are never shown.',
  ),
});

const removable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const VaspPatch = named(
  'VaspPatch',
  'JSON merge patch (RFC 7396): members that are left out stay as they are, null removes.',
  {
    name: VaspName.optional(),
    endpoints: endpointsOf(removable).optional(),
    authorization: z.object({ header: removable(header), token: removable(token) }).optional(),
    providerKeys: removable(providerKeysOf(removable)),
  },
);

export const RegisteredVasp = named('RegisteredVasp', {
  vaspId: VaspId,
  name: z.string(),
  endpoints: endpointsOf(() => z.string().optional()),
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

export const signingEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(signingCalls.rollSigningSecret, {
    summary: 'Get a new signing secret: from now on callbacks to you are signed',
    description:
      'Callbacks carry the headers of [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id`, the same at every attempt, `webhook-timestamp` and `webhook-signature`. During the overlap there is one signature for each active secret.',
    run: ({ body }, caller) => ({ signingSecret: deps.enclave.rollSigningSecret(caller, body.overlap) }),
  }),
];

/** `/signing-secret` */

const MAX_OVERLAP_MS = 7 * 86_400_000;

export const signingCalls = calls({
  rollSigningSecret: {
    body: named('SigningSecretRoll', {
      overlap: duration(MAX_OVERLAP_MS)
        .prefault('24h')
        .describe('Time for which the previous secrets sign too, at most four of them. `0s`: they sign no longer.'),
    }),
    bodyMayBeAbsent: true,
    response: named('SigningSecret', { signingSecret: z.string().describe('Shown once; it is stored encrypted.') }),
  },
});
