import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/commands.ts';
import { docs } from '../../src/console/docs.tsx';
import { isFor, PAGES } from '../../src/console/pages.ts';
import { clauseSentences, REASON_CODES, REASONS } from '../../src/contract/clauses.ts';
import { COMMON_ERRORS, type ErrorRow, OPERATIONS } from '../../src/contract/errors.ts';
import { FINDING_CODES } from '../../src/contract/findings.ts';
import { REPORT_VERDICT_VALUES } from '../../src/contract/plan-list.ts';
import { REQUIRED_INFO } from '../../src/contract/required-info.ts';
import { CHAPTERS, type Chapter, GROUPS, partsOf, readChapter } from '../../src/guide/chapters.ts';
import { guide, toHtml } from '../../src/guide/routes.tsx';
import { EVENT_KINDS } from '../../src/sandbox/events/schema.ts';
import { ROOT } from '../support/paths.ts';

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await guide.request(path, { headers });
  return { status: response.status, html: await response.text() };
};
const chapters = Object.entries(CHAPTERS) as [Chapter, string][];
const tables: Readonly<Record<string, ErrorRow>>[] = [COMMON_ERRORS, ...Object.values(OPERATIONS)];
const refusalCodes = tables.flatMap(rows => Object.values(rows).map(({ code }) => code));
const codes = new Set([...refusalCodes, ...REASON_CODES, ...REPORT_VERDICT_VALUES, ...FINDING_CODES]);

test.each(['/guide', '/guide/codes', '/docs'])('%s/ leads to it, whatever host was asked', async path => {
  const app = path === '/docs' ? docs(async () => new Response('{}'), 'both') : guide;
  const { status, headers } = await app.request(`http://elsewhere.example${path}/?lang=ko`);
  expect([status, headers.get('location')]).toEqual([301, `${path}?lang=ko`]);
});

test.each([...codes])('the code %s has a page with its meaning and advice', async code => {
  const { status, html } = await get(`/guide/codes/${code}`);
  expect(status).toBe(200);
  expect(html).toContain(`<h1>${code}</h1>`);
  expect(html).toContain('What to do:');
});

test.each(REASON_CODES)('the reason %s says who decides, and leads to what provokes it', async code => {
  const { html } = await get(`/guide/codes/${code}`);
  expect(html).toContain('Who decides:');
  expect(html).toContain(`name="scenario" value="verify-user: ${code}"`);
  expect((await get(`/guide/codes/${code}.md`)).html).toContain(`robot-vasp scenarios 'verify-user: ${code}'`);
  expect(html).toContain('You are the originating VASP');
  expect(html.includes('You are the beneficiary VASP')).toBe(REASONS[code].result !== 'ERROR');
});

test('all MISSING codes lead to one page', async () => {
  expect((await get('/guide/codes/MISSING-VASP')).html).toContain('A required field is missing');
});

test('every clause has its sentence, and every citation in the guide leads there', async () => {
  const { html } = await get('/guide/clauses');
  const ids = [...clauseSentences().keys()];
  expect(ids.length).toBeGreaterThan(100);
  for (const id of ids) expect(html).toContain(`<li id="${id}">`);
  expect((await get('/guide/clauses.md')).html).toContain('- REF-4.6.9 — A listed originator is BLACKLISTED.');
  const pages = ['/guide/codes/BLACKLISTED', '/guide/decisions', '/guide/risk-assessment', '/guide/ko/decisions'];
  for (const page of pages) {
    const cited = [...(await get(page)).html.matchAll(/href="\/guide[^"]*\/clauses#([^"]+)"/g)];
    expect(cited.length, page).toBeGreaterThan(0);
    for (const [, id] of cited) expect(ids).toContain(id);
  }
  expect((await get('/guide?search=REF-4.6.9')).html).toContain('href="/guide/clauses#REF-4.6.9"');
});

test('the list names every code', async () => {
  const { html } = await get('/guide/codes');
  for (const code of codes) expect(html).toContain(`<code>${code}</code>`);
});

test('every Markdown file is a chapter', () => {
  const files = readdirSync(join(ROOT, 'src/guide/chapters')).filter(file => file.endsWith('.md'));
  expect(files.sort()).toEqual(chapters.map(([name]) => `${name}.md`).sort());
});

const FOLDER = 'src/guide/chapters';
const inAllLanguages = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' });
test.each(inAllLanguages.filter(file => file.endsWith('.md')))('the file %s leads only to files that exist', file => {
  const path = join(ROOT, FOLDER, file);
  const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const links = [...text.matchAll(/\]\((?![a-z]+:|[#/])([^)#]+)/g)].map(([, link]) => link!);
  expect(links.filter(link => !existsSync(join(dirname(path), link)))).toEqual([]);
});

test('the README lists every chapter in the same order', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const listed = [...readme.matchAll(/^- \[(.+)\]\(src\/guide\/chapters\/(.+)\.md\)$/gm)];
  expect(listed.map(([, title, name]) => [name, title])).toEqual(chapters);
});

test('the chapter on IVMS101 has a row for every information code, with its member', async () => {
  const text = await readChapter('ivms101');
  for (const [code, { path }] of Object.entries(REQUIRED_INFO)) {
    const member = path.filter(step => !['persons', 'naturalPerson', 'legalPerson'].includes(String(step)));
    expect(text, code).toContain(`| \`${code}\` | \`${member.filter(step => typeof step === 'string').join('.')}`);
  }
});

test('the chapter for users has a row for every reason', async () => {
  const text = await readChapter('your-users');
  for (const code of REASON_CODES.filter(each => each !== 'OK')) expect(text).toContain(code);
});

test('the chapter on events names every kind', async () => {
  const text = await readChapter('events');
  for (const kind of EVENT_KINDS) expect(text).toMatch(new RegExp(`\\b${kind}\\b`));
});

test('the guide leads only to pages of the console that exist in the local mode', async () => {
  const { html } = await get('/guide');
  const links = [...html.matchAll(/<a href="\/console([^"?#]*)"/g)].map(([, path]) => path);
  const paths = PAGES.filter(page => isFor(page, 'local')).map(({ path }) => path);
  expect(links.filter(link => !paths.includes(link!))).toEqual([]);
  expect(links).toContain('/keys');
});

describe.each(chapters)('chapter %s', (name, title) => {
  test('has its title as only heading of the first level', async () => {
    const text = (await readChapter(name)).replace(/^```[\s\S]*?^```$/gm, '');
    const headings = text.match(/^# .+$/gm);
    expect(headings).toEqual([`# ${title}`]);
    expect((await get(`/guide/${name}`)).html).toContain(`<h1>${title.replaceAll("'", '&#39;')}</h1>`);
  });

  test('is shown to its end, also behind a comment in code', async () => {
    const comments = (await readChapter(name)).split('\n').filter(line => /^#{1,3} \S+/.test(line));
    const { html } = await get(`/guide/${name}`);
    const text = html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"');
    const lastWords = comments.map(
      line =>
        line
          .replace(/^#+ /, '')
          .replace(/[`*]/g, '')
          .split(/[&<"']/)[0]!,
    );
    for (const words of lastWords) expect(text).toContain(words);
  });

  test('can be linked from another one', () => {
    expect(toHtml(`[it](${name}.md#part)`, '/guide')).toContain(`<a href="/guide/${name}#part">it</a>`);
  });

  test('names every column of its tables', async () => {
    expect((await get(`/guide/${name}`)).html).not.toContain('<th></th>');
  });

  test('leads only to pages and headings that exist', async () => {
    const { html } = await get(`/guide/${name}`);
    const links = [...html.matchAll(/href="(\/guide[^"]*|#[^"]+)"/g)].map(([, href]) => href!);
    for (const link of links) {
      const [path, anchor] = link.split('#') as [string, string?];
      const page = path === '' ? { status: 200, html } : await get(path);
      expect(page.status, link).toBe(200);
      if (anchor) expect(page.html, link).toContain(`id="${anchor}"`);
    }
  });
});

describe('search', () => {
  test('finds a code by a word of its advice', async () => {
    const { html } = await get('/guide?search=finished%20identification');
    expect(html).toContain('href="/guide/codes/UNVERIFIED-KYC"');
  });

  test('finds a section of a chapter', async () => {
    const { html } = await get('/guide?search=watch%20list');
    expect(html).toContain('href="/guide/risk-assessment"');
  });

  test('finds the local name, which is a code of two words', async () => {
    const { html } = await get('/guide?search=local%20name');
    const [, first] = /<a href="(\/guide[^"]*)">[^<]*<\/a><br/.exec(html)!;
    expect(first).toBe('/guide/ivms101');
  });

  test('shows whole words, and nothing of the Markdown', async () => {
    const { html } = await get('/guide?search=hash');
    const excerpts = [...html.matchAll(/<small>(.*?)<\/small>/g)].map(([, text]) => text!);
    expect(excerpts).toContainEqual(expect.stringMatching(/the hash leads to the credit\. Three lines of Node/));
    for (const text of excerpts) expect(text).not.toMatch(/\]\(|```|bash |json \{/);
  });

  test('finds what has some of the words, the rarest first', async () => {
    const { html } = await get('/guide?search=unfinished%20KYC%20identification%20zebra');
    const [, first] = /<a href="(\/guide[^"]*)">[^<]*<\/a><br/.exec(html)!;
    expect(first).toBe('/guide/codes/UNVERIFIED-KYC');
  });

  test('a comment in a block of code is no section', () => {
    const parts = partsOf('# Chapter\n\n```sh\n# comment\n```\n\n## Second, `part`\n\ntext\n');
    expect(parts.map(({ level, anchor }) => [level, anchor])).toEqual([
      [1, 'chapter'],
      [2, 'second-part'],
    ]);
  });

  test('says that nothing was found, and shows the words as text', async () => {
    const { status, html } = await get(`/guide?search=${encodeURIComponent('<b>zebra')}`);
    expect(status).toBe(200);
    expect(html).toContain('Nothing contains “&lt;b&gt;zebra”');
    expect(html).not.toContain('<b>zebra');
  });
});

test.each(['/guide/nothing', '/guide/codes/NOTHING', '/guide/a/b'])('%s is 404 with a way on', async path => {
  const { status, html } = await get(path);
  expect(status).toBe(404);
  expect(html).toContain('Choose a chapter');
});

test('the table of commands is the list of commands', async () => {
  const rows = [...(await readChapter('command-line')).matchAll(/^\| `([a-z\d-]+)` \| (.+) \|$/gm)];
  const commands = await everyCommand();
  expect(rows.map(([, name, summary]) => [name, summary])).toEqual(
    commands.map(({ name, summary }) => [name, summary]),
  );
});

test('every chapter stands in one of five groups, and each group has a line', async () => {
  expect(Object.values(GROUPS).flat().sort()).toEqual(Object.keys(CHAPTERS).sort());
  const { html } = await get('/guide');
  const [, contents = ''] = html.split('<div class="chapter">');
  expect(contents.match(/<h2>[^<]+<\/h2><p>[^<]+\.<\/p><ul>/g)).toHaveLength(5);
});

test('a chapter lists its parts and marks itself', async () => {
  const { html } = await get('/guide/withdrawal-test');
  const [, list = ''] = /<nav class="on-this-page"([\s\S]*?)<\/nav>/.exec(html) ?? [];
  const ids = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect([...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(ids);
  expect(html).toContain('<a href="/guide/withdrawal-test" aria-current="page">');
});

test.each([
  ['/guide', '/guide/ko', 'page'],
  ['/guide/codes/UNKNOWN-NETWORK', '/guide/ko/codes', 'true'],
  ['/guide/users', '/guide/ko/users', 'page'],
  ['/guide/ko/users', '/guide/ko/users', 'page'],
])('a reader of Korean sees in the list of chapters where %s is', async (path, marked, current) => {
  const { html } = await get(path, { 'accept-language': 'ko' });
  expect(html).toContain('<a href="/guide" aria-current="true">');
  const [, chapters = ''] = html.split('<aside>');
  expect([...chapters.matchAll(/<a href="([^"]+)" aria-current="([^"]+)"/g)].map(([, ...each]) => each)).toEqual([
    [marked, current],
  ]);
});
