import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

export type Json = { [member: string]: unknown };
/** `input`: as somebody may write it; `output`: as we write it. */
export type Io = 'input' | 'output';

export interface Schemas {
  /** What stands under `components`. */
  all: Record<string, Json>;
  /** A reference into `all` where the schema has an id, otherwise the schema itself. */
  of(schema: z.ZodType, io: Io): Json;
  /** The schema itself, also where it is only a reference. */
  resolved(schema: Json): Json;
}

const REFERENCE = '#/components/schemas/';

/** Named schemas stand once under `components`; one that is read otherwise than it is written stands there twice. */
export function collectSchemas(): Schemas {
  const all: Record<string, Json> = {};
  const firstForms = new Map<string, Json>();
  const known = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };

  function of(schema: z.ZodType, io: Io): Json {
    const done = known[io].get(schema) ?? made(schema, io);
    known[io].set(schema, done);
    return done;
  }

  function made(schema: z.ZodType, io: Io): Json {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withoutId }) as Json;
    const inside = $defs as Record<string, Json>;
    const names = new Map(Object.entries(inside).map(([id, def]) => [id, nameFor(id, def)]));
    for (const [id, name] of names) all[name] = pointing(inside[id]!, names);
    return pointing(rest, names);
  }

  function nameFor(id: string, schema: Json): string {
    const form = pointing(schema, new Map());
    const first = firstForms.get(id) ?? form;
    firstForms.set(id, first);
    return isDeepStrictEqual(first, form) ? id : `${id}Answered`;
  }

  function resolved(schema: Json): Json {
    const { $ref } = schema;
    return typeof $ref === 'string' ? resolved(all[$ref.slice(REFERENCE.length)]!) : schema;
  }

  return { all, of, resolved };
}

/** The id is the name under `components`, not a member of the schema. */
const withoutId = ({ jsonSchema }: { jsonSchema: { id?: unknown } }): void => {
  delete jsonSchema.id;
};

/** The same schema, with references into `components`. */
const pointing = (schema: Json, names: ReadonlyMap<string, string>): Json =>
  JSON.parse(
    JSON.stringify(schema).replace(
      /"\$ref":"#\/\$defs\/([^"]+)"/g,
      (_, id: string) => `"$ref":"${REFERENCE}${names.get(id) ?? id}"`,
    ),
  );
