import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { natural, problemsOf, REQUEST } from '../support/ivms101.ts';
import { builtCli } from '../support/process/build.ts';
import { commandHere } from '../support/process/command-line.ts';

const folder = await mkdtemp(join(tmpdir(), 'ivms101-'));
afterAll(() => rm(folder, { recursive: true }));

async function checked(text: string, ...options: string[]) {
  const file = join(folder, 'request.json');
  await writeFile(file, text);
  return commandHere(['ivms101', file, ...options]);
}
const WRONG = natural({ nationality: 'UK' });
const DEEP = 10_000;

test.each([
  ['a request', JSON.stringify(REQUEST), 0, 'dialect 2020\nno problem\n'],
  [
    'a person',
    JSON.stringify(WRONG),
    1,
    'dialect 2020\nFAILURE  naturalPerson.nationality: The value is no country. Wanted: GB (an ISO 3166-1 alpha-2 code, or XX) (C3)\n',
  ],
  ['with a mark of the byte order', `\uFEFF${JSON.stringify([natural()])}`, 0, 'no problem'],
  ['no IVMS101', '7', 1, 'FAILURE  the whole payload: The body holds no IVMS101.'],
])('%s', async (_, text, code, said) => {
  expect(await checked(text)).toEqual({ code, stdout: expect.stringContaining(said), stderr: '' });
});

test('--json prints the answer of the API', async () => {
  const { code, stdout } = await checked(JSON.stringify(WRONG), '--json');
  expect([code, JSON.parse(stdout)]).toEqual([1, { dialect: '2020', problems: problemsOf(WRONG) }]);
});

test.each([
  ['{\n "originator": ,}', "request.json is not JSON: Unexpected token ','"],
  ['{"naturalPerson":{"name":1,"name":2}}', 'request.json has `naturalPerson.name` twice. Keep one of them'],
  ['{"naturalPerson":{"name":"\\ud800"}}', 'request.json has half of a surrogate pair, which is no character'],
  [`${'[{"naturalPerson":'.repeat(DEEP)}1${'}]'.repeat(DEEP)}`, 'has more than 64 nested levels'],
])('what is no JSON, has a member twice, is no Unicode, or is too deep: exit code 2', async (text, why) => {
  const { code, stdout, stderr } = await checked(text);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)]);
});

test('`-` reads standard input', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCli(), 'ivms101', '-'], {
    input: JSON.stringify(REQUEST),
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, 'dialect 2020\nno problem\n', '']);
});
