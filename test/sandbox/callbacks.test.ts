import { describe, expect, test } from 'vitest';
import { natural } from '../../src/contract/persons.ts';
import { CallbackEntry, CallbacksResponse, MailboxResponse } from '../../src/sandbox/callbacks.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { collectGarbage } from '../support/process/collect-garbage.ts';
import { turn } from '../support/timers/test-timers.ts';
import { createChainlessWorld, toRobot, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';

const at = scratchDatabase();
const world = await forFile(createChainlessWorld(at('callbacks.sqlite')));
const other = await world.register('7001');
/** Has no callback endpoint: what concerns it waits in the mailbox. */
const reader = await world.register('7002', {});

const fresh = () => verifiedBy(world, toVasp(world, '7001'));
const BAD = (name: string) => ({
  status: 400,
  body: { code: 'BAD-REQUEST', message: expect.stringContaining(`\`${name}\``) },
});

describe('GET /callbacks', () => {
  test('a result stores nothing that its verification has, and is read whole', async () => {
    const odd = toRobot(world, 'ethan-cook');
    odd.payload.ivms101.beneficiary.beneficiaryPersons = [natural('O"Brien \\ 김\u2028\u{1f600}', 'Ethan')];
    const [uuid, denied] = [await verifiedBy(world, toVasp(world, '7001')), await verifiedBy(world, odd)];
    await world.api.advance('0s');
    const stored = (of: string) => world.sql('SELECT data FROM enclave_callbacks WHERE verification_uuid = ?', of);
    expect([stored(uuid), JSON.stringify(stored(denied)).includes('Brien')]).toEqual([[{ data: '{}' }], false]);
    // The result changes, and what was said stays.
    const body = { verificationUuid: uuid, result: 'ERROR', reason: 'x', message: 'y' };
    await world.api.call('POST', '/v1/verifications/error', body);
    expect((await world.api.verification(uuid)).result).toBe('ERROR');
    for (const of of [uuid, denied]) {
      const sent = world.vasp.callbacks(of)[0]!;
      expect((await world.api.callbacks({ verificationUuid: of })).callbacks[0]!.data).toEqual(sent.data);
      const { exchanges } = await world.api.exchanges({ verificationUuid: of, operation: 'callback' });
      expect(exchanges[0]!.request).toBe(JSON.stringify(sent));
    }
    expect(world.vasp.callbacks(uuid)[0]!.data).toHaveProperty('ivms101.beneficiary.accountNumber');
  });

  test('shows each callback with its attempts, exactly its fields', async () => {
    const uuid = await fresh();
    await world.api.advance('0s');
    const answer = await world.api.callbacks({ verificationUuid: uuid });
    expect(CallbacksResponse.parse(answer)).toEqual(answer);
    expect(answer.callbacks).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        callbackType: 'VERIFICATION_RESULT',
        verificationUuid: uuid,
        status: 'DELIVERED',
        data: world.vasp.callbacks(uuid)[0]!.data,
        createdAt: '2026-07-15T10:00:00.000Z',
        attempts: [
          {
            at: '2026-07-15T10:00:00.000Z',
            url: world.vasp.endpoints.callback,
            request: JSON.stringify(world.vasp.callbacks(uuid)[0]),
            status: 200,
            durationMs: expect.any(Number),
            error: null,
            answer: '{"result":true}',
          },
        ],
      },
    ]);
  });

  test('shows the failures with what was wrong', async () => {
    const uuid = await fresh();
    other.vasp.script('callback', uuid, { status: 503, body: 'busy' }, { status: 204, body: '' }, 'ordinary');
    await world.api.reportTransaction(uuid, '0xab');
    await other.api.advance('1m');
    const { callbacks } = await other.api.callbacks({ verificationUuid: uuid });
    expect(callbacks).toMatchObject([
      {
        callbackType: 'TX_REPORT',
        status: 'DELIVERED',
        attempts: [
          { status: 503, error: 'answered with status 503 instead of 200', answer: 'busy' },
          { status: 204, error: 'answered with status 204 instead of 200' },
          { status: 200, error: null },
        ],
      },
    ]);
  });

  test('newest first, by status, page by page', async () => {
    const uuid = await fresh();
    await world.api.reportTransaction(uuid, '0xab');
    await world.api.reportError(uuid, 'ERROR', 'X');
    await other.api.advance('0s');
    const query = { verificationUuid: uuid, order: 'newest', status: 'DELIVERED', limit: 1 };
    const first = await other.api.callbacks(query);
    const second = await other.api.callbacks({ ...query, before: first.next! });
    expect([first, second].map(({ callbacks }) => callbacks.map(each => each.callbackType))).toEqual([
      ['ERROR_REPORT'],
      ['TX_REPORT'],
    ]);
    expect(second.next).toBeNull();
    expect((await other.api.callbacks({ ...query, status: 'GIVEN-UP' })).callbacks).toEqual([]);
    for (const bad of ['order=up', 'status=LATE', 'before=x'])
      expect(await other.api.call('GET', `/sandbox/v1/callbacks?${bad}`)).toMatchObject(BAD(bad.split('=')[0]!));
  });

  test('is of the caller alone, and bounded', async () => {
    const uuid = await fresh();
    expect((await other.api.callbacks({ verificationUuid: uuid })).callbacks).toEqual([]);
    expect((await world.api.callbacks({ limit: 1 })).callbacks).toHaveLength(1);
    for (const limit of ['0', 'x', '1000', '-1'])
      expect(await world.api.call('GET', `/sandbox/v1/callbacks?limit=${limit}`)).toMatchObject(BAD('limit'));
  });
});

describe('POST /callbacks/{id}/replay', () => {
  test('sends it again, as it was, and shows it pending', async () => {
    const uuid = await fresh();
    await world.api.advance('0s');
    const { id } = (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
    const replayed = await world.api.replay(id);
    expect(CallbackEntry.parse(replayed)).toEqual(replayed);
    expect(replayed).toMatchObject({ id, status: 'PENDING' });
    await world.api.advance('0s');
    const [first, second, ...others] = world.vasp.callbacks(uuid);
    expect(second).toEqual(first);
    expect(others).toEqual([]);
    expect((await world.api.callbacks({ verificationUuid: uuid })).callbacks).toMatchObject([
      { status: 'DELIVERED', attempts: [{ status: 200 }, { status: 200 }] },
    ]);
  });

  test('of a PENDING one does not wait for the next attempt, and comes once', async () => {
    await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 3 });
    const uuid = await fresh();
    await world.api.advance('20s');
    const attempts = async () => {
      const [callback] = (await world.api.callbacks({ verificationUuid: uuid })).callbacks;
      return [callback!.status, callback!.attempts.length];
    };
    expect(await attempts()).toEqual(['PENDING', 3]);
    const { id } = (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
    await Promise.all([world.api.replay(id), world.api.replay(id)]);
    await world.api.advance('0s');
    expect(await attempts()).toEqual(['DELIVERED', 4]);
    await world.api.advance('1h');
    expect(await attempts()).toEqual(['DELIVERED', 4]);
    await world.api.removeFaults();
  });

  test('of an id that is no number names the id that was sent', async () => {
    const { body } = await world.api.call<{ message: string }>('POST', '/sandbox/v1/callbacks/abc/replay');
    expect(body.message).toBe('Callback(abc) is not found. GET /sandbox/v1/callbacks lists all.');
  });

  test('of an unknown one, and of somebody else’s, is 404', async () => {
    const uuid = await fresh();
    const { id } = (await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
    const missing = { status: 404, body: { code: 'NOT-FOUND' } };
    expect(await other.api.call('POST', `/sandbox/v1/callbacks/${id}/replay`)).toMatchObject(missing);
    for (const unknown of ['0', '999999', '-1', '1.5', 'x', '1e3', '9'.repeat(30)])
      expect(await world.api.call('POST', `/sandbox/v1/callbacks/${unknown}/replay`)).toMatchObject(missing);
  });
});

describe('GET /mailbox', () => {
  test('reads on from `next`, a hundred at a time, each once, in order, with exactly its fields', async () => {
    const uuids: string[] = [];
    for (let i = 0; i < 35; i++) {
      const { verificationUuid } = await world.api.verifyUser(toVasp(world, '7002'));
      uuids.push(verificationUuid);
    }
    reader.vasp.script('verifyUser', undefined, 'ordinary');
    // Denied: it has no address. So each has its result in the mailbox of the tested VASP.
    await world.api.advance('0s');
    const read: string[] = [];
    const query = { type: 'VERIFICATION_RESULT' };
    for (let after = '0'; ; ) {
      const answer = await world.api.mailbox({ ...query, after });
      expect(MailboxResponse.parse(answer)).toEqual(answer);
      expect(answer.callbacks.length).toBeLessThanOrEqual(100);
      read.push(...answer.callbacks.map(({ data }) => data.verificationUuid as string));
      if (answer.callbacks.length === 0) {
        expect(answer.next).toBe(after);
        break;
      }
      expect(answer.next).toBe(answer.callbacks.at(-1)!.id);
      after = answer.next;
    }
    expect(read.slice(-35)).toEqual(uuids);
    expect(new Set(read).size).toBe(read.length);
  });

  test('more than a hundred come in pages', async () => {
    let after = '0';
    for (let next = ''; next !== after; )
      [next, after] = [after, (await other.api.mailbox({ type: 'TX_REPORT', after })).next];
    const uuids = [];
    for (let i = 0; i < 3; i++) uuids.push(await verifiedBy(world, toVasp(world, '7001')));
    for (let i = 0; i < 105; i++) await world.api.reportTransaction(uuids[i % 3]!, `0x${i}`);
    const first = await other.api.mailbox({ type: 'TX_REPORT', after });
    const second = await other.api.mailbox({ type: 'TX_REPORT', after: first.next });
    expect([first.callbacks.length, second.callbacks.length]).toEqual([100, 5]);
    const hashes = [...first.callbacks, ...second.callbacks].map(({ data }) => data.txHash);
    expect(hashes).toEqual(Array.from({ length: 105 }, (_, i) => `0x${i}`));
  });

  test('without anything it waits as long as it was told, then answers an empty page', async () => {
    const started = performance.now();
    expect(await reader.api.mailbox({ wait: '150ms', after: 7 })).toEqual({ callbacks: [], next: '7' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(140);
  });

  test('garbage that is collected meanwhile does not prolong the wait', async () => {
    const waiting = reader.api.mailbox({ wait: '1s', after: 7 });
    for (let time = 0; time < 5; time++) {
      await turn();
      collectGarbage();
    }
    expect(await waiting).toEqual({ callbacks: [], next: '7' });
  });

  test('a callback of another type does not end the wait for this one', async () => {
    const uuid = await fresh();
    const { next } = await other.api.mailbox({ after: 0 });
    const waiting = other.api.mailbox({ wait: '20s', after: next, type: 'ERROR_REPORT', verificationUuid: uuid });
    await world.api.reportTransaction(uuid, '0xab');
    await world.api.reportError(uuid, 'ERROR', 'X');
    expect((await waiting).callbacks).toMatchObject([{ callbackType: 'ERROR_REPORT' }]);
  });

  test.each(['wait=x', 'wait=61s', 'wait=-1s', 'after=x', 'after=-1', 'type=X', 'type=', 'verificationUuid='])(
    '%s is 400',
    async query => {
      expect(await world.api.call('GET', `/sandbox/v1/mailbox?${query}`)).toMatchObject(BAD(query.split('=')[0]!));
    },
  );
});
