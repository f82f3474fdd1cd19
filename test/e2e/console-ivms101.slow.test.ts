import { expect, test } from 'vitest';
import { IVMS101_CLAUSES } from '../../src/contract/ivms101-check/problem.ts';
import { looksGood, useBrowser } from '../support/browser/browser.ts';
import { field, noticeText, press } from '../support/browser/forms.ts';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A tester pastes IVMS101 and sees its problems. */

const browser = useBrowser();
const world = await forFile(createWorld());

const PERSONS = 'originator.originatorPersons';
const WRONG = {
  originator: {
    originatorPersons: [
      {
        naturalPerson: {
          name: { nameIdentifier: [{ primaryIdentifier: 'Kim', nameIdentifierType: 'BIRT' }] },
          countryOfResidence: 'UK',
          dateAndPlaceOfBirth: { dateOfBirth: '2999-01-01', placeOfBirth: 'Seoul' },
        },
      },
    ],
    accountNumber: ['r1'],
  },
};

async function check(text: string, language = 'en') {
  const page = await browser.visit(`${world.url}/console/ivms101?lang=${language}`);
  await field(page, 'payload').fill(text);
  await press(page, language === 'en' ? 'Check' : '검사');
  const rows = await page.locator('#notice tbody tr').allTextContents();
  return { page, notice: await noticeText(page), rows };
}

test('every problem stands with its path, clause, severity and what is wanted, and the text stays', async () => {
  const text = JSON.stringify({ ivms101: WRONG }, null, 2);
  const { page, notice, rows } = await check(text);
  const { dialect, problems } = await world.api.checkIvms101({ payload: JSON.parse(text) });
  expect(notice).toContain(`Dialect ${dialect}: ${problems.length} failures, 0 warnings.`);
  expect(rows).toHaveLength(problems.length);
  for (const [position, problem] of problems.entries())
    for (const part of [problem.path, problem.clause, problem.severity, problem.text, problem.wanted])
      expect(rows[position]).toContain(part);
  const shown = (path: string) => rows.find(row => row.includes(path));
  expect(shown(`${PERSONS}[0].naturalPerson.countryOfResidence`)).toContain(IVMS101_CLAUSES.C3);
  expect(shown('dateAndPlaceOfBirth.dateOfBirth')).toContain(IVMS101_CLAUSES.C2);
  expect(await field(page, 'payload').inputValue()).toBe(text);
  await looksGood(page, 'ivms101-problems');
});

test('a body in snake_case is told its dialect', async () => {
  const { notice, rows } = await check(JSON.stringify({ originator: { originator_persons: [] } }));
  expect(notice).toContain('Dialect snake_case:');
  expect(rows.join()).toContain('originator.originator_persons');
});

test('a whole request without a problem', async () => {
  const { page, notice, rows } = await check(JSON.stringify(verificationOf(world), null, 2));
  expect([notice.trim(), rows]).toEqual(['Dialect 2020: no problem.', []]);
  await looksGood(page, 'ivms101-right');
});

test.each([
  ['{"originator": }', /The text is not JSON: Unexpected token '}'/],
  ['7', /`?payload`? should be an object, a list of persons/],
])('%s is no IVMS101: the text stays, and the field says what is wrong', async (text, message) => {
  const { page, notice } = await check(text);
  expect(notice).toMatch(message);
  expect(await field(page, 'payload').inputValue()).toBe(text);
  expect(await page.locator('.field-error').textContent()).toMatch(message);
});

test('in Korean', async () => {
  const { page, notice, rows } = await check(JSON.stringify(WRONG), 'ko');
  expect(notice).toContain('형식 2020: 오류');
  expect(rows.join()).toContain('국가는 ISO 3166-1 alpha-2 코드 또는 XX입니다.');
  await looksGood(page, 'ivms101-korean');
});
