import {
  type ApiDocument,
  groupsOf,
  needsKey,
  pathAndQuery,
  type SavedRequest,
  savedRequests,
} from './saved-requests.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A Postman collection, version 2.1. */
export function postman(document: ApiDocument, url: string): string {
  const item = groupsOf(savedRequests(document)).map(([name, requests]) => ({
    name,
    item: requests.map(itemOf),
  }));
  const variable = [{ key: 'base', value: url, type: 'string' }];
  const auth = needsKey(document)
    ? { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] } }
    : {};
  return JSON.stringify({ info: { ...infoOf(document), schema: SCHEMA }, ...auth, variable, item }, null, 2);
}

const infoOf = ({ info }: ApiDocument) => ({
  name: `${info.title} ${info.version}`,
  description: 'To act as a registered VASP, set its API key as Bearer token of the collection.',
});

const itemOf = (request: SavedRequest) => ({
  name: request.name,
  request: {
    method: request.method,
    description: request.description,
    header: request.body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    ...(request.body === undefined
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: JSON.stringify(request.body, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
    url: urlOf(request),
  },
  response: [],
});

const urlOf = (request: SavedRequest) => ({
  raw: `{{base}}${pathAndQuery(request)}`,
  host: ['{{base}}'],
  path: request.path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/'),
  query: request.query.map(({ name, value }) => ({ key: name, value })),
  variable: request.parameters.map(({ name, value }) => ({ key: name, value })),
});
