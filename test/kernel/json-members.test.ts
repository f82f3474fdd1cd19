import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedMember, repetitionIn } from '../../src/kernel/json.ts';

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":[0,{"c":1,"c":2}]}}', 'a.b[1].c'],
  ['[[],[{"a":[1,2]},{"a":1,"a":2}]]', '[1][1].a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{ "a" : {}, "b" : {"a" : 1}, "a" : [] }', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
])('%s: the path of the member that came twice', (text, path) => {
  expect(repeatedMember(text)).toBe(path);
});

test.each([
  '{"a":{"a":1},"b":["a","a"]}',
  '{"a":"\\"b\\":1,\\"b\\":2"}',
  '[{"a":1},{"a":1}]',
  '{"a":1,"A":2,"a ":3,"a:":4}',
  '7',
  '"a"',
])('%s: no member came twice', text => {
  expect(repeatedMember(text)).toBeUndefined();
});

test('the sentence about a member names no long one', () => {
  expect(repetitionIn('[{"a":{"b":1,"b":2}}]')).toBe('`[0].a.b` came twice.');
  const long = 'x'.repeat(201);
  expect(repetitionIn(`{"${long}":1,"${long}":2}`)).toBe('A member came twice.');
  expect(repetitionIn('{"\\ud800":1,"\\ud800":2}')).toBe('A member came twice.');
});

type Node = string | Node[] | { members: [string, Node][] };
const { node } = fc.letrec<{ node: Node }>(tie => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.json({ maxDepth: 0 }),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.record({
      members: fc.array(fc.tuple(fc.constantFrom('a', 'b', ':', '"', '\\', '{', 'é'), tie('node')), { maxLength: 4 }),
    }),
  ),
}));

const written = (each: Node): string => {
  if (typeof each === 'string') return each;
  if (Array.isArray(each)) return `[ ${each.map(written).join(' ,')}]`;
  return `{${each.members.map(([name, inner]) => ` ${JSON.stringify(name)} : ${written(inner)}`).join(',')}}`;
};
const inside = (each: Node): Node[] =>
  typeof each === 'string' ? [] : Array.isArray(each) ? each : each.members.map(([, inner]) => inner);
const hasTwice = (each: Node): boolean =>
  (typeof each !== 'string' &&
    !Array.isArray(each) &&
    new Set(each.members.map(([name]) => name)).size < each.members.length) ||
  inside(each).some(hasTwice);

test('any JSON: a member is named exactly where an object has it twice', () => {
  fc.assert(
    fc.property(node, each => {
      const text = written(each);
      expect(() => JSON.parse(text)).not.toThrow();
      expect(repeatedMember(text) !== undefined).toBe(hasTwice(each));
    }),
  );
});
