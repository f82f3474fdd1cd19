import { expect, test } from 'vitest';
import { textsOf } from '../../src/console/texts/languages.ts';
import { CHAPTERS } from '../../src/guide/chapters.ts';
import { codePages } from '../../src/guide/codes.ts';
import { guide, llms } from '../../src/guide/routes.tsx';

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await (path.includes('/guide') ? guide : llms).request(path, { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    vary: response.headers.get('vary'),
    text: await response.text(),
  };
};

const codes = [...codePages(textsOf('en')).keys()];

test('/llms.txt links every chapter and every code, and each link is Markdown that is there', async () => {
  const { status, type, text } = await read('/llms.txt');
  expect([status, type]).toEqual([200, 'text/plain']);
  expect(text).toMatch(/^# robot-vasp\n\n> /);
  const links = [...text.matchAll(/\]\((\/guide\/[^)]+)\)/g)].map(([, link]) => link!);
  expect(links).toEqual(
    expect.arrayContaining([
      ...Object.keys(CHAPTERS).map(name => `/guide/${name}.md`),
      ...codes.map(code => `/guide/codes/${code}.md`),
    ]),
  );
  for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
});

test('/llms-full.txt holds every chapter and every code', async () => {
  const { text } = await read('/llms-full.txt');
  for (const title of ['# A first withdrawal test', '# Coding agents', '# MISMATCHED-NAME'])
    expect(text).toContain(`${title}\n`);
});

test.each([
  ['/guide/withdrawal-test.md', '# A first withdrawal test'],
  ['/guide/codes/MISMATCHED-NAME.md', '# MISMATCHED-NAME'],
  ['/guide/codes/MISSING-VASP.md', '# MISSING-X'],
  ['/guide/codes.md', '# Codes'],
  ['/guide/ko/withdrawal-test.md', '# '],
])('%s is Markdown', async (path, beginning) => {
  const { status, type, text } = await read(path);
  expect([status, type]).toEqual([200, 'text/markdown']);
  expect(text.startsWith(beginning)).toBe(true);
});

test.each(['/guide', '/guide/withdrawal-test', '/guide/codes', '/guide/codes/MISMATCHED-NAME'])(
  '%s is Markdown for a client that prefers it, and a page otherwise',
  async path => {
    expect(await read(path, { accept: 'text/markdown, text/html;q=0.5' })).toMatchObject({
      type: 'text/markdown',
      vary: expect.stringContaining('Accept'),
    });
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*'])
      expect(await read(path, { accept })).toMatchObject({ type: 'text/html' });
  },
);

test.each(['/guide/nothing.md', '/guide/codes/NOTHING.md', '/guide/a/b.md'])('%s is 404', async path => {
  expect((await read(path)).status).toBe(404);
});

test.each(['/guide/withdrawal-test.md', '/guide/ko/withdrawal-test.md', '/guide/withdrawal-test', '/llms-full.txt'])(
  '%s names the address by which it was asked',
  async path => {
    for (const origin of ['http://127.0.0.1:9123', 'http://localhost:9124']) {
      const { text } = await read(origin + path);
      expect(text).toContain(`BASE=${origin}\n`);
      expect(text).not.toContain('BASE=http://127.0.0.1:8080');
    }
  },
);

test('a chapter that starts programs of its own keeps their address', async () => {
  expect((await read('http://localhost:9124/guide/ci.md')).text).toContain('http://127.0.0.1:8080/readyz');
});

test('behind a proxy the public address is named', async () => {
  const bindings = { publicUrl: 'https://sandbox.example' };
  const answer = await guide.request('/guide/withdrawal-test.md', {}, bindings);
  expect(await answer.text()).toContain('BASE=https://sandbox.example\n');
});
