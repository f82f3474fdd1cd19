/** The requests of the API document, one for each example, for programs that keep requests. */
export interface SavedRequest {
  operationId: string;
  name: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  parameters: readonly { name: string; value: string }[];
  query: readonly { name: string; value: string }[];
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
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

/** Event streams are left out: their answers never end. */
export const savedRequests = ({ paths }: ApiDocument): SavedRequest[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      isStream(operation) ? [] : requestsOf(path, method.toUpperCase(), operation),
    ),
  );

const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {});

function requestsOf(path: string, method: string, operation: Operation): SavedRequest[] {
  const { operationId, summary, parameters = [] } = operation;
  const body = operation.requestBody?.content['application/json'];
  const sources = [...parameters, ...(body ? [body] : [])];
  const names = new Set(sources.flatMap(({ examples }) => Object.keys(examples ?? {})));
  const valuesIn = (where: string, example: string) =>
    parameters
      .filter(each => each.in === where && each.examples?.[example] !== undefined)
      .map(({ name, examples }) => ({ name, value: String(examples![example]!.value) }));
  return (names.size === 0 ? [''] : [...names]).map(example => ({
    operationId,
    name: names.size > 1 ? `${summary}: ${example}` : summary,
    method,
    path,
    parameters: valuesIn('path', example),
    query: valuesIn('query', example),
    body: body?.examples?.[example]?.value ?? body?.example,
  }));
}

/** The path with its parameters filled in, and the query. */
export function pathAndQuery({ path, parameters, query }: SavedRequest): string {
  const filled = parameters.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, value }) => [name, value])),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
