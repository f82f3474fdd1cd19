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

describe('snippets', () => {
  test('every operation has a page with each language', async () => {
    const withPage = operations.filter(({ path }) => /^\/(v1|vega|sandbox)\//.test(path));
    for (const { operationId, method, path } of withPage) {
      const answer = await fetch(`${world.url}/docs/snippets/${operationId}`);
      expect(answer.status, operationId).toBe(200);
      const html = await answer.text();
      expect(html).toContain(`${method} ${world.url}${path.split('{')[0]}`);
      for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'Java'])
        expect(html).toContain(`<summary>${language}</summary>`);
    }
  });

  test('the navigation leads only to pages that are there', async () => {
    const html = await (await fetch(`${world.url}/docs/snippets/${operations[0]!.operationId}`)).text();
    const pages = new Set([...html.matchAll(/href="(\/console[^"?#]*)"/g)].map(([, path]) => path!));
    expect(pages.size).toBeGreaterThan(10);
    for (const path of pages) expect([path, (await fetch(world.url + path)).status]).toEqual([path, 200]);
  });

  test.each(['/docs/snippets/nothing', '/docs/nothing'])('%s is 404 with a way on', async path => {
    const answer = await fetch(world.url + path);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('href="/console"')]);
  });

  test('pages are read only', async () => {
    const answer = await fetch(`${world.url}/docs`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await answer.json()).toMatchObject({ code: 'METHOD-NOT-ALLOWED' });
  });
});
