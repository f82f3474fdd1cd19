import {
  type ApiDocument,
  groupsOf,
  needsKey,
  pathAndQuery,
  type SavedRequest,
  savedRequests,
} from './saved-requests.ts';

const KEY = '--header "Authorization: Bearer <key>" ';

/** A file for Hurl. Its requests succeed one after another on a fresh sandbox; the others are listed as comments. */
export function hurl(document: ApiDocument, url: string): string {
  const { title, version } = document.info;
  const head = [
    `# ${title} ${version}`,
    `# hurl --test --variable base=${url} ${needsKey(document) ? KEY : ''}robot-vasp.hurl`,
    ...(needsKey(document) ? [] : [`# To act as a registered VASP, add: ${KEY}`]),
  ];
  const groups = groupsOf(savedRequests(document)).map(([name, requests]) =>
    [`# ${name}`, ...requests.map(each => (each.isRepeatable ? entryOf(each) : commentOf(each)))].join(
      '\n\n',
    ),
  );
  return `${[head.join('\n'), ...groups].join('\n\n')}\n`;
}

const escaped = (text: string): string => text.replaceAll('#', '\\#');

const entryOf = (request: SavedRequest): string =>
  [
    `# ${request.name}`,
    `${request.method} {{base}}${escaped(pathAndQuery(request))}`,
    ...(request.body === undefined ? [] : ['Content-Type: application/json', bodyOf(request.body)]),
    `HTTP ${request.success}`,
  ].join('\n');

/** Braces of a template would be filled in. */
const bodyOf = (body: unknown): string => JSON.stringify(body, null, 2).replaceAll('{{', '\\u007b\\u007b');

const commentOf = (request: SavedRequest): string =>
  [
    `# ${request.name}`,
    `# ${request.method} {{base}}${pathAndQuery(request)}  (needs something that you create first)`,
  ].join('\n');
