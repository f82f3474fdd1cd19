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
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
    const inside = $defs as Record<string, Json>;
    const names = new Map(Object.entries(inside).map(([id, def]) => [id, nameFor(id, def)]));
    for (const [id, name] of names) all[name] = pointing(inside[id]!, names) as Json;
    return pointing(rest, names) as Json;
  }

  function nameFor(id: string, schema: Json): string {
    const form = pointing(schema, new Map()) as Json;
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

/** References into `components`, and no `id`: that is what the schema is called there. */
function pointing(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map(element => pointing(element, names));
  if (typeof value !== 'object' || value === null) return value;
  const isSchema =
    'type' in value || 'anyOf' in value || 'allOf' in value || 'oneOf' in value || 'enum' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member, inside]) => !(isSchema && member === 'id' && typeof inside === 'string'))
      .map(([member, inside]) => {
        const [, id] = member === '$ref' ? (/^#\/\$defs\/(.+)$/.exec(String(inside)) ?? []) : [];
        if (id === undefined) return [member, pointing(inside, names)];
        return [member, REFERENCE + (names.get(id) ?? id)];
      }),
  );
}
