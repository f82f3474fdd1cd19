import type { Endpoint } from '../http/endpoint.ts';
import { parametersIn } from '../http/openapi/path-parameters.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The request that a tool makes of its arguments, with every path parameter. The endpoint validates them. */
export function requestOf(endpoint: Endpoint, args: Arguments, headers: Record<string, string>): Request {
  const { method, body } = endpoint;
  const rest = new Map(Object.entries(args));
  const take = (name: string): string => {
    const value = String(rest.get(name));
    rest.delete(name);
    return value;
  };
  const inPath = parametersIn(endpoint.path);
  const path = inPath.reduce(
    (text, name) => text.replace(`:${name}`, encodeURIComponent(take(name))),
    endpoint.path,
  );
  if (body) {
    const json = { ...headers, 'content-type': 'application/json' };
    return new Request(INTERNAL + path, {
      method,
      headers: json,
      body: JSON.stringify(Object.fromEntries(rest)),
    });
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest) if (value !== null) query.set(name, String(value));
  return new Request(`${INTERNAL}${path}${query.size === 0 ? '' : `?${query}`}`, { method, headers });
}

/** Never looked up: the request stays in the process. */
const INTERNAL = 'http://localhost';
