import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { takesNull } from '../../contract/text.ts';

export type Json = { [member: string]: unknown };
/** `input`: a value that we receive. `output`: a value that we send. */
export type Io = 'input' | 'output';

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
