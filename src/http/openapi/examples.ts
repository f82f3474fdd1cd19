import type { Endpoint, RequestExample } from '../endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from './path-parameters.ts';
import { sampleOf } from './sample.ts';
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
