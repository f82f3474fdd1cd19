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
    type,
    ...rest
  } = schemas.resolved(schema);
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  const [alternative] = (anyOf ?? oneOf ?? allOf ?? []) as Json[];
  if (alternative) return sampleOf(alternative, schemas);
  switch (type) {
    case 'object':
      return sampleObject(rest, schemas);
    case 'array':
      return rest.minItems === undefined ? [] : [sampleOf(rest.items as Json, schemas)];
    case 'integer':
    case 'number':
      return rest.minimum ?? 1;
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
