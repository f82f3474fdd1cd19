import { withQuery } from './components/table.tsx';

/** The requests of the API document, one for each example. */
interface ExampleRequest {
  operationId: string;
  name: string;
  method: string;
  pathAndQuery: string;
  /** Undefined: the request has no body. */
  body: unknown;
}

interface Examples {
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: ({ name: string; in: string } & Examples)[];
  requestBody?: { content: Record<string, Examples & { example?: unknown }> };
  responses: Record<string, { content?: object }>;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** Event streams are left out: their answers never end. */
export const requestsIn = ({ paths }: ApiDocument): ExampleRequest[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      isStream(operation) ? [] : requestsOf(path, method.toUpperCase(), operation),
    ),
  );

const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {});

function requestsOf(path: string, method: string, operation: Operation): ExampleRequest[] {
  const { operationId, summary, parameters = [] } = operation;
  const body = operation.requestBody?.content['application/json'];
  const sources = [...parameters, ...(body ? [body] : [])];
  const names = new Set(sources.flatMap(({ examples }) => Object.keys(examples ?? {})));
  const valuesIn = (where: string, example: string) =>
    parameters
      .filter(each => each.in === where && each.examples?.[example] !== undefined)
      .map(({ name, examples }) => [name, String(examples![example]!.value)] as const);
  const filledPath = (example: string) =>
    valuesIn('path', example).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
  return (names.size === 0 ? [''] : [...names]).map(example => ({
    operationId,
    name: names.size > 1 ? `${summary}: ${example}` : summary,
    method,
    pathAndQuery: withQuery(filledPath(example), Object.fromEntries(valuesIn('query', example))),
    body: body?.examples?.[example]?.value ?? body?.example,
  }));
}
