import { expect, test } from 'vitest';
import { natural, REQUEST } from '../support/ivms101.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

test('the check tells dialect and problems, with clause and what is wanted', async () => {
  expect(await world.api.checkIvms101({ payload: REQUEST })).toEqual({ dialect: '2020', problems: [] });
  expect(await world.api.checkIvms101({ payload: natural({ nationality: 'UK' }) })).toEqual({
    dialect: '2020',
    problems: [
      {
        path: 'naturalPerson.nationality',
        clause: 'C3',
        severity: 'FAILURE',
        text: 'The value is no country.',
        wanted: 'GB (an ISO 3166-1 alpha-2 code, or XX)',
      },
    ],
  });
});

test('a birth day is compared with the time of the VASP', async () => {
  const now = Date.parse((await world.api.clock()).now);
  const dayAfter = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
  const born = (dateOfBirth: string) =>
    world.api.checkIvms101({ payload: natural({ dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth: 'Seoul' } }) });
  const clauses = async (days: number) => (await born(dayAfter(days))).problems.map(({ clause }) => clause);
  expect([await clauses(-1), await clauses(0), await clauses(1)]).toEqual([[], ['C2'], ['C2']]);
});

test.each([
  [undefined, 'MISSING-PAYLOAD'],
  [null, 'MISSING-PAYLOAD'],
  [7, 'BAD-REQUEST'],
  ['1e999', 'BAD-REQUEST'],
  ['null', 'BAD-REQUEST'],
])('a payload %s is refused', async (payload, code) => {
  const { status, body } = await world.api.call('POST', '/sandbox/v1/ivms101/check', { payload });
  expect([status, body]).toEqual([400, { code, message: expect.stringContaining('`payload` ') }]);
});

test('lists of persons and JSON text are checked too', async () => {
  const person = natural({ nationality: 'UK' });
  for (const payload of [JSON.stringify(person), [person]])
    expect(await world.api.call('POST', '/sandbox/v1/ivms101/check', { payload })).toMatchObject({
      status: 200,
      body: { problems: [{ clause: 'C3' }] },
    });
});
