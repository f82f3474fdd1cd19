import { describe, expect, test } from 'vitest';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());
const { apiKey = '' } = await world.api.registerVasp('100000000000000001', { name: 'Other VASP' });
const other = { api: world.as(apiKey), cookie: `robot-vasp-key=${apiKey}` };

interface Asked {
  headers?: Record<string, string>;
  /** Fields of a form that is sent. */
  form?: Record<string, string>;
}
async function ask(path: string, { headers = {}, form }: Asked = {}) {
  const origin = { origin: world.url };
  const answer = await fetch(`${world.url}/console${path}`, {
    redirect: 'manual',
    headers: { ...(form ? origin : {}), ...headers },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('nothing of a page comes from elsewhere, and no other page may hold it in a frame', async () => {
  const { headers, text } = await ask('');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect([...text.matchAll(/(?:src|href)="(https?:[^"]*)"/g)]).toEqual([]);
});

test('a form of another site is refused', async () => {
  const headers = { origin: 'http://elsewhere.example' };
  expect((await ask('/verifications/x/advance', { headers, form: { duration: '1h' } })).status).toBe(403);
});

test('a list of what is due, or of VASPs, has a next page; a list of what has been has an older one', async () => {
  for (let n = 0; n < 2; n++) await verified(world);
  const { next: after } = await world.api.timers({ limit: 1 });
  for (const path of [`/timers?after=${after}`, '/keys?after=0']) {
    const { text } = await ask(path);
    expect(text).toContain('Next →');
    expect(text).not.toContain('Older →');
  }
  expect((await ask('/callbacks?before=999999')).text).toContain('Older →');
});

test.each(['/verifications', '/callbacks', '/exchanges', '/assessments'])(
  'a filter of %s takes no text that is too long for its list',
  async path => {
    const { text } = await ask(path);
    const [filter = ''] = text.match(/<form[^>]*class="filter"[\s\S]*?<\/form>/) ?? [];
    for (const [input] of filter.matchAll(/<input[^>]*>/g)) {
      const [, name = ''] = /name="(\w+)"/.exec(input) ?? [];
      const [, most] = /maxlength="(\d+)"/.exec(input) ?? [];
      expect((await ask(`${path}?${name}=${'y'.repeat(Number(most))}`)).status).toBe(200);
    }
    expect(filter).toContain('maxlength');
  },
);

const PERSON = { kind: 'natural', firstName: 'Ada', lastName: 'Late', behaviour: 'ORDINARY' };
test.each([
  ['/chains/faucet', { symbol: 'ETH', address: '0x12', amount: '5' }, '0x12'],
  ['/faults/add', { target: 'callback', mode: 'delay', verificationUuid: '', delay: 'never', times: '1' }, 'never'],
  ['/timers/advance', { duration: 'soon' }, 'soon'],
  ['/users/add', { ...PERSON, userId: 'Not an id' }, 'Not an id'],
  ['/users/add', { ...PERSON, userId: 'taylor-robbins' }, 'taylor-robbins'],
  ['/checks/start', { plan: 'security', modules: 'W9.9' }, 'W9.9'],
])('what %s refuses is shown in its own form alone', async (path, form, typed) => {
  const { text } = await ask(path, { form });
  expect(text.match(/class="field-error"/g)).toHaveLength(1);
  expect(text.match(new RegExp(`value="${typed}"`, 'g'))).toHaveLength(1);
});

test('an account in the form that is no address is refused in its own field', async () => {
  const form = { plan: 'security', modules: 'S4', lastName: 'Barnes', firstName: 'Robert', XRP: 'rNOBODY:1' };
  const { text } = await ask('/checks/start', { form });
  expect(text).toMatch(/<input[^>]* name="XRP"[^>]* aria-invalid="true"/);
});

test('customers that are no file of customers are refused in their own field', async () => {
  const { text } = await ask('/checks/start', { form: { plan: 'security', customers: '{"version":0}' } });
  expect(text).toMatch(/<textarea[^>]* name="customers"[^>]* aria-invalid="true"/);
});

test('Money has a tab for each direction, and the pager the name of its list', async () => {
  const namesOf = async (path: string) =>
    [...(await ask(path)).text.matchAll(/<nav class="pager" aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(await namesOf('/money?before=1')).toEqual(['Pages of the list: The robot paid you']);
  expect(await namesOf('/money?list=deposits&before=1')).toEqual(['Pages of the list: You paid the robot']);
});

test.each(['pay-from-faucet', 'inquire', 'resend'])(
  '%s of a verification that a reset has deleted is not found',
  async action => {
    const { status, text } = await ask(`/verifications/nonsense/${action}`, { form: { exchangeId: '1' } });
    expect([status, text]).toEqual([404, expect.stringContaining('There is no such entry')]);
  },
);

test.each(['nonsense/har', '%00/har', 'nonsense/bundle'])(
  'the file %s, of no verification, is not found',
  async file => {
    expect(await ask(`/verifications/${file}`)).toMatchObject({ status: 404 });
  },
);

test('two payments of one transaction to one address are two entries', async () => {
  const { users } = await world.api.info();
  const address = users[0]!.accounts.ETH;
  const { body } = await world.api.call<{ txHash: string }>('POST', '/sandbox/v1/faucet', {
    ...{ symbol: 'ETH', address, amount: '1' },
    others: [{ address, amount: '2' }],
  });
  await world.api.advance('0s');
  const { text } = await ask('/money?list=deposits');
  const ids = [...text.matchAll(/<tbody id="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids.filter(id => id.includes(body.txHash))).toHaveLength(2);
  expect(new Set(ids).size).toBe(ids.length);
});

test('D-01: each VASP sees its own', async () => {
  const { uuid } = await verified(world);
  const headers = { cookie: other.cookie };
  expect((await ask('/verifications')).text).toContain(uuid);
  expect((await ask('/verifications', { headers })).text).not.toContain(uuid);
  expect(await ask(`/verifications/${uuid}`, { headers })).toMatchObject({ status: 404 });
  expect(await ask(`/json/v1/verifications/${uuid}`, { headers })).toMatchObject({ status: 404 });
  expect(JSON.parse((await ask(`/json/v1/verifications/${uuid}`)).text)).toEqual(await world.api.verification(uuid));
});

test('signing in with a key of a registered VASP is remembered; it is out of reach for scripts', async () => {
  const { status, headers } = await ask('/sign-in', { form: { apiKey: other.cookie.split('=')[1]! } });
  expect(status).toBe(303);
  expect(headers.get('set-cookie')).toMatch(/^robot-vasp-key=.+; HttpOnly; SameSite=Strict$/);
});

test('an unknown key is refused, and forgotten', async () => {
  const refused = await ask('/sign-in', { form: { apiKey: 'nobodys' } });
  expect(refused.text).toContain('notice failed');
  expect(refused.headers.get('set-cookie')).toBeNull();
  const later = await ask('', { headers: { cookie: 'robot-vasp-key=nobodys' } });
  expect(later.status).toBe(401);
  expect(later.headers.get('set-cookie')).toContain('Max-Age=0');
});

test.each(['rv_main_…', '열쇠', 'a\nb'])('a key that fits no header is unknown: %j', async apiKey => {
  const { status, text } = await ask('/sign-in', { form: { apiKey } });
  expect([status, text]).toEqual([200, expect.stringContaining('This API key is unknown.')]);
});

test('after an action the page is shown as it was called up', async () => {
  const { uuid } = await verified(world);
  const [callback] = (await world.api.callbacks({ verificationUuid: uuid })).callbacks;
  const form = { id: callback!.id };
  const headers = { referer: `${world.url}/console/callbacks?status=GIVEN-UP` };
  const { text } = await ask('/callbacks/replay', { headers, form });
  expect(text).toContain('data-here="/console/callbacks?status=GIVEN-UP"');
  expect(text).toContain('No callback matches this filter.');
});

test('an address without a page is not found, in the frame of every page', async () => {
  const { status, text } = await ask('/nothing-here');
  expect(status).toBe(404);
  expect(text).toMatch(/Tested VASP.*no such page/s);
});

test.each(['/verifications/00000000-0000-4000-8000-000000000000', '/verifications/nonsense'])(
  '%s, which nobody knows, is not found and links to the list',
  async path => {
    const { status, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).toMatch(/There is no such entry.*<a href="\/console\/verifications">Verifications<\/a>/s);
    const { text: korean } = await ask(`${path}?lang=ko`);
    expect(korean).toMatch(/해당 항목이 없거나.*<a href="\/console\/verifications">/s);
  },
);

test.each(['/', '/callbacks/'])('%s leads to the page', async path => {
  const { status, headers } = await ask(path);
  expect(status).toBe(301);
  expect(headers.get('location')).toBe(`/console${path.slice(0, -1)}`);
});

test('what the API refuses is said above the page', async () => {
  const { status, text } = await ask('/callbacks/replay', { form: { id: '999999' } });
  expect(status).toBe(200);
  expect(text).toMatch(/notice failed.*answered 404/s);
});

describe('the language', () => {
  const KOREAN = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' };

  test.each([
    ['the browser', '/tests', KOREAN],
    ['the query', '/tests?lang=ko', {}],
    ['the cookie', '/tests', { cookie: 'robot-vasp-language=ko' }],
  ])('is chosen by %s', async (_, path, headers) => {
    const { text } = await ask(path, { headers });
    expect(text).toContain('<html lang="ko">');
    expect(text).toContain('<h1>단일 테스트 실행</h1>');
    expect(text).toContain('>출금 테스트</h2>');
    expect(text).toContain('href="/console/tests?lang=en"');
  });

  test('of the query counts before that of cookie and browser, and is kept', async () => {
    const headers = { ...KOREAN, cookie: 'robot-vasp-language=ko' };
    const { text, headers: answer } = await ask('?lang=en', { headers });
    expect(text).toContain('<html lang="en">');
    expect(answer.get('set-cookie')).toContain('robot-vasp-language=en');
    expect(answer.get('vary')).toContain('Accept-Language');
  });

  test('that nobody knows is English', async () => {
    expect((await ask('', { headers: { 'accept-language': 'tlh' } })).text).toContain('<html lang="en">');
  });

  test('explains reason and findings of a verification', async () => {
    const { uuid } = await verified(world);
    const { text } = await ask(`/verifications/${uuid}?lang=ko`);
    expect(text).toContain('진행 과정');
    expect(text).toContain('송신 VASP');
  });
});

test('users and faults are one file: downloaded, imported elsewhere, refused when it is another', async () => {
  const { cookie, api } = other;
  await world.api.putUser('mira-lang', {
    kind: 'natural',
    names: { firstName: 'Mira', lastName: 'Lang' },
    kyc: true,
    behaviour: 'NOT-ALLOWED',
  });
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 2 });
  const { text: file, headers } = await ask('/users/setup.json');
  expect(headers.get('content-disposition')).toContain('setup.json');
  const done = await ask('/users/import', { headers: { cookie }, form: { setup: file } });
  expect(done.text).toContain('Imported: 1 users, 1 faults.');
  expect((await api.users()).users).toContainEqual(
    expect.objectContaining({ id: 'mira-lang', behaviour: 'NOT-ALLOWED' }),
  );
  expect((await api.faults()).faults).toMatchObject([{ target: 'callback', mode: 'status', left: 2 }]);
  const refused = await ask('/users/import', { form: { setup: '{"users":' } });
  expect(refused.text).toContain('This is not a file of users and faults.');
  expect(refused.text).toContain('aria-invalid="true"');
});
