import type { Endpoint, RequestExample } from '../endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from './path-parameters.ts';
import type { Json, Schemas } from './schemas.ts';

type Examples = Readonly<Record<string, RequestExample>>;

/** The complete example requests of an endpoint. A test sends each of them unchanged. */
export function examplesOf(endpoint: Endpoint, schemas: Schemas): Examples {
  const declared = endpoint.examples ?? { default: {} };
  return Object.fromEntries(
    Object.entries(declared).map(([name, example]) => [name, completed(example, endpoint, schemas)]),
  );
}

function completed(example: RequestExample, endpoint: Endpoint, schemas: Schemas): RequestExample {
  const { path, query, body } = endpoint;
  const params = parametersIn(path).map(name => [name, PATH_PARAMETERS[name].example]);
  const inQuery = query ? (sampleOf(schemas.of(query, 'input'), schemas) as Record<string, string>) : {};
  return {
    ...example,
    params: { ...Object.fromEntries(params), ...example.params },
    query: { ...inQuery, ...example.query },
    ...(body ? { body: example.body ?? sampleOf(schemas.of(body, 'input'), schemas) } : {}),
  };
}

/** In OpenAPI each parameter and the body have examples of their own. The parts of one request share a name. */
export const shownExamples = (examples: Examples, part: (example: RequestExample) => unknown): Json => {
  const shown = Object.entries(examples)
    .map(([name, example]) => [name, { summary: example.summary, value: part(example) }] as const)
    .filter(([, { value }]) => value !== undefined);
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
};

/** A value that matches the schema, built from its examples. An object gets its required members only. */
export function sampleOf(schema: Json, schemas: Schemas): unknown {
  const { examples, const: only, enum: values, anyOf, oneOf, allOf, type: types, ...rest } = schemas.resolved(schema);
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
  return Object.fromEntries((required as string[]).map(name => [name, sampleOf(members[name] ?? {}, schemas)]));
}
