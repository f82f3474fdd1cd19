import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRobot, Refused } from '../../src/testing.ts';
import { openWallet } from '../support/chains/wallets.ts';
import { listening } from '../support/http/listening.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';
const verification = async (amount = '1.5', user?: string) => {
  const request = robot.requests.withdrawal({ amount, from: FROM, ...(user ? { user } : {}) });
  return (await robot.api.verifyUser(request)).verificationUuid;
};

describe('createRobot', () => {
  test('is a whole sandbox at a port of its own, with nothing to wait for', async () => {
    expect(robot.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${robot.url}/readyz`)).status).toBe(200);
    expect([robot.vaspId, robot.robotVaspId]).toEqual(['15952089931162058999', '17104899575711300402']);
    expect(robot.info.robot.vaspId).toBe(robot.robotVaspId);
    expect((await robot.api.self()).vaspId).toBe(robot.vaspId);
  });

  test('users by id have names and accounts; an unknown id names those that there are', () => {
    expect(robot.user('taylor-robbins')).toBe(robot.users['taylor-robbins']);
    expect(robot.user('taylor-robbins')).toMatchObject({
      names: { lastName: 'Robbins', firstName: 'Taylor' },
      accounts: { ETH: expect.stringMatching(/^0x/), XRP: expect.stringMatching(/^r.*:\d+$/) },
    });
    expect(() => robot.user('toString')).toThrow(/no user toString\. Choose one of taylor-robbins, /);
  });

  test('its clients speak to both ledgers; the faucet funds, the robot is paid', async () => {
    for (const [symbol, url] of [
      ['ETH', robot.devnet.ethereum],
      ['XRP', robot.devnet.xrpl],
    ] as const) {
      const wallet = await openWallet(symbol, url);
      await robot.faucet(symbol, wallet.address, '100');
      const to = robot.user('taylor-robbins').accounts[symbol];
      const request = robot.requests.withdrawal({ symbol, amount: '2.5', from: wallet.address });
      const { verificationUuid } = await robot.api.verifyUser(request);
      const { data } = await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid });
      expect(data.verificationResult).toBe('VERIFIED');
      await robot.api.reportTransaction(verificationUuid, await wallet.pay(to, '2.5'));
      await robot.clock.idle();
      expect((await robot.api.balance(robot.vaspId, symbol, to)).value).toBe('2.5');
      const events = (await robot.timeline(verificationUuid)).map(({ what, to }) => `${what} ${to}`);
      expect(events).toContain('deposit CREDITED');
      await wallet.close();
    }
  });

  test('the clock can be advanced', async () => {
    const before = Date.parse(await robot.clock.now());
    const uuid = await verification();
    await robot.mailbox.wait({ verificationUuid: uuid });
    const { now, fired } = await robot.clock.advance('10m');
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(600_000);
    expect(fired).toContainEqual(expect.objectContaining({ kind: 'robot.deposit.inquire', key: uuid }));
  });

  test('a negative request is one change by its path', async () => {
    const resultOf = async (changes: Record<string, unknown>) => {
      const { verificationUuid } = await robot.api.verifyUser(robot.requests.withdrawal({ with: changes }));
      return (await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid })).data.reason;
    };
    const name = 'beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].secondaryIdentifier';
    expect(await resultOf({})).toBe('OK');
    expect(await resultOf({ 'assetInfo.network': 'Tron' })).toBe('UNKNOWN-NETWORK');
    expect(await resultOf({ [name]: 'Anna' })).toBe('MISMATCHED-NAME');
    expect(await resultOf({ 'originator.originatorPersons[0].naturalPerson.dateAndPlaceOfBirth': undefined })).toBe(
      'LACK-OF-INFORMATION',
    );
    expect(() => robot.requests.deposit({ with: { 'originator.persons[0].name': 'x' } })).toThrow(
      'with: `originator.persons[0].name` leads nowhere. Instead of `persons` there is: originatorPersons, accountNumber',
    );
  });

  test('controls turn the ledgers', async () => {
    const { head } = await robot.control('ETH', 'mine', { blocks: 3 });
    const again = await robot.control('ETH', 'mine', {});
    expect(again.head!.height).toBe(head!.height + 1);
    await expect(robot.control('ETH', 'reorg', { depth: 0 })).rejects.toThrow(/depth/);
  });

  test('a refusal is an error with status and code', async () => {
    const refused = await robot.api.verification('8db7ee2a-12a2-4cc2-9297-917c3b5176cc').catch(error => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ status: 404, code: 'VERIFICATION-NOT-FOUND' });
  });

  test('reset removes the data of the VASP', async () => {
    const uuid = await verification();
    await robot.mailbox.wait({ verificationUuid: uuid });
    await robot.reset();
    expect(await robot.mailbox.all()).toEqual([]);
    await expect(robot.timeline(uuid)).rejects.toThrow(Refused);
  });
});

describe('mailbox.wait', () => {
  test('answers the oldest that fits, each time; `after` asks for a later one', async () => {
    await robot.reset();
    const uuid = await verification();
    const first = await robot.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid: uuid });
    expect(await robot.mailbox.wait()).toEqual(first);
    const waiting = robot.mailbox.wait({ after: first.id });
    const later = await verification('2', 'ethan-cook');
    expect(await waiting).toMatchObject({
      callbackType: 'VERIFICATION_RESULT',
      data: { verificationUuid: later, reason: 'UNVERIFIED-KYC' },
    });
    expect(await robot.mailbox.all()).toHaveLength(2);
  });

  test('the error of a time-out names the awaited and the received callbacks', async () => {
    await robot.reset();
    await expect(robot.mailbox.wait({ timeout: '50ms' })).rejects.toThrow(
      'No callback within 50ms. The mailbox is empty.',
    );
    const uuid = await verification();
    const { id } = await robot.mailbox.wait({ verificationUuid: uuid });
    const waiting = robot.mailbox.wait({ type: 'TX_REPORT', verificationUuid: uuid, timeout: '50ms' });
    await expect(waiting).rejects.toThrow(
      `No TX_REPORT for ${uuid} within 50ms. The mailbox holds:\n  ${id}: VERIFICATION_RESULT for ${uuid}`,
    );
    await expect(robot.mailbox.wait({ timeout: 'soon' })).rejects.toThrow('`soon` is not a duration');
  });
});

describe('options', () => {
  test('vasp: who calls, where it is called, and with which token', async () => {
    const heard: unknown[] = [];
    const server = createServer(async (request, response) => {
      for await (const _ of request);
      heard.push([request.url, request.headers['x-key'], request.headers.authorization]);
      response.end('{"result":true}');
    });
    const { url, close } = await listening(server);
    onTestFinished(close);
    const callback = `${url}/callback`;
    await using own = await createRobot({
      vasp: {
        vaspId: '4711',
        name: 'Mine',
        endpoints: { callback },
        authorization: { header: 'X-Key', token: 'both-know' },
      },
      env: { ROBOT_VASP_ID: '4712', INQUIRY_WAIT: '2m', VASP_NAME: 'Other' },
    });
    expect([own.vaspId, own.robotVaspId, own.info.vasp.name]).toEqual(['4711', '4712', 'Mine']);
    const request = own.requests.withdrawal({ amount: '1', from: FROM });
    const { verificationUuid } = await own.api.verifyUser(request);
    await own.mailbox.wait({ verificationUuid });
    const { fired } = await own.clock.advance('2m');
    expect(fired.map(({ kind }) => kind)).toContain('robot.deposit.inquire');
    expect(heard).toEqual([['/callback', 'both-know', undefined]]);
  });

  test('the environment of the process is not read', async () => {
    process.env.VASP_ID = '99';
    onTestFinished(() => void delete process.env.VASP_ID);
    await using own = await createRobot();
    expect(own.vaspId).toBe('15952089931162058999');
  });

  test('the error names every wrong option', async () => {
    await expect(
      createRobot({ vasp: { vaspId: 'me', endpoints: { callback: 'here' } }, env: { INQUIRY_WAIT: 'soon' } }),
    ).rejects.toThrow(
      /VASP_ID \(vasp\.vaspId\) .*\n.*CALLBACK_API_PATH \(vasp\.endpoints\.callback\) .*\n.*INQUIRY_WAIT /,
    );
  });

  test.each<[string, () => unknown, string]>([
    ['an option', () => createRobot({ vsap: {} } as never), 'createRobot: `vsap` is unknown. Did you mean `vasp`?'],
    [
      'an endpoint',
      () => createRobot({ vasp: { endpoints: { callbak: 'http://127.0.0.1/' } } } as never),
      'vasp.endpoints: `callbak` is unknown. Did you mean `callback`?',
    ],
    [
      'a variable',
      () => createRobot({ env: { INQUIRY_WIAT: '1m' } } as never),
      'env: `INQUIRY_WIAT` is unknown. Did you mean `INQUIRY_WAIT`? Known are PORT, HOST, ',
    ],
    [
      'a filter of the mailbox',
      () => robot.mailbox.wait({ tpye: 'TX_REPORT' } as never),
      'mailbox.wait: `tpye` is unknown. Did you mean `type`?',
    ],
    [
      'a part of a request',
      () => robot.requests.deposit({ from: '0x' } as never),
      'requests.deposit: `from` is unknown. Known are symbol, amount, user, with, to.',
    ],
  ])('%s with an unknown name is refused, not ignored', async (_, call, message) => {
    await expect((async () => call())()).rejects.toThrow(message);
  });

  test('a port in use is an error, and nothing stays behind', async () => {
    const { port } = new URL(robot.url);
    await expect(createRobot({ env: { PORT: port } })).rejects.toThrow(/EADDRINUSE/);
  });
});

test('close may be called again, and ends the server', async () => {
  const own = await createRobot();
  await Promise.all([own.close(), own.close()]);
  await own[Symbol.asyncDispose]();
  await expect(fetch(`${own.url}/healthcheck`)).rejects.toThrow();
});

test('ten at once work in parallel and see nothing of each other', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const robots = await Promise.all(Array.from({ length: 10 }, () => createRobot()));
  onTestFinished(async () => {
    await Promise.all(robots.map(each => each.close()));
  });
  expect(new Set(robots.map(({ url }) => url)).size).toBe(10);
  const uuids = await Promise.all(
    robots.map(async each => {
      const wallet = await openWallet('ETH', each.devnet.ethereum);
      await each.faucet('ETH', wallet.address, '10');
      const request = each.requests.withdrawal({ amount: '1.5', from: wallet.address });
      const { verificationUuid } = await each.api.verifyUser(request);
      await each.mailbox.wait({ type: 'VERIFICATION_RESULT', verificationUuid });
      const to = each.user('taylor-robbins').accounts.ETH;
      await each.api.reportTransaction(verificationUuid, await wallet.pay(to, '1.5'));
      await wallet.close();
      await each.clock.idle();
      return verificationUuid;
    }),
  );
  for (const [index, each] of robots.entries()) {
    const seen = (await each.mailbox.all()).map(({ data }) => data.verificationUuid);
    expect(seen).toEqual([uuids[index]]);
    const { payments: deposits } = await each.api.receivedPayments();
    expect(deposits.map(({ amount }) => amount)).toEqual(['1.5']);
  }
  expect(warnings).toEqual([]);
}, 60_000);
