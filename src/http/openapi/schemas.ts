import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import type { CALLS } from '../../contract/calls.ts';
import { takesNull, VASP_ID } from '../../contract/text.ts';

export type Json = { [member: string]: unknown };
/** `input`: a value that we receive. `output`: a value that we send. */
type Io = 'input' | 'output';

export type Schemas = ReturnType<typeof collectSchemas>;

const REFERENCE = '#/components/schemas/';

/** A schema with an id appears once under `components`, or twice when its input and output forms differ. */
export function collectSchemas() {
  /** The content of `components.schemas`. */
  const all: Record<string, Json> = {};
  const firstForms = new Map<string, Json>();
  const converted = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };

  /** A reference into `all` when the schema has an id, otherwise the schema itself. */
  function of(schema: z.ZodType, io: Io): Json {
    const done = converted[io].get(schema) ?? convert(schema, io);
    converted[io].set(schema, done);
    return done;
  }

  function convert(schema: z.ZodType, io: Io): Json {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: asSent(io) }) as Json;
    const inside = $defs as Record<string, Json>;
    const names = new Map(Object.entries(inside).map(([id, def]) => [id, nameFor(id, def)]));
    for (const [id, name] of names) all[name] = withReferences(inside[id]!, names);
    return withReferences(rest, names);
  }

  function nameFor(id: string, schema: Json): string {
    const form = withReferences(schema, new Map());
    const first = firstForms.get(id) ?? form;
    firstForms.set(id, first);
    return isDeepStrictEqual(first, form) ? id : `${id}Output`;
  }

  /** The schema that a reference points to, or the schema itself. */
  function resolved(schema: Json): Json {
    const { $ref } = schema;
    return typeof $ref === 'string' ? resolved(all[$ref.slice(REFERENCE.length)]!) : schema;
  }

  /** Adds a schema under this name. Returns a reference to it. */
  function named(name: string, schema: Json): Json {
    all[name] = schema;
    return { $ref: REFERENCE + name };
  }

  return { all, of, named, resolved };
}

/** The id is the name under `components`, not a member of the schema; null is shown where it may be sent. */
function asSent(io: Io) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void => {
    delete jsonSchema.id;
    if (io === 'input' && takesNull.get(zodSchema) && !isNullable(jsonSchema)) allowNull(jsonSchema);
    writeNullAsType(jsonSchema);
    // A Python class of openapi-generator with a pattern beside this format cannot be imported.
    if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
    // It writes every constant as text, also one of another type: Java and Kotlin do not compile it.
    const { const: only } = jsonSchema;
    if (typeof only === 'number' || typeof only === 'boolean') {
      delete jsonSchema.const;
      jsonSchema.description ??= `Always ${only}.`;
    }
  };
}

const isNullable = ({ anyOf, type }: Json): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (Array.isArray(anyOf) && anyOf.some((each: Json) => each.type === 'null'));

/**
 * `type: [string, null]` where possible: many generators make a class of `anyOf`. openapi-typescript requires a member that
 * has a default beside its type.
 */
function writeNullAsType(schema: Json): void {
  const [one, other, ...more] = (schema.anyOf ?? []) as Json[];
  if (other?.type !== 'null' || more.length > 0 || typeof one?.type !== 'string') return;
  if (one.enum || one.default !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...one, ...schema, type: [one.type, 'null'] });
}

function allowNull(schema: Json): void {
  const { description, ...rest } = schema;
  for (const member of Object.keys(rest)) delete schema[member];
  schema.anyOf = [rest, { type: 'null' }];
}

/** The form without null: nobody can send it in a query. */
export function notNull(schema: Json): Json {
  if (!isNullable(schema)) return schema;
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, type: type[0] };
  return { ...(anyOf as Json[]).find(({ type }) => type !== 'null'), ...rest };
}

/** The same schema, with references into `components`. */
const withReferences = (schema: Json, names: ReadonlyMap<string, string>): Json =>
  JSON.parse(
    JSON.stringify(schema).replace(
      /"\$ref":"#\/\$defs\/([^"]+)"/g,
      (_, id: string) => `"$ref":"${REFERENCE}${names.get(id) ?? id}"`,
    ),
  );

interface ParameterRow {
  readonly description: string;
  readonly example: string;
  /** Members of its JSON schema. */
  readonly shape: Readonly<Record<string, unknown>>;
}

/** Nothing has a longer name. */
const LONGEST = { maxLength: 128 };

/** A path parameter means the same in every path. One that is missing here does not compile. */
export const PATH_PARAMETERS = {
  uuid: { description: 'Verification request ID.', example: '8557f2b2-985e-431f-8d52-75c2e5a01e46', shape: LONGEST },
  vaspId: { description: 'Identifier of a VASP.', example: '15952089931162060684', shape: { pattern: VASP_ID.source } },
  id: { description: 'Identifier, as the list shows it.', example: '1', shape: LONGEST },
  userId: {
    description: 'Identifier of a user of the robot.',
    example: 'ethan-cook',
    shape: { maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  },
  symbol: { description: 'ETH or XRP.', example: 'ETH', shape: { enum: ASSET_SYMBOLS } },
  request: { description: 'The operation that the request is for.', example: 'verify-user', shape: LONGEST },
  control: { description: 'The action on the chain.', example: 'mine', shape: LONGEST },
} as const satisfies Record<PathParameter, ParameterRow>;

type PathParameter = ParametersIn<(typeof CALLS)[keyof typeof CALLS]>;

export type ParametersIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export const parametersIn = (path: string): PathParameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as PathParameter);
