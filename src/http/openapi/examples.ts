import type { Endpoint, RequestExample } from '../endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from './path-parameters.ts';
import { sampleOf } from './sample.ts';
import type { Json, Schemas } from './schemas.ts';

type Examples = Readonly<Record<string, RequestExample>>;

/** The requests that the document shows for an endpoint, complete; each is sent as it stands by a test. */
export function examplesOf(endpoint: Endpoint, schemas: Schemas): Examples {
  const given = endpoint.examples ?? { default: {} };
  return Object.fromEntries(
    Object.entries(given).map(([name, example]) => [name, completed(example, endpoint, schemas)]),
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

/** As OpenAPI has it: the parts of one request have the same name wherever they stand. */
export const shownExamples = (examples: Examples, part: (example: RequestExample) => unknown): Json => {
  const shown = Object.entries(examples)
    .map(([name, example]) => [name, { summary: example.summary, value: part(example) }] as const)
    .filter(([, { value }]) => value !== undefined);
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
};
