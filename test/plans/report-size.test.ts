import { expect, test } from 'vitest';
import type { EvidenceExchange, ModuleReport, RunReport } from '../../src/contract/plans.ts';
import { html } from '../../src/plans/report/html.ts';
import { junit } from '../../src/plans/report/junit.ts';
import { markdown } from '../../src/plans/report/markdown.ts';

const condition = (index: number, got: string): ModuleReport['conditions'][number] => ({
  id: `W3.${index}`,
  clause: 'REF-4.5',
  severity: 'FAILURE',
  result: 'FAILED',
  text: 'The codes are answered.',
  expected: 'nothing',
  got,
  exchanges: [],
});
/** A VASP has answered with this text wherever it could. */
const reportOf = (got: string): RunReport => ({
  version: 1,
  id: '0',
  plan: 'complete',
  tool: 'robot-vasp 0.0.0',
  vasp: { vaspId: '1', name: 'Tested VASP' },
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  stopped: false,
  clock: 'sandbox',
  chains: [],
  result: 'FAILED',
  plans: [{ plan: 'withdrawal', result: 'FAILED', skipped: [] }],
  causes: [{ id: 'one', title: got, conditions: ['W3.0'], exchange: null }],
  counts: { passed: 0, failed: 1_100, notReceived: 0, warning: 0, review: 0, skipped: 0 },
  evidence: { exchanges: 0, bytes: 0 },
  modules: [
    {
      id: 'W3',
      plan: 'withdrawal',
      title: 'Wrong requests',
      clauses: [],
      status: 'FINISHED',
      result: 'FAILED',
      skippedBecause: null,
      note: null,
      waiting: null,
      durationMs: 1_000,
      conditions: Array.from({ length: 1_100 }, (_, index) => condition(index, got)),
      exchanges: [],
    },
  ],
});

const FORMS = [
  ['JUnit', junit, 5_000_000],
  ['summary', markdown, 900 * 1024],
  ['HTML', html, 10_000_000],
] as const;
const TEXTS = [
  ['controls', '\u001b'],
  ['Korean', '한'],
  ['markup', '<&|*>'],
] as const;

test.each(
  FORMS.flatMap(([form, render, most]) => TEXTS.map(([what, text]) => [form, what, render, most, text] as const)),
)(
  '%s of 1,100 conditions with 60 kB of %s each: within the limit of its reader, and it says so',
  (_, __, render, most, text) => {
    const rendered = render(reportOf(text.repeat(60_000 / text.length)));
    expect(Buffer.byteLength(rendered)).toBeLessThanOrEqual(most);
    expect(rendered).toMatch(/Texts are cut to \d+ characters here/);
    expect(rendered.match(/W3\.\d+/g)!.length).toBeGreaterThanOrEqual(1_100);
  },
);

test.each(FORMS)('%s of an ordinary report is whole', (_, render) => {
  const rendered = render(reportOf('a text'));
  expect(rendered).not.toContain('cut');
});

test('HTML with long bodies: within the limit of a browser, it says so, and sends no body again that is cut', () => {
  const report = reportOf('a text');
  const [module] = report.modules;
  const exchange = (index: number): EvidenceExchange => ({
    id: String(index),
    direction: 'OUT',
    operation: 'callback',
    method: 'POST',
    url: 'http://127.0.0.1/callback',
    verificationUuid: null,
    request: JSON.stringify({ text: '<'.repeat(60_000) }),
    status: 200,
    response: '한'.repeat(20_000),
    error: null,
    durationMs: 1,
    at: '2026-01-01T00:00:00.000Z',
  });
  const htmlOf = (count: number) =>
    html({ ...report, modules: [{ ...module!, exchanges: Array.from({ length: count }, (_, i) => exchange(i)) }] });
  const few = htmlOf(1);
  expect(few).not.toContain('cut');
  expect(few).toContain("curl -sS -X 'POST'");
  const many = htmlOf(400);
  expect(Buffer.byteLength(many)).toBeLessThanOrEqual(10_000_000);
  expect(many).toMatch(/Texts are cut to \d+ characters here/);
  expect(many).not.toContain('curl -sS');
  expect(many.match(/id="exchange-\d+"/g)).toHaveLength(400);
});

test('HTML has one main, and folds every module; those that passed all together', () => {
  const report = reportOf('a text');
  const [module] = report.modules;
  const passed = Array.from({ length: 200 }, (_, n) => ({ ...module!, id: `P${n}`, result: 'PASSED' as const }));
  const skipped = { ...module!, id: 'S1', result: 'SKIPPED' as const, skippedBecause: 'No token is configured.' };
  const page = html({ ...report, modules: [module!, skipped, ...passed] });
  expect(page.match(/<main>/g)).toHaveLength(1);
  expect(page).toMatch(/<details class="module" id="W3">/);
  expect(page).toMatch(/<details><summary><span class="badge PASSED">PASSED<\/span> × 200<\/summary>/);
  expect(page).not.toMatch(/<details [^>]*open/);
});

test('HTML sets what stands between back-ticks as code, and nothing else', () => {
  const report = reportOf('`verify-user` was `<late>` by 1 ` or so');
  const page = html(report);
  expect(page).toContain('<h3><code>verify-user</code> was <code>&#60;late&#62;</code> by 1 ` or so</h3>');
  expect(page).toContain('<td><code>verify-user</code> was <code>&#60;late&#62;</code> by 1 ` or so</td>');
});
