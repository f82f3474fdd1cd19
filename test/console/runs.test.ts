import { beforeAll, describe, expect, test } from 'vitest';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** What the pages say about a run. */

const world = await forFile(createWorld());

const textOf = async (path: string, language = 'en'): Promise<string> =>
  (await fetch(`${world.url}${path}`, { headers: { cookie: `robot-vasp-language=${language}` } })).text();

async function played(modules: string[]): Promise<string> {
  const { id } = await world.api.startRun({ plan: 'complete', modules, symbols: ['ETH'], unattended: true });
  await until(async () => (await world.api.run(id)).endedAt !== null, 30_000);
  return id;
}

describe('a run that failed', () => {
  let id: string;
  beforeAll(async () => {
    world.vasp.script('callback', undefined, { status: 201, body: { result: true } });
    id = await played(['C1']);
    world.vasp.script('callback', undefined, 'ordinary');
  });

  test('leads the overview with its causes, and nothing says that all is well', async () => {
    const page = await textOf('/console');
    const place = (text: string) => page.indexOf(text);
    expect(place('Last test run')).toBeGreaterThan(0);
    expect(place('Last test run')).toBeLessThan(place('Sandbox time'));
    expect(page).toMatch(
      /<section class="verdict bad"[\s\S]*Callbacks are answered 201 instead of 200[\s\S]*<\/section>/,
    );
    expect(page).toContain(`/console/checks/${id}?module=C1`);
    expect(page).not.toContain('Nothing at present.');
  });

  test('names its causes in Korean', async () => {
    expect(await textOf('/console', 'ko')).toContain('콜백에 200 대신 201로 응답함');
    expect(await textOf(`/console/checks/${id}`, 'ko')).toContain('콜백에 200 대신 201로 응답함');
  });

  test('has at most three causes in the list of runs', async () => {
    const { runs } = await world.api.runs({ limit: 1 });
    expect(runs).toMatchObject([{ id, causes: [{ title: 'Callbacks are answered 201 instead of 200' }] }]);
  });

  test('its page leads with the verdict, and offers the report as a web page', async () => {
    const page = await textOf(`/console/checks/${id}`);
    expect(page).toMatch(/<h1>[^<]*<\/h1>\s*<div id="notice"[\s\S]*?<section class="verdict bad">/);
    expect(page).toMatch(/report\.html" download="report\.html" role="button"/);
  });
});

test('a run that passed: its banner, the counts of each plan, and the certificate as the button', async () => {
  const id = await played(['S4']);
  const page = await textOf(`/console/checks/${id}`);
  expect(page).toContain('<section class="verdict good">');
  const [, row = ''] = /<tbody id="plan-security">([\s\S]*?)<\/tbody>/.exec(page) ?? [];
  const { counts } = await world.api.run(id);
  expect(row).toContain('PASSED');
  expect(row).toContain(`<div>${counts.passed}</div>`);
  expect(page).toMatch(/report\.jws" download="report\.jws" role="button"/);
  expect(await textOf('/console')).toContain('<section class="verdict good"');
});

test('a callback that a fault lost is LOST in amber', async () => {
  await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await until(async () => (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]?.status === 'LOST');
  for (const path of [`/console/callbacks?verificationUuid=${uuid}`, `/console/verifications/${uuid}`]) {
    const page = await textOf(path);
    expect(page).toContain('<span class="badge warn">LOST</span>');
    expect(page).not.toContain('<span class="badge good">DELIVERED</span>');
  }
  const { calls } = await world.api.why(uuid);
  const [, id] = /callbacks\/(\d+)\/replay$/.exec(calls[0]!.path)!;
  const page = await textOf(`/console/verifications/${uuid}`);
  expect(page).toMatch(
    new RegExp(`<a href="/console/callbacks[^"]*#callback-${id}">Send the callback that a fault lost\\.</a>`),
  );
});

test('Start stands before what few need', async () => {
  const page = await textOf('/console/checks');
  const [form = ''] = /<form[^>]*checks\/start"[\s\S]*?<\/form>/.exec(page) ?? [];
  expect(form.indexOf('<button')).toBeLessThan(form.indexOf('name="driver"'));
  expect(form.indexOf('name="plan"')).toBeLessThan(form.indexOf('<button'));
  expect(form).toMatch(/<details id="more" class="fold">/);
});

test('the list of exchanges has one line a row, and the chosen one beside it', async () => {
  await verified(world);
  const [exchange] = (await world.api.exchanges({ limit: 1 })).exchanges;
  const list = await textOf('/console/exchanges');
  expect(list).not.toContain('<tr class="more">');
  expect(list).not.toContain('class="shown"');
  const chosen = await textOf(`/console/exchanges?shown=${exchange!.id}`);
  expect(chosen).toMatch(/<section class="shown"[\s\S]*class="exchange"/);
  const callbacks = await textOf(`/console/callbacks?shown=${(await world.api.callbacks()).callbacks[0]!.id}`);
  expect(callbacks).toMatch(/<section class="shown"[\s\S]*<ol class="attempts">/);
  for (const wrong of ['none', '999999999'])
    expect(await textOf(`/console/exchanges?shown=${wrong}`)).not.toContain('class="shown"');
});

test('no message of a page names an HTTP path', async () => {
  const { id } = await world.api.startRun({ plan: 'withdrawal', modules: ['W1'], symbols: ['ETH'], wait: '60s' });
  const form = new URLSearchParams({ plan: 'security' });
  const headers = { origin: world.url };
  const answer = await fetch(`${world.url}/console/checks/start`, { method: 'POST', headers, body: form });
  const [notice = ''] = /<div id="notice"[\s\S]*?<\/p>/.exec(await answer.text()) ?? [];
  await world.api.stopRun(id);
  expect(notice).toContain('Its page has a button that stops it.');
  expect(notice).not.toMatch(/(?:GET|POST|PUT|DELETE) \//);
});
