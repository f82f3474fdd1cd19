import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const post = async (path: string, body: object) => {
  const answer = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, field: answer.headers.get('refused-field'), body: await answer.json() };
};

test.each([
  ['/v1/verifications/tx/inquiry', {}, 'verificationUuid'],
  ['/sandbox/v1/clock/advance', { duration: 'soon' }, 'duration'],
])('%s: a header names the field, and the body has the members of the reference', async (path, body, field) => {
  const answer = await post(path, body);
  expect(answer).toMatchObject({ status: 400, field });
  expect(Object.keys(answer.body as object)).toEqual(['code', 'message']);
});

test('a refusal of no field has no such header', async () => {
  expect(await post('/sandbox/v1/no-such-path', {})).toMatchObject({ status: 404, field: null });
});
