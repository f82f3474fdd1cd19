import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world/world.ts';

let world: World;
let operations: { operationId: string; method: string; path: string }[];
beforeAll(async () => {
  world = await createWorld();
  const { paths } = (await read('/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !JSON.stringify(responses).includes('text/event-stream'))
      .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  );
});
afterAll(() => world.close());

const read = async (path: string): Promise<unknown> => (await fetch(world.url + path)).json();
const collection = async (format: string) =>
  (await fetch(`${world.url}/sandbox/v1/collection?format=${format}`)).text();

interface Item {
  name: string;
  item?: Item[];
  items?: Item[];
  request?: { method: string; url: string | { raw: string; path: string[] } };
}
const leaves = ({ item, items, ...leaf }: Item): Item[] => (item ?? items)?.flatMap(leaves) ?? [leaf];

test('the Postman collection has every operation of the API document, at the address of the sandbox', async () => {
  const { info, variable, item } = JSON.parse(await collection('postman'));
  expect(info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect(variable).toEqual([{ key: 'base', value: world.url, type: 'string' }]);
  const sent = (item as Item[]).flatMap(leaves).map(({ request }) => {
    const { path } = request!.url as { path: string[] };
    return `${request!.method} /${path.join('/').replace(/:(\w+)/g, '{$1}')}`;
  });
  expect([...new Set(sent)].sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

test('the Bruno collection has the same requests', async () => {
  const { version, items, environments } = JSON.parse(await collection('bruno'));
  expect([version, environments[0].variables[0].value]).toEqual(['1', world.url]);
  const { item } = JSON.parse(await collection('postman'));
  const sent = (all: Item[]) =>
    all.flatMap(leaves).map(({ request }) => {
      const url = typeof request!.url === 'string' ? request!.url : request!.url.raw;
      return `${request!.method} ${url}`;
    });
  expect(sent(items)).toEqual(sent(item));
});

test('the archive for Bruno’s command line has a file for each of these requests', async () => {
  const address = `${world.url}/sandbox/v1/collection?format=bru`;
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-bru-'));
  await writeFile(join(folder, 'all.tar'), new Uint8Array(await (await fetch(address)).arrayBuffer()));
  await promisify(execFile)('tar', ['xf', 'all.tar'], { cwd: folder });
  const files = await readdir(join(folder, 'robot-vasp'), { recursive: true });
  const { items } = JSON.parse(await collection('bruno'));
  const requests = files.filter(file => /^(?!environments).+\/.+\.bru$/.test(file));
  expect(requests).toHaveLength((items as Item[]).flatMap(leaves).length);
  const texts = await Promise.all(requests.map(file => readFile(join(folder, 'robot-vasp', file), 'utf8')));
  for (const text of texts) expect(text).toMatch(/^meta \{\n {2}name: .+\n {2}type: http\n/);
  await rm(folder, { recursive: true });
});

test('the Hurl file names every request, and asks for the success of those that need nothing first', async () => {
  const text = await collection('hurl');
  const { log } = JSON.parse(await collection('har'));
  const named = text.match(/^(# )?[A-Z]+ \{\{base\}\}/gm)!;
  expect(named).toHaveLength(log.entries.length);
  expect(text.match(/^HTTP [23]\d\d$/gm)).toHaveLength(named.filter(line => !line.startsWith('#')).length);
});

describe('snippets', () => {
  test('every operation has a page with each language', async () => {
    const withPage = operations.filter(({ path }) => /^\/(v1|vega|sandbox)\//.test(path));
    for (const { operationId } of withPage) {
      const answer = await fetch(`${world.url}/docs/snippets/${operationId}`);
      expect(answer.status, operationId).toBe(200);
      const html = await answer.text();
      for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'Java'])
        expect(html).toContain(`<summary>${language}</summary>`);
    }
  });

  test('another page is not found', async () => {
    expect((await fetch(`${world.url}/docs/snippets/nothing`)).status).toBe(404);
  });
});

test('another format is refused by name', async () => {
  const answer = await fetch(`${world.url}/sandbox/v1/collection?format=soap`);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { code: 'BAD-REQUEST', message: '`format` should be one of postman, hurl, har, bruno, bru.' },
  ]);
});
