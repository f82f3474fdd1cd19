import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import conditions from '../../src/console/texts/ko/sentences/conditions.json' with { type: 'json' };
import { textsOf, translatorOf } from '../../src/console/texts/languages.ts';
import { IVMS101_CLAUSES } from '../../src/contract/ivms101-check/problem.ts';
import { conditionsOf, MODULES } from '../../src/plans/catalogue.ts';
import { readSources } from '../support/architecture/source.ts';
import { englishLeft } from '../support/docs/english-left.ts';
import { ROOT } from '../support/paths.ts';

const { sentences } = textsOf('ko');
const translate = translatorOf(sentences);

const texts = MODULES.flatMap(module => conditionsOf(module).map(({ text }) => text));

test('every condition of the plans is in Korean', () => {
  expect(texts.length).toBeGreaterThan(400);
  expect([...new Set(texts)].filter(text => englishLeft(translate(text)).length > 0)).toEqual([]);
});

test.each(['verifyUser', 'verifyAccount'])('every cause of a wrong answer of %s is in Korean', operation => {
  const abouts = texts.flatMap(text => /^The answer is right for (.+?)(?:: .+)?\.$/.exec(text)?.[1] ?? []);
  expect(abouts.length).toBeGreaterThan(40);
  const causes = abouts.map(about => `${operation} answers 401 UNAUTHORIZED for ${about}`);
  expect(causes.filter(text => englishLeft(translate(text)).length > 0)).toEqual([]);
});

test('a Korean title of a module speaks of an address only where the English one does', () => {
  const { moduleTitles } = textsOf('ko');
  const speaking = MODULES.filter(({ id }) => moduleTitles[id]?.includes('주소'));
  expect(speaking.length).toBeGreaterThan(1);
  expect(speaking.filter(({ title }) => !/address|wallet|account/i.test(title)).map(({ id }) => id)).toEqual([]);
});

test('no Korean condition is left over', () => {
  const keys = Object.keys(conditions);
  // All values of a sentence are looked at, too.
  const marks = keys.map((key, position) => [key, `<${position}>{0}{1}{2}{3}`]);
  const mark = translatorOf({ ...sentences, ...Object.fromEntries(marks) });
  const used = new Set(texts.flatMap(text => [...mark(text).matchAll(/<(\d+)>/g)].map(([, at]) => Number(at))));
  expect(keys.filter((_, position) => !used.has(position))).toEqual([]);
});

test('a Korean sentence names each place by its number', () => {
  const values = Object.entries(sentences).map(
    ([english, korean]) => [english.split('{}').length - 1, korean] as const,
  );
  const wrong = values.filter(([places, korean]) =>
    [...korean.matchAll(/\{(\d*)\}/g)].some(([, place]) => place === '' || Number(place) >= places),
  );
  expect(wrong).toEqual([]);
});

/** What a check, a verdict or a rule says of a value: each text of the module is such a sentence or its part. */
const SAY =
  /^(?:contract\/ivms101-check\/(?!dialects)|robot\/report\/judge-report|robot\/deposit\/lifecycle|sandbox\/probes)/;
const CLAUSES: readonly string[] = Object.values(IVMS101_CLAUSES);
/** No part of a sentence, no list of codes, and nothing that is sent to a VASP. */
const SENTENCE = /^(?!arab |Endpoint check: )[\p{L}\d]/u;

function* textsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, value, quasis, callee } = node as {
    type?: string;
    value?: unknown;
    quasis?: unknown;
    callee?: unknown;
  };
  // What the API document says of a member stays English.
  if ((callee as { property?: { name?: string } } | undefined)?.property?.name === 'describe') return;
  if (type === 'Literal' && typeof value === 'string') yield value;
  if (type === 'TemplateLiteral')
    yield (quasis as { value: { cooked: string } }[]).map(each => each.value.cooked).join('7');
  for (const each of Object.values(node)) yield* textsIn(each);
}

test('every finding about IVMS101, reports, payments and endpoints is in Korean', () => {
  const files = readSources().filter(({ path }) => SAY.test(path));
  const found = files.flatMap(({ path }) => {
    const code = readFileSync(join(ROOT, 'src', path), 'utf8');
    return [...textsIn(parseAst(code, { lang: 'ts' }, path).body)];
  });
  expect(found.length).toBeGreaterThan(300);
  const own = found.filter(text => SENTENCE.test(text) && !CLAUSES.includes(text));
  expect(own.filter(text => englishLeft(translate(text)).length > 0)).toEqual([]);
});

test('an English sentence that has no key of its own stays English, whole', () => {
  const filled = Object.keys(sentences)
    .filter(each => each.includes('{}'))
    .map(each => each.replaceAll('{}', 'the purple elephant that nobody knows'));
  expect(filled.length).toBeGreaterThan(200);
  expect(filled.filter(each => translate(each) !== each)).toEqual([]);
  const others = ['The robot paid nobody within 5 s', 'Only the newest answer of the clerk counts'];
  expect(others.map(translate)).toEqual(others);
});

test.each([
  ['no answer within 1000 ms, then the sandbox hung up', '1000ms 안에 응답이 없어 샌드박스가 연결을 끊음'],
  [
    'no such call within 2 s. The last call was verify-user, answered 404',
    '2초 안에 해당 호출이 없음. 마지막 호출은 verify-user(404 응답)',
  ],
  [
    'The answer is right for another last and first name: DENIED / MISMATCHED-NAME.',
    '성과 이름이 모두 다른 경우에 대한 응답이 올바르다: DENIED / MISMATCHED-NAME.',
  ],
  ['It is not sent yet.', '아직 보내지 않았습니다.'],
  [
    'unattributed: no report and no status answer has named it; the last answer was NO-ANSWER (before the chain started over)',
    '귀속되지 않음: 보고에도 상태 응답에도 이 송금이 없음. 마지막 응답: NO-ANSWER (체인이 다시 시작되기 전)',
  ],
  [
    'unattributed: WRONG-AMOUNT for 7f: expected 1 XRP → rAb without a tag; got 2 XRP → rAb without a tag',
    '귀속되지 않음: 7f에 대해 WRONG-AMOUNT, 기대값 1 XRP → rAb, 태그 없음, 실제값 2 XRP → rAb, 태그 없음',
  ],
  [
    'taken back: block 0xab was removed by a reorganisation. It was credited to nobody',
    '입금 처리 취소: 체인 재구성으로 블록 0xab이 제거됨. 입금 처리되었던 곳: 없음',
  ],
  [
    'credited: the originating VASP named its hash in a status answer',
    '입금 처리됨: 송신 VASP가 해시를 보고함(상태 응답)',
  ],
  ['low funds: 0x12 lacks 0.1 ETH', '자금 부족: 0x12 계정에 0.1 ETH 부족'],
  ['0.5 XRP → rAb without a tag', '0.5 XRP → rAb, 태그 없음'],
  [
    'Compare the path with the routes of your VASP. This verification is made up, so your VASP may be right. Make a withdrawal test and check again.',
    '경로를 VASP의 라우트와 비교하세요. 이 검증은 지어낸 것이므로 VASP가 맞을 수 있습니다. 출금 테스트를 한 뒤 다시 점검하세요.',
  ],
  [
    '`duration` should be a duration such as `10m`, `90s` or `1h30m`, at most 366d.',
    '`duration`의 값은 `10m`, `90s`, `1h30m` 같은 기간(최대 366d)여야 합니다.',
  ],
  [
    'The VASP was not called: its last TLS handshake failed less than 30 seconds ago.',
    'VASP를 호출하지 않았습니다. 마지막 TLS 핸드셰이크가 30초 안에 실패했습니다.',
  ],
  [
    'Look at the first endpoint that failed. Then wait 30 seconds.',
    '실패한 첫 번째 엔드포인트를 확인하세요. 그런 다음 30초 동안 기다리세요.',
  ],
  ['`address` should be an address of ETH.', '`address`의 값은 ETH의 주소여야 합니다.'],
  [
    'As beneficiary: the robot answers after 3 seconds, within the time limit.',
    '수취인일 때: 로봇이 제한 시간 안에서 3초 후에 응답합니다.',
  ],
  [
    'As beneficiary: DENIED / BLACKLISTED, unless an earlier rule decides.',
    '수취인일 때: 앞선 규칙이 결정하지 않으면 DENIED / BLACKLISTED입니다.',
  ],
  ['constructor', 'constructor'],
  ['A sentence that nobody knows. Nor this one.', 'A sentence that nobody knows. Nor this one.'],
])('%s', (english, own) => expect(translate(english)).toBe(own));

test('what a module lacks is said without a variable or a command on a page that can set it', () => {
  const say = textsOf('en').sentences;
  const named = Object.entries(sentences)
    .filter(([english]) => /robot-vasp |\bVEGA_[A-Z_]+/.test(english))
    .map(([english, korean]) => [say[english] ?? english, korean]);
  expect(named.length).toBeGreaterThan(1);
  expect(named.flat().filter(text => /robot-vasp |\bVEGA_/.test(text))).toEqual([]);
});
