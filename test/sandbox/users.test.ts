import { afterEach, describe, expect, test } from 'vitest';
import type { Order } from '../../src/client/calls.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { BEHAVIOUR_CODES, BEHAVIOURS } from '../../src/robot/users/user.ts';
import { RobotUser, UsersResponse } from '../../src/sandbox/users.ts';
import { fixtureUsers } from '../support/judge/judge-request.ts';
import { HARBOUR, KIM } from '../support/requests/added-users.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());
afterEach(() => world.api.restoreUsers());

const MISSING = { status: 404, code: 'NOT-FOUND' };
const ids = async () => (await world.api.users()).users.map(({ id }) => id);
const FIXTURE_IDS = fixtureUsers.map(({ id }) => id);

describe('GET', () => {
  test('lists the users of the fixtures with their addresses, and what every behaviour means', async () => {
    const answer = await world.api.users();
    expect(UsersResponse.parse(answer)).toEqual(answer);
    expect(answer.users).toEqual(world.info.users);
    expect(answer.users.map(({ id, source }) => [id, source])).toEqual(FIXTURE_IDS.map(id => [id, 'fixture']));
    expect(answer.behaviours).toEqual(BEHAVIOUR_CODES.map(behaviour => ({ behaviour, ...BEHAVIOURS[behaviour] })));
  });

  test('answers one', async () => {
    expect(await world.api.user('garrit-studio')).toEqual(world.user('garrit-studio'));
  });

  test.each(['nobody', 'Taylor-Robbins', '%', 'a/b', 'ü', ' ', 'x'.repeat(65), '__proto__', '{id}'])(
    '%s is nobody: 404, which says where to look',
    async id => {
      await expect(world.api.user(id)).rejects.toMatchObject(MISSING);
      await expect(world.api.user(id)).rejects.toThrow(/GET \/sandbox\/v1\/users lists all/);
    },
  );
});

describe('PUT', () => {
  test('adds a natural and a legal person, with addresses that nobody else has', async () => {
    const kim = await world.api.putUser('kim', KIM);
    const harbour = await world.api.putUser('harbour-freight', HARBOUR);
    expect(RobotUser.parse(kim)).toEqual({ ...KIM, id: 'kim', source: 'added', accounts: kim.accounts });
    expect(harbour).toEqual({ ...HARBOUR, id: 'harbour-freight', source: 'added', accounts: harbour.accounts });
    expect(kim.accounts.ETH).toMatch(/^0x[\da-fA-F]{40}$/);
    expect(kim.accounts.XRP).toMatch(/^r\w{24,34}:\d+$/);
    const { users } = await world.api.users();
    expect(users.slice(-2)).toEqual([kim, harbour]);
    for (const symbol of ASSET_SYMBOLS)
      expect(new Set(users.map(({ accounts }) => accounts[symbol])).size).toBe(users.length);
    expect(await world.api.user('kim')).toEqual(kim);
    expect((await world.api.info()).users).toEqual(users);
  });

  test('changes a user of the fixtures, at its place and with its addresses', async () => {
    const before = world.user('ethan-cook');
    const { lastName, firstName } = { lastName: 'Cook', firstName: 'Edna' };
    const changed = await world.api.putUser('ethan-cook', { ...KIM, names: { lastName, firstName } });
    expect(changed).toEqual({
      ...before,
      names: { lastName, firstName },
      kyc: true,
      behaviour: 'NOT-ALLOWED',
      source: 'changed',
    });
    expect(await ids()).toEqual(FIXTURE_IDS);
  });

  test('turns a person into a company and back', async () => {
    const before = await world.api.putUser('kim', KIM);
    const company = await world.api.putUser('kim', HARBOUR);
    expect(company).toEqual({ ...HARBOUR, id: 'kim', source: 'added', accounts: before.accounts });
    expect(await world.api.putUser('kim', KIM)).toEqual(before);
  });

  test('the same again, also ten times at once, is one user', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.api.putUser('kim', KIM)));
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(await ids()).toEqual([...FIXTURE_IDS, 'kim']);
  });

  test('ten at once have ten addresses', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, (_, i) => world.api.putUser(`kim-${i}`, KIM)));
    expect(new Set(users.map(({ accounts }) => accounts.ETH)).size).toBe(10);
    expect(new Set(users.map(({ accounts }) => accounts.XRP)).size).toBe(10);
  });

  test('without a behaviour the user is an ordinary one; null counts as left out', async () => {
    const { behaviour: _, ...plain } = KIM;
    expect((await world.api.putUser('kim', plain)).behaviour).toBe('ORDINARY');
    expect((await world.api.putUser('kim', KIM)).behaviour).toBe('NOT-ALLOWED');
    const again = await world.api.putUser('kim', { ...plain, behaviour: null as never });
    expect(again.behaviour).toBe('ORDINARY');
  });

  test('an answer can be sent back, also to copy a user: addresses are never taken from the caller', async () => {
    const taylor = world.user('taylor-robbins');
    const copy = await world.api.putUser('taylor-again', taylor as Order<'putUser'>);
    expect(copy).toMatchObject({ id: 'taylor-again', names: taylor.names, source: 'added' });
    expect(copy.accounts.ETH).not.toBe(taylor.accounts.ETH);
    expect(copy.accounts.XRP).not.toBe(taylor.accounts.XRP);
    const sly = { ...KIM, walletIndex: 0, destinationTag: 123456789, published: { ETH: '0x', XRP: 'r' } };
    const { accounts } = await world.api.putUser('sly', sly as Order<'putUser'>);
    expect([taylor.accounts.ETH, taylor.accounts.XRP]).not.toContain(accounts.ETH);
    expect(accounts.XRP).not.toMatch(/:123456789$/);
  });

  test('names stand as they are given, without the blanks around them', async () => {
    const names = { lastName: ' 김 ', firstName: "O'Neill-José" };
    const { names: kept } = await world.api.putUser('kim', { ...KIM, names } as Order<'putUser'>);
    expect(kept).toEqual({ lastName: '김', firstName: "O'Neill-José" });
  });

  test.each([
    ['a', 200],
    ['0', 200],
    ['a-b-1', 200],
    ['x'.repeat(64), 200],
    ['x'.repeat(65), 400],
    ['A', 400],
    ['-a', 400],
    ['a-', 400],
    ['a--b', 400],
    ['a_b', 400],
    ['a.b', 400],
    ['a b', 400],
    ['a/b', 400],
    ['ä', 400],
    ['%', 400],
    ['__proto__', 400],
    ['constructor', 200],
  ])('the id %s: %d', async (id, expected) => {
    const { status, body } = await world.api.call<{ code: string; message: string }>(
      'PUT',
      `/sandbox/v1/users/${encodeURIComponent(id)}`,
      KIM,
    );
    expect([status, body.code]).toEqual([expected, expected === 400 ? 'BAD-REQUEST' : undefined]);
    if (expected === 400) expect(body.message).toMatch(/^`userId` should /);
  });

  const natural = (change: object) => ({ ...KIM, ...change });
  const legal = (names: object) => ({ ...HARBOUR, names });
  const PERSON = { lastName: 'Ito', firstName: 'Aya' };
  test.each([
    ['no kind', { ...KIM, kind: undefined }, 'MISSING-KIND', '`kind` is required.'],
    ['another kind', natural({ kind: 'robot' }), 'BAD-REQUEST', '`kind` should be `natural` or `legal`.'],
    ['a kind that is no text', natural({ kind: 1 }), 'BAD-REQUEST', '`kind` should be `natural` or `legal`.'],
    ['no names', natural({ names: undefined }), 'MISSING-NAMES', '`names` is required.'],
    ['names as text', natural({ names: 'Kim' }), 'BAD-REQUEST', '`names` should be an object.'],
    ['names as a list', natural({ names: [] }), 'BAD-REQUEST', '`names` should be an object.'],
    ['no first name', natural({ names: { lastName: 'Kim' } }), 'MISSING-FIRST-NAME', '`names.firstName` is required.'],
    [
      'a blank name',
      natural({ names: { lastName: ' ', firstName: 'M' } }),
      'BAD-REQUEST',
      '`names.lastName` should not be empty.',
    ],
    [
      'a name of 257 characters',
      natural({ names: { lastName: 'Kim', firstName: 'M'.repeat(257) } }),
      'BAD-REQUEST',
      '`names.firstName` should have at most 256 characters.',
    ],
    [
      'a name that is a number',
      natural({ names: { lastName: 7, firstName: 'M' } }),
      'BAD-REQUEST',
      '`names.lastName` should be text.',
    ],
    ['a half character', '{"kind":"\\ud800"}', 'BAD-REQUEST', '`kind` should be well-formed Unicode text.'],
    ['a company with the names of a person', legal(PERSON), 'MISSING-LEGAL-NAME', '`names.legalName` is required.'],
    [
      'a person with the names of a company',
      natural({ names: HARBOUR.names }),
      'MISSING-LAST-NAME',
      '`names.lastName` is required.',
    ],
    [
      'no representatives',
      legal({ legalName: 'H' }),
      'MISSING-REPRESENTATIVES',
      '`names.representatives` is required.',
    ],
    [
      'an empty list of representatives',
      legal({ legalName: 'H', representatives: [] }),
      'BAD-REQUEST',
      '`names.representatives` should have at least one element.',
    ],
    [
      'a nameless representative',
      legal({ legalName: 'H', representatives: [PERSON, { lastName: 'B' }] }),
      'MISSING-FIRST-NAME',
      '`names.representatives[1].firstName` is required.',
    ],
    ['no kyc', natural({ kyc: undefined }), 'MISSING-KYC', '`kyc` is required.'],
    ['kyc as text', natural({ kyc: 'true' }), 'BAD-REQUEST', '`kyc` should be true or false.'],
    [
      'another behaviour',
      natural({ behaviour: 'SLEEPS' }),
      'BAD-REQUEST',
      `\`behaviour\` should be one of ${BEHAVIOUR_CODES.map(code => `\`${code}\``).join(', ')}.`,
    ],
    ['nothing', {}, 'MISSING-KIND', '`kind` is required.'],
    ['a list', '[]', 'BAD-REQUEST', 'The body should be a JSON object.'],
    ['no JSON', '{', 'BAD-REQUEST', 'The body should be JSON.'],
    ['no body', '', 'BAD-REQUEST', 'The body should be JSON.'],
  ])('%s is refused, and nothing has changed', async (_, body, code, message) => {
    const answer = await world.api.call('PUT', '/sandbox/v1/users/kim', body);
    expect([answer.status, answer.body]).toEqual([400, { code, message }]);
    expect(await ids()).toEqual(FIXTURE_IDS);
  });
});
