import { createTar } from 'nanotar';
import { bodyOf, nameOf } from './bruno.ts';
import {
  type ApiDocument,
  groupsOf,
  pathAndQuery,
  type SavedRequest,
  savedRequests,
} from './saved-requests.ts';

const FOLDER = 'robot-vasp';
const MOST_CHARACTERS = 40;

/** A Bruno collection as a folder in a tar archive. `bru run` takes the folder as it is. */
export function bru(document: ApiDocument, url: string): Uint8Array<ArrayBuffer> {
  const { title, version } = document.info;
  const settings = { version: '1', name: `${title} ${version}`, type: 'collection', ignore: [] };
  const requests = groupsOf(savedRequests(document)).flatMap(([group, members]) =>
    members.map((request, index) => {
      const number = String(index + 1).padStart(2, '0');
      return {
        name: `${FOLDER}/${slug(group)}/${number}-${slug(request.name)}.bru`,
        data: textOf(request, index),
      };
    }),
  );
  const archive = createTar([
    { name: `${FOLDER}/bruno.json`, data: `${JSON.stringify(settings, null, 2)}\n` },
    { name: `${FOLDER}/environments/sandbox.bru`, data: block('vars', `base: ${url}`) },
    ...requests,
  ]);
  return new Uint8Array(archive);
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/^-|-$/g, '');

const block = (name: string, text: string): string => `${name} {\n${indented(text)}\n}\n`;
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

function textOf(request: SavedRequest, index: number): string {
  const { query, description, method } = request;
  const body = bodyOf(request);
  return [
    block('meta', `name: ${nameOf(request)}\ntype: http\nseq: ${index + 1}`),
    block(method.toLowerCase(), `url: {{base}}${pathAndQuery(request)}\nbody: ${body.mode}\nauth: none`),
    ...(query.length === 0
      ? []
      : [block('params:query', query.map(({ name, value }) => `${name}: ${value}`).join('\n'))]),
    ...(body.mode === 'none' ? [] : [block('body:json', body.json)]),
    ...(description === '' ? [] : [block('docs', description)]),
  ].join('\n');
}
