import { describe, expect, test } from 'vitest';
import { english } from '../../src/console/texts/english.ts';
import { inLanguage, korean, textsOf, translatorOf } from '../../src/console/texts/languages.ts';
import { eventText } from '../../src/console/texts/of-records.ts';
import { clauseSentences, REASON_CODES } from '../../src/contract/clauses.ts';
import { FINDING_CODES } from '../../src/contract/findings.ts';
import { REPORT_VERDICT_VALUES } from '../../src/contract/plan-list.ts';
import { TIMER_KINDS } from '../../src/db/schema/runtime.ts';
import { callbackMachine } from '../../src/enclave/callbacks/machine.ts';
import { assessmentMachine } from '../../src/enclave/risk/machine.ts';
import { verificationMachine } from '../../src/enclave/verification/machine.ts';
import { FAULT_TARGETS } from '../../src/fault-injection/port.ts';
import { CHAPTERS, type Chapter, readChapter, readClauses } from '../../src/guide/chapters.ts';
import { guide } from '../../src/guide/routes.tsx';
import { MODULES } from '../../src/plans/catalogue.ts';
import { depositMachine } from '../../src/robot/deposit/machine.ts';
import { expectationMachine } from '../../src/robot/expectation/machine.ts';
import { transferMachine } from '../../src/robot/transfer/machine.ts';
import { BEHAVIOURS } from '../../src/robot/users/user.ts';
import { englishLeft } from '../support/docs/english-left.ts';

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await guide.request(path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const CODES = /`[^`\n]+`|\b[A-Z]+-?\d[\w.-]*\w|\b[A-Z]+-[A-Z-]+\b/g;
const KOREAN = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' };
type Section = Readonly<Record<string, unknown>>;
const sections = Object.entries(english) as [keyof typeof english, Section][];

/** Their English texts come from elsewhere: the headings of the chapters, and the API. */
const BY_CODE = ['chapters', 'events', 'timelineWords', 'moduleTitles', 'sentences'];

test.each(sections.map(([name]) => name).filter(name => !BY_CODE.includes(name)))(
  'the section %s is Korean throughout',
  name => {
    expect(Object.keys(korean[name]).sort()).toEqual(Object.keys(english[name]).sort());
  },
);

test('every behaviour, mode of a fault, reason, finding and verdict is Korean', () => {
  const meanings = [
    ...Object.values(BEHAVIOURS),
    ...Object.values(FAULT_TARGETS).flatMap(({ modes }) => Object.values(modes)),
  ].map(({ meaning }) => meaning);
  const translate = translatorOf(korean.sentences);
  expect(meanings.flatMap(meaning => englishLeft(translate(meaning)))).toEqual([]);
  expect(Object.keys(korean.reasons).sort()).toEqual([...REASON_CODES].sort());
  expect(Object.keys(korean.findings).sort()).toEqual([...FINDING_CODES].sort());
  expect(Object.keys(korean.verdicts).sort()).toEqual([...REPORT_VERDICT_VALUES].sort());
});

test('every module of the plans has a Korean title', () => {
  expect(Object.keys(korean.moduleTitles).sort()).toEqual(MODULES.map(({ id }) => id).sort());
});

test('every change of a status and every timer is Korean', () => {
  const machines = [verificationMachine, callbackMachine, assessmentMachine, expectationMachine, depositMachine];
  const changes = [...machines, transferMachine].flatMap(({ name, arrows }) =>
    Object.values(arrows).flatMap(each => Object.keys(each).map(event => `${name}.${event}`)),
  );
  const timers = TIMER_KINDS.map(kind => `timer.${kind}`);
  expect(Object.keys(korean.events)).toEqual(expect.arrayContaining([...changes, ...timers]));
});

test('an event is told by its code and the members of its detail', () => {
  const event = { what: 'deposit', event: 'final', cause: 'final in block 0xab', detail: { height: 7 } };
  const say = (text: string) => text.toUpperCase();
  expect(eventText(event, textsOf('ko'), say)).toBe('블록 7에서 확정됨');
  expect(eventText(event, textsOf('en'), say)).toBe('FINAL IN BLOCK 0XAB');
  const waits = { what: 'transfer', event: 'waits', cause: 'low funds' };
  expect(eventText(waits, textsOf('ko'), say)).toBe('송금이 대기 중: LOW FUNDS');
  const finding = { what: 'finding', event: 'REPORT-LATE', cause: 'late' };
  expect(eventText(finding, textsOf('ko'), say)).toBe(korean.findings['REPORT-LATE'].meaning);
});

test.each([
  ['/console', 'ko', '/console?lang=ko'],
  ['/console/verifications?result=DENIED&lang=ko', 'en', '/console/verifications?result=DENIED&lang=en'],
  ['/guide', 'ko', '/guide/ko?lang=ko'],
  ['/guide/ko/time', 'en', '/guide/en/time?lang=en'],
  ['/guide/configuration', 'ko', '/guide/ko/configuration?lang=ko'],
] as const)('%s in %s is %s', (here, language, address) => {
  expect(inLanguage(here, language)).toBe(address);
});

describe('the guide', () => {
  test('has the language in its address, and its links keep it', async () => {
    const { html } = await get('/guide/ko/codes/REPORT-LATE');
    expect(html).toContain('<html lang="ko">');
    expect(html).toContain('트랜잭션을 전송하는 즉시 해시를 보고하세요.');
    expect(html).toContain('href="/guide/ko/time"');
    expect((await get('/guide/en/codes/REPORT-LATE', KOREAN)).html).toContain('<html lang="en">');
    const titleOf = ({ html }: { html: string }) => /<h1>.*<\/h1>/.exec(html)?.[0];
    for (const path of ['codes/REPORT-LATE', 'clauses', 'time'])
      expect(titleOf(await get(`/guide/en/${path}`))).toBe(titleOf(await get(`/guide/${path}?lang=en`)));
    expect((await get('/guide/en/nothing')).status).toBe(404);
  });

  test.each([
    ['the query', '/guide/time?lang=ko', {}],
    ['the cookie', '/guide/time', { cookie: 'robot-vasp-language=ko' }],
    ['the browser', '/guide/time', KOREAN],
  ])('follows %s', async (_, path, headers) => {
    const { html } = await get(path, headers);
    expect(html).toContain('<h1>시간</h1>');
    expect(html).toContain('각 VASP에는 자체 시계가 있습니다');
  });

  test('keeps a choice, not a guess', async () => {
    expect((await get('/guide?lang=ko')).headers.get('set-cookie')).toContain('robot-vasp-language=ko');
    expect((await get('/guide', KOREAN)).headers.get('set-cookie')).toBeNull();
    expect((await get('/guide?lang=xx')).headers.get('set-cookie')).toBeNull();
  });

  test('a link of a Korean chapter leads to a Korean one', async () => {
    expect((await get('/guide/ko/console')).html).toContain('<a href="/guide/ko/several-vasps">다른 VASP</a>');
  });

  test('finds Korean words', async () => {
    const { html } = await get(`/guide/ko?search=${encodeURIComponent('롱 폴링')}`);
    expect(html).toContain('href="/guide/ko/callbacks"');
  });

  test('has every clause in Korean, with the same codes', async () => {
    const [inEnglish, inKorean] = await Promise.all(
      (['en', 'ko'] as const).map(async language => clauseSentences(await readClauses(language))),
    );
    expect([...inKorean!.keys()]).toEqual([...inEnglish!.keys()]);
    const missing = [...inEnglish!].flatMap(([id, text]) =>
      (text.match(CODES) ?? []).filter(code => !inKorean!.get(id)?.includes(code)).map(code => `${id} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  describe.each(Object.keys(CHAPTERS) as Chapter[])('the chapter %s in Korean', name => {
    /** Buttons have the words of the language. */
    const LABELS = new Set(['`Retry now`', '`Download everything`']);
    const BLOCKS = /^ *```[\s\S]*?^ *```$/gm;
    const both = () => Promise.all([readChapter(name, 'en'), readChapter(name, 'ko')]);

    test('begins with its title', async () => {
      expect((await readChapter(name, 'ko')).startsWith(`# ${korean.chapters[name]}\n`)).toBe(true);
    });

    test('has the same code, headings, lists and tables', async () => {
      const shapeOf = (text: string) => ({
        code: text.match(BLOCKS),
        lines: text
          .replace(BLOCKS, '')
          .match(/^(#+ | *[-*] | *\d+\. |\|.*)/gm)
          ?.map(line => (line.startsWith('|') ? line.split(/(?<!\\)\|/).length : line)),
      });
      const [inEnglish, inKorean] = await both();
      expect(shapeOf(inKorean)).toEqual(shapeOf(inEnglish));
    });

    test('names the same codes, paragraph by paragraph', async () => {
      const [inEnglish, inKorean] = (await both()).map(text => text.replace(BLOCKS, '').split(/\n{2,}/));
      const missing = inEnglish!.flatMap((paragraph, at) =>
        (paragraph.match(CODES) ?? []).filter(code => !LABELS.has(code) && !inKorean![at]?.includes(code)),
      );
      expect(missing).toEqual([]);
      expect(inKorean).toHaveLength(inEnglish!.length);
    });

    test('deletes no text', async () => {
      expect((await get(`/guide/ko/${name}`)).html).not.toContain('<del>');
    });

    test('leads only to what exists', async () => {
      const { html } = await get(`/guide/ko/${name}`);
      for (const [, path, anchor] of html.matchAll(/href="(\/guide[^"#]*)(?:#([^"]*))?"/g)) {
        const page = await get(path!);
        expect(page.status, path).toBe(200);
        if (anchor) expect(page.html, anchor).toContain(`id="${decodeURIComponent(anchor)}"`);
      }
    });
  });
});
