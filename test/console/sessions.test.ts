import { expect, test } from 'vitest';
import { createSessions } from '../../src/console/callers.ts';

test('a caller that signs in again and again ends its own oldest sessions, and no others', () => {
  const sessions = createSessions();
  const operator = sessions.open({ role: 'operator' });
  const other = sessions.open({ role: 'vasp', keyId: 'other' });
  const own = Array.from({ length: 101 }, () => sessions.open({ role: 'vasp', keyId: 'own' }));
  expect([operator, other].map(sessions.find)).toEqual([{ role: 'operator' }, { role: 'vasp', keyId: 'other' }]);
  expect(own.map(sessions.find).filter(Boolean)).toHaveLength(100);
  expect(sessions.find(own[0])).toBeUndefined();
});

test('a session ends after twelve hours', () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const id = sessions.open({ role: 'operator' });
  now = 12 * 3_600_000 - 1;
  expect(sessions.find(id)).toEqual({ role: 'operator' });
  now += 1;
  expect(sessions.find(id)).toBeUndefined();
});
