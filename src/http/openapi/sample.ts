import { PATH_PARAMETERS } from './path-parameters.ts';
import type { Json, Schemas } from './schemas.ts';

/** A value that matches the schema, built from its examples. An object gets its required members only. */
export function sampleOf(schema: Json, schemas: Schemas): unknown {
  const {
    examples,
    const: only,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type: types,
    ...rest
  } = schemas.resolved(schema);
  const type = Array.isArray(types) ? types[0] : types;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (type === 'object') return sampleObject(rest, schemas);
  const [alternative] = (anyOf ?? oneOf ?? allOf ?? []) as Json[];
  if (alternative) return sampleOf(alternative, schemas);
  if (rest.format === 'uuid') return PATH_PARAMETERS.uuid.example;
  switch (type) {
    case 'array':
      return rest.minItems === undefined ? [] : [sampleOf(rest.items as Json, schemas)];
    case 'integer':
    case 'number':
      return Math.max(Number(rest.minimum ?? 1), 0);
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}

function sampleObject({ properties = {}, required = [] }: Json, schemas: Schemas): Json {
  const members = properties as Record<string, Json>;
  return Object.fromEntries(
    (required as string[]).map(name => [name, sampleOf(members[name] ?? {}, schemas)]),
  );
}
