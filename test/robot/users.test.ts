import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { FixtureError } from '../../src/kernel/text-file.ts';
import { loadListedOriginators, loadUsers } from '../../src/robot/judge/subject.ts';
import type { UserAccount } from '../../src/robot/users/store.ts';
import * as userRows from '../../src/robot/users/store.ts';
import { BEHAVIOUR_CODES, postponementMs, type User } from '../../src/robot/users/user.ts';
import { createUsers, userDirectory } from '../../src/robot/users/users.ts';
import { chains, directory, fixtureUsers, userOf } from '../support/judge/judge-request.ts';
import { FIXTURES } from '../support/paths.ts';

const TAYLOR = fixtureUsers[0] as (typeof fixtureUsers)[number];

describe('the fixtures that are shipped', () => {
  test('WIRE-8.2: the published users', () => {
    const published = fixtureUsers.filter(user => user.published);
    expect(published.map(user => [user.id, user.kind, user.names, user.kyc, user.published])).toEqual([
      [
        'taylor-robbins',
        'natural',
        { lastName: 'Robbins', firstName: 'Taylor' },
        true,
        { ETH: '0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c', XRP: 'rGFFufDwabHuPur9927p1EgBTcCBfsjtEU:123456789' },
      ],
      [
        'ethan-cook',
        'natural',
        { lastName: 'Cook', firstName: 'Ethan' },
        false,
        { ETH: '0x319E92715729c46869ed31d228f3b4f31e951450', XRP: 'rGFFufDwabHuPur9927p1EgBTcCBfsjtEU:345678912' },
      ],
      [
        'garrit-studio',
        'legal',
        {
          legalName: 'Garrit Studio',
          representatives: [
            { lastName: 'Clarke', firstName: 'Jason' },
            { lastName: 'Lindqvist', firstName: 'Mara' },
          ],
        },
        true,
        { ETH: '0x26704Dc20d0ddF6cAa45b4D2b8AcB643015B951E', XRP: 'rGFFufDwabHuPur9927p1EgBTcCBfsjtEU:234567891' },
      ],
    ]);
    for (const user of published) expect(user.published?.XRP.split(':')[1]).toBe(`${user.destinationTag}`);
  });

  test('PROD-5: one user for every special behaviour', () => {
    const special = fixtureUsers.map(user => user.behaviour).filter(behaviour => behaviour !== 'ORDINARY');
    expect(special.toSorted()).toEqual(BEHAVIOUR_CODES.filter(code => code !== 'ORDINARY').toSorted());
  });

  test('WIRE-8.3: the one listed originator', () => {
    expect(loadListedOriginators(FIXTURES)).toEqual([
      { lastName: 'Escobar', firstName: 'Pablo', dateOfBirth: '1949-12-01', placeOfBirth: 'Colombia' },
    ]);
  });
});

describe('a wrong fixture file stops with one error', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const errorOf = (content: unknown): string => {
    writeFileSync(join(folder, 'users.json'), typeof content === 'string' ? content : JSON.stringify(content));
    try {
      loadUsers(folder);
    } catch (error) {
      if (error instanceof FixtureError) return error.message;
      throw error;
    }
    throw new Error('the file was taken');
  };

  test('that names the file and every problem, shapes and duplicates at once', () => {
    const lines = errorOf([
      TAYLOR,
      { ...TAYLOR, id: 'Not Kebab', kyc: 'yes' },
      { ...TAYLOR, walletIndex: 1, destinationTag: 4_294_967_296, surname: 'x' },
      { ...TAYLOR, id: 'company', kind: 'legal', walletIndex: -1, destinationTag: 5 },
    ]).split('\n');
    expect(lines[0]).toBe(`${join(folder, 'users.json')} is wrong:`);
    for (const place of [
      '1.id ',
      '1.kyc ',
      '1.walletIndex is the same as 0.walletIndex',
      '1.destinationTag is the same as 0.destinationTag',
      '2.destinationTag ',
      '2 Unrecognized key: "surname"',
      '2.id is the same as 0.id',
      '3.names.legalName ',
      '3.names.representatives ',
      '3.walletIndex ',
    ])
      expect(lines.filter(line => line.startsWith(`  - ${place}`))).toHaveLength(1);
  });

  test.each([
    ['an unknown behaviour', [{ ...TAYLOR, behaviour: 'SLEEPS' }], '0.behaviour '],
    [
      'a legal person without representatives',
      [{ ...userOf('garrit-studio'), names: { legalName: 'G', representatives: [] } }],
      '0.names.representatives ',
    ],
    ['a blank name', [{ ...TAYLOR, names: { lastName: ' ', firstName: 'Taylor' } }], '0.names.lastName '],
    ['no list', { users: [TAYLOR] }, ''],
    ['a list of nobody', [], 'holds no user'],
    ['null rows', [null, null], '0 '],
  ])('%s', (_, content, place) => {
    expect(errorOf(content)).toContain(`\n  - ${place}`);
  });

  test('that holds no name of a user', () => {
    expect(errorOf([{ ...TAYLOR, kyc: 'Robbins', names: { lastName: 'Robbins' } }])).not.toContain('Robbins');
  });

  test('for text that is not JSON, and for a file that is missing', () => {
    expect(errorOf('[{')).toBe(`${join(folder, 'users.json')} is not JSON`);
    expect(() => loadListedOriginators(folder)).toThrow(
      new FixtureError(`${join(folder, 'listed-originators.json')} cannot be read (ENOENT)`),
    );
  });
});

describe('the directory', () => {
  test('D-08: finds every user again by the accounts that it shows', () => {
    for (const user of fixtureUsers) {
      const { ETH, XRP } = directory.accounts(user);
      expect(directory.find('ETH', ETH)).toBe(user);
      expect(directory.find('XRP', XRP)).toBe(user);
      expect(directory.byId(user.id)).toBe(user);
    }
  });

  test('the tag 0 is a tag', () => {
    const users = userDirectory([{ ...TAYLOR, destinationTag: 0 }], chains);
    const { XRP } = users.accounts(users.all()[0] as typeof TAYLOR);
    expect(XRP).toMatch(/:0$/);
    expect(users.find('XRP', XRP)?.id).toBe('taylor-robbins');
    expect(users.find('XRP', XRP.slice(0, -2))).toBeUndefined();
  });

  test('touches no chain until an account is asked for', () => {
    const untouchable = { parseAddress: fail, otherForm: fail, ownAccount: fail };
    const users = userDirectory(fixtureUsers, { ETH: untouchable, XRP: untouchable });
    expect(users.all()).toHaveLength(fixtureUsers.length);
    expect(() => users.find('ETH', '0x')).toThrow('asked');
  });
});

function fail(): never {
  throw new Error('asked');
}

describe('the accounts of users that VASPs add', () => {
  const KIM = {
    kind: 'natural',
    names: { lastName: 'Kim', firstName: 'M' },
    kyc: true,
    behaviour: 'ORDINARY',
  } as const;
  const emptyStore = () => {
    const db = openDb(':memory:');
    const users = (fixtures: readonly User[]) => createUsers(db, fixtures, async () => chains);
    return { db, users, accounts: () => userRows.accounts(db) };
  };

  test('keep out of the way of the fixtures', () => {
    const { db, users, accounts } = emptyStore();
    const inTheWay = { ...TAYLOR, walletIndex: 1_000, destinationTag: 1_000_000_001 };
    write(db, tx => users([inTheWay]).put(tx, '1', 'kim', KIM));
    write(db, tx => users([inTheWay]).put(tx, '1', 'lee', KIM));
    expect(accounts().map(({ walletIndex, destinationTag }) => [walletIndex, destinationTag])).toEqual([
      [1_001, 1_000_000_000],
      [1_002, 1_000_000_002],
    ]);
    db.close();
  });

  test('a fixture file that wants one of them stops the start; as the same user it may have it', () => {
    const { db, users, accounts } = emptyStore();
    write(db, tx => users(fixtureUsers).put(tx, '1', 'kim', KIM));
    const [{ walletIndex, destinationTag }] = accounts() as [UserAccount];
    expect(() => users([{ ...TAYLOR, walletIndex, destinationTag }])).toThrow(
      new FixtureError(
        'users.json uses numbers of users that were added through the API. Choose other numbers:\n' +
          `  - taylor-robbins: walletIndex ${walletIndex}\n  - taylor-robbins: destinationTag ${destinationTag}`,
      ),
    );
    expect(() => users([{ ...TAYLOR, id: 'kim', walletIndex, destinationTag }])).not.toThrow();
    db.close();
  });

  test('are watched from the commit on, and not when it fails', async () => {
    const { db, users } = emptyStore();
    const mine = users(fixtureUsers);
    const { accounts, ownerOf } = await mine.watched('ETH');
    expect(accounts.size).toBe(fixtureUsers.length);
    expect([...(await mine.watched('XRP')).accounts]).toHaveLength(1);
    const refused = () =>
      write(db, tx => {
        mine.put(tx, '1', 'kim', KIM);
        throw new Error('refused');
      });
    expect(refused).toThrow('refused');
    expect(accounts.size).toBe(fixtureUsers.length);
    expect((await mine.of('1')).byId('kim')).toBeUndefined();
    write(db, tx => mine.put(tx, '1', 'kim', KIM));
    const account = (await mine.of('1')).accounts((await mine.of('1')).byId('kim')!).ETH.toLowerCase();
    expect(accounts).toContain(account);
    expect([ownerOf({ account }), ownerOf({ account: directory.accounts(TAYLOR).ETH.toLowerCase() })]).toEqual([
      '1',
      undefined,
    ]);
    db.close();
  });

  test('VASPs that have changed nothing share one directory', async () => {
    const { db, users } = emptyStore();
    const mine = users(fixtureUsers);
    write(db, tx => mine.put(tx, '1', 'kim', KIM));
    expect(await mine.of('2')).toBe(await mine.of('3'));
    expect(await mine.of('1')).toBe(await mine.of('1'));
    expect(await mine.of('1')).not.toBe(await mine.of('2'));
    write(db, tx => mine.restoreFixtures(tx, '1'));
    expect(await mine.of('1')).toBe(await mine.of('2'));
    db.close();
  });
});

describe('PROD-5: how long an answer is held back', () => {
  test.each([
    ['NEVER-ANSWERS', 5_000, Number.POSITIVE_INFINITY],
    ['ANSWERS-LATE', 5_000, 6_000],
    ['ANSWERS-SLOWLY', 5_000, 3_000],
    ['ANSWERS-SLOWLY', 1_000, 600],
    ['ORDINARY', 5_000, undefined],
    ['NOT-ALLOWED', 5_000, undefined],
  ] as const)('%s within %d ms: %s', (behaviour, limitMs, expected) => {
    expect(postponementMs(behaviour, limitMs)).toBe(expected);
  });
});
