import {
  COMMON_ERRORS,
  ErrorBody,
  OPERATIONS,
  type RefusalKind,
  STOPPING,
  STORAGE_UNAVAILABLE,
  wireError,
} from '../../contract/errors.ts';
import { missingCode } from '../../contract/missing-code.ts';
import { type Refusal, refusals } from '../../contract/refusals.ts';
import type { Endpoint } from '../endpoint.ts';
import { EXAMPLE_REFUSALS } from './example-refusals.ts';
import type { Json, Schemas } from './schemas.ts';

/** REF-7: one response per status, with one example for each of its codes. All have one schema: clients get one type. */
export function errorResponses(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Json {
  const byStatus: Record<number, Messages> = {
    503: { [STORAGE_UNAVAILABLE.code]: STORAGE_UNAVAILABLE.message, [STOPPING.code]: STOPPING.message },
  };
  for (const refusal of refusalsOf(endpoint, schemas, isHosted)) {
    const { status, code, message } = wireError(endpoint.operation, refusal);
    byStatus[status] = { ...byStatus[status], [code]: byStatus[status]?.[code] ?? message };
  }
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, errorResponse(codes, schemas)]));
}

type Messages = Record<string, string>;

function errorResponse(messages: Messages, schemas: Schemas): Json {
  const codes = Object.keys(messages);
  const schema = schemas.of(ErrorBody, 'output');
  const examples = Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { value: { code, message } }]),
  );
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    content: { 'application/json': { schema, examples } },
  };
}

const OF_HOSTED = ['forbidden', 'suspended', 'rate-limited', 'quota-exceeded'] as const;

function refusalsOf(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Refusal[] {
  const { operation, method, body, query, path } = endpoint;
  const own = endpoint.refusals ?? (Object.keys(OPERATIONS[operation]) as RefusalKind[]);
  const possible = { ...COMMON_ERRORS } as Partial<Record<RefusalKind, unknown>>;
  for (const kind of ['missing-field', 'unknown-path', 'wrong-method'] as const) delete possible[kind];
  if (!isHosted) for (const kind of OF_HOSTED) delete possible[kind];
  if (!body)
    for (const kind of ['not-json', 'not-object', 'too-large', 'unsupported-media'] as const) delete possible[kind];
  if (method === 'GET') delete possible['foreign-origin'];
  if (!body && !query && !path.includes(':')) delete possible['invalid-field'];
  const common = Object.keys(possible) as RefusalKind[];
  return [...missingFields(endpoint, schemas), ...[...common, ...own].map(kind => EXAMPLE_REFUSALS[kind])];
}

/** D-05: every required field has its own code. */
function missingFields(endpoint: Endpoint, schemas: Schemas): Refusal[] {
  const { operation, body, query, conditionallyRequired: requiredAtTimes = [] } = endpoint;
  const always = [body, query].flatMap(schema =>
    schema ? requiredFields(schemas.of(schema, 'input'), '', schemas) : [],
  );
  const fields = [...always, ...requiredAtTimes];
  const byCode = new Map(fields.map(field => [missingCode(operation, field), field] as const).reverse());
  return [...byCode.values()].reverse().map(field => refusals.missingField(field));
}

/** Dotted paths, at any depth. */
function requiredFields(schema: Json, path: string, schemas: Schemas, depth = 0): string[] {
  if (depth > 12) return [];
  const { properties = {}, required = [], items, anyOf, allOf, oneOf } = schemas.resolved(schema);
  const inside = Object.entries(properties as Record<string, Json>).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = (required as string[]).includes(name);
    return [...(isRequired ? [at] : []), ...requiredFields(member, at, schemas, depth + 1)];
  });
  const others = [...((anyOf ?? allOf ?? oneOf ?? []) as Json[]), ...(items ? [items as Json] : [])];
  return [...inside, ...others.flatMap(each => requiredFields(each, path, schemas, depth + 1))];
}
