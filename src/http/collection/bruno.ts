import {
  type ApiDocument,
  groupsOf,
  pathAndQuery,
  type SavedRequest,
  savedRequests,
} from './saved-requests.ts';

/** A Bruno collection in one file, as the app exports and imports it. */
export function bruno(document: ApiDocument, url: string): string {
  const { title, version } = document.info;
  const items = groupsOf(savedRequests(document)).map(([name, requests]) => ({
    type: 'folder',
    // Bruno makes a folder of the name.
    name: name.replaceAll(':', ''),
    items: requests.map(itemOf),
  }));
  const environments = [
    {
      name: 'sandbox',
      variables: [{ name: 'base', value: url, enabled: true, secret: false, type: 'text' }],
    },
  ];
  const collection = {
    version: '1',
    name: `${title} ${version}`,
    items,
    environments,
    activeEnvironmentUid: null,
  };
  return JSON.stringify(collection, null, 2);
}

/** Bruno makes a file of the name. */
export const nameOf = ({ name }: SavedRequest): string => name.replaceAll('/', '-');

type Body = { mode: 'none' } | { mode: 'json'; json: string };
export const bodyOf = ({ body }: SavedRequest): Body =>
  body === undefined ? { mode: 'none' } : { mode: 'json', json: JSON.stringify(body, null, 2) };

const itemOf = (request: SavedRequest, index: number) => ({
  type: 'http-request',
  name: nameOf(request),
  seq: index + 1,
  request: {
    url: `{{base}}${pathAndQuery(request)}`,
    method: request.method,
    headers: [],
    params: [...request.query.map(({ name, value }) => ({ name, value, type: 'query', enabled: true }))],
    body: bodyOf(request),
    auth: { mode: 'none' },
    docs: request.description,
  },
});
