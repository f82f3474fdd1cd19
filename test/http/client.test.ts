import { expect, test } from 'vitest';
import { client, Refused } from '../../src/client/client.ts';

test('every request carries the headers of the client and its key, the events too', async () => {
  const sent: Headers[] = [];
  const api = client('http://sandbox', {
    apiKey: 'rv_key',
    headers: { 'x-cell': 'b' },
    send({ headers, url }) {
      sent.push(headers);
      return url.endsWith('/events') ? new Response('', { status: 200 }) : Response.json({});
    },
  });
  await api.clock();
  await api.reset();
  for await (const _ of api.events({}, { lastEventId: '7' })) expect.unreachable();
  const common = { 'x-cell': 'b', authorization: 'Bearer rv_key' };
  expect(sent.map(each => Object.fromEntries(each))).toEqual([common, common, { ...common, 'last-event-id': '7' }]);
});

test('a query leaves out what is undefined', async () => {
  const urls: string[] = [];
  const api = client('http://sandbox', {
    send({ url }) {
      urls.push(url);
      return Response.json({});
    },
  });
  await api.callbacks({ status: 'LOST', after: undefined });
  expect(urls).toEqual(['http://sandbox/sandbox/v1/callbacks?status=LOST']);
});

test('a refusal whose header is no percent code names the field as it came', () => {
  const answer = { status: 400, headers: new Headers({ 'refused-field': '100%' }), body: undefined };
  expect(new Refused('GET /info', answer).field).toBe('100%');
});
