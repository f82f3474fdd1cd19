import { type ApiDocument, pathAndQuery, savedRequests } from './saved-requests.ts';

/** The requests as an HTTP archive. `comment` of an entry is the operationId, that of a request its name. */
export function har({ info, ...document }: ApiDocument, url: string): string {
  const entries = savedRequests({ info, ...document }).map(each => ({
    comment: each.operationId,
    request: {
      comment: each.name,
      method: each.method,
      url: url + pathAndQuery(each),
      httpVersion: 'HTTP/1.1',
      headers: each.body === undefined ? [] : [{ name: 'content-type', value: 'application/json' }],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...(each.body === undefined
        ? {}
        : { postData: { mimeType: 'application/json', text: JSON.stringify(each.body) } }),
    },
  }));
  const creator = { name: info.title, version: info.version };
  return JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2);
}
