import { afterAll, describe, expect, test } from 'vitest';
import { BalancesResponse } from '../../src/sandbox/balances.ts';
import { HealthResponse } from '../../src/sandbox/health.ts';
import { ReceivedPaymentsResponse } from '../../src/sandbox/received-payments.ts';
import { TransfersResponse } from '../../src/sandbox/transfers.ts';
import { VerificationsResponse } from '../../src/sandbox/verifications.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { natural, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));
const other = await registerVasp(world, '7001');
await received(world, { amount: '2' });
await received(world, { user: 'transfer-pending', amount: '1' });
const paidOut = await verifiedForRobot(world, { amount: '0.5' });
const held = await verifiedForRobot(world, { user: 'transfer-pending', amount: '0.25' });
await world.api.robotWithdraw(paidOut.uuid);
await world.api.robotWithdraw(held.uuid);
await reaches(world, paidOut.uuid, 'CONFIRMED');
afterAll(() => other.vasp.close());

const bad = async (path: string) => {
  const { status, body } = await world.api.call('GET', `/sandbox/v1/${path}`);
  return { status, ...(body as object) };
};
const found = async (query: Record<string, string | number>) =>
  (await world.api.verifications(query)).verifications.map(({ verificationUuid }) => verificationUuid);

describe('GET /sandbox/v1/verifications', () => {
  test('shows each with its counterparty, its user and where its money stands; newest first', async () => {
    const answer = await world.api.verifications();
    expect(VerificationsResponse.parse(answer)).toEqual(answer);
    expect(answer.verifications.slice(0, 2)).toMatchObject([
      { verificationUuid: held.uuid, money: { kind: 'transfer', status: 'PENDING' } },
      {
        verificationUuid: paidOut.uuid,
        role: 'beneficiary',
        counterparty: { vaspId: world.robotVaspId, name: 'RobotVASP' },
        result: 'VERIFIED',
        userId: 'taylor-robbins',
        money: { kind: 'transfer', status: 'CONFIRMED' },
        txHash: expect.stringMatching(/^0x/),
      },
    ]);
    expect(answer.verifications.at(-1)).toMatchObject({
      role: 'originating',
      userId: 'taylor-robbins',
      money: { kind: 'deposit', status: 'CREDITED' },
    });
  });

  test('finds by the beginning of the uuid, by hash, address, name and user, all words together', async () => {
    const { txHash } = await world.api.verification(paidOut.uuid);
    const change = (request: ReturnType<typeof verificationOf>) => {
      request.payload.ivms101.originator.originatorPersons = [natural('O’Hara_%', '지우')];
    };
    const { verificationUuid: strange } = await world.api.verifyUser(verificationOf(world, { change }));
    expect(await found({ search: paidOut.uuid.slice(0, 12) })).toEqual([paidOut.uuid]);
    expect(await found({ search: paidOut.uuid.slice(4, 16) })).toEqual([]);
    expect(await found({ search: txHash!.toUpperCase().replace('0X', '0x') })).toEqual([paidOut.uuid]);
    expect(await found({ search: paidOut.to.slice(0, 24) })).toEqual([paidOut.uuid]);
    for (const beginning of [txHash!.slice(0, 20), paidOut.to.slice(0, 12), paidOut.to.slice(2)])
      expect(await found({ search: beginning })).toEqual([paidOut.uuid]);
    expect(await found({ search: `${paidOut.uuid.slice(0, 12)}\0` })).toEqual([paidOut.uuid]);
    expect(await found({ search: 'transfer-pending', role: 'beneficiary' })).toEqual([held.uuid]);
    expect(await found({ search: 'o’HARA_% 지우' })).toEqual([strange]);
    expect(await found({ search: '지우 nobody' })).toEqual([]);
    expect(await found({ search: 'primaryIdentifier' })).toEqual([]);
  });

  test('filters, alone and together', async () => {
    const { verificationUuid: denied } = await world.api.verifyUser(
      verificationOf(world, { user: 'ethan-cook', symbol: 'XRP' }),
    );
    const { verificationUuid: open } = await world.api.verifyUser(verificationOf(world, { user: 'never-answers' }));
    await world.idle();
    expect(await found({ result: 'DENIED', reason: 'UNVERIFIED-KYC' })).toContain(denied);
    expect(await found({ search: 'unverified', symbol: 'XRP' })).toEqual([denied]);
    expect(await found({ search: 'Unverified-k denied', symbol: 'XRP' })).toEqual([denied]);
    expect(await found({ search: 'nverifie', symbol: 'XRP' })).toEqual([denied]);
    expect(await found({ search: 'ISMATCH', symbol: 'XRP' })).toEqual([]);
    expect(await found({ search: 'mismatched', symbol: 'XRP' })).toEqual([]);
    expect(await found({ search: 'denied unverified-kyc xrp' })).toEqual([]);
    expect(await found({ search: 'denied unverified-kyc', symbol: 'XRP' })).toEqual([denied]);
    expect(await found({ search: 'open' })).toEqual([open]);
    expect(await found({ symbol: 'XRP', result: 'DENIED' })).toContain(denied);
    expect(await found({ symbol: 'XRP', result: 'VERIFIED' })).not.toContain(denied);
    expect(await found({ status: 'OPEN' })).toEqual([open]);
    expect(await found({ status: 'COMPLETED' })).not.toContain(open);
    expect(await found({ role: 'beneficiary' })).toEqual([held.uuid, paidOut.uuid]);
  });

  test('finds by amount and by day', async () => {
    const amount = '0.0123';
    const { verificationUuid } = await world.api.verifyUser(
      verificationOf(world, {
        change: request => {
          request.assetInfo.amount = amount;
        },
      }),
    );
    const today = (await world.api.verification(verificationUuid)).createdAt.slice(0, 10);
    expect(await found({ search: amount })).toEqual([verificationUuid]);
    expect(await found({ search: '0.012' })).toEqual([]);
    expect(await found({ search: `${today} ${amount}` })).toEqual([verificationUuid]);
    expect(await found({ search: `2020-01-31 ${amount}` })).toEqual([]);
  });

  test('reads on page by page, each once', async () => {
    const all = await found({});
    const read: string[] = [];
    for (let before: string | null = '999999999'; before !== null; ) {
      const page = await world.api.verifications({ limit: 2, before });
      read.push(...page.verifications.map(({ verificationUuid }) => verificationUuid));
      before = page.next;
    }
    expect(read).toEqual(all);
  });

  test('is of the caller alone; a bad filter is 400 and named', async () => {
    expect((await other.api.verifications()).verifications).toEqual([]);
    for (const name of ['result', 'role', 'status', 'limit', 'before'])
      expect(await bad(`verifications?${name}=x%20y`)).toMatchObject({
        status: 400,
        message: expect.stringContaining(`\`${name}\``),
      });
  });
});

describe('GET /sandbox/v1/transfers', () => {
  test('shows what is paid, with every signed transaction and why it stands there', async () => {
    const answer = await world.api.transfers();
    expect(TransfersResponse.parse(answer)).toEqual(answer);
    const { txHash } = await world.api.verification(paidOut.uuid);
    expect(answer.transfers).toMatchObject([
      {
        verificationUuid: held.uuid,
        transactionStatus: 'PENDING',
        why: 'not sent: the user has the behaviour TRANSFER-PENDING',
        txHash: null,
        transactions: [],
      },
      {
        verificationUuid: paidOut.uuid,
        userId: 'taylor-robbins',
        from: paidOut.from,
        to: paidOut.to,
        amount: '0.5',
        transactionStatus: 'CONFIRMED',
        txHash,
        reportedTxHash: txHash,
        transactions: [{ txHash, rejection: null }],
      },
    ]);
  });

  test('filters by verification and status, page by page, of the caller alone', async () => {
    const { transfers, next } = await world.api.transfers({ limit: 1 });
    expect(transfers).toMatchObject([{ verificationUuid: held.uuid }]);
    expect(await world.api.transfers({ limit: 1, before: next! })).toMatchObject({
      transfers: [{ verificationUuid: paidOut.uuid }],
      next: null,
    });
    expect((await world.api.transfers({ status: 'CONFIRMED' })).transfers).toHaveLength(1);
    expect((await world.api.transfers({ verificationUuid: held.uuid })).transfers).toHaveLength(1);
    expect((await other.api.transfers()).transfers).toEqual([]);
    expect(await bad('transfers?status=LATE')).toMatchObject({ status: 400 });
  });
});

describe('GET /sandbox/v1/received-payments', () => {
  test('shows the payments to the robot, page by page', async () => {
    const { payments: deposits, next } = await world.api.receivedPayments({ limit: 1 });
    expect(deposits).toMatchObject([{ amount: '1', status: 'CREDITED' }]);
    const older = await world.api.receivedPayments({ limit: 1, before: next! });
    expect(older).toMatchObject({ payments: [{ amount: '2', status: 'CREDITED' }], next: null });
    expect(ReceivedPaymentsResponse.parse(older)).toEqual(older);
    expect((await other.api.receivedPayments()).payments).toEqual([]);
    expect(await bad('received-payments?before=newest')).toMatchObject({ status: 400 });
  });

  test('to one address: in any spelling of it, with the destination tag or with any', async () => {
    const amountsTo = async (address: string) =>
      (await world.api.receivedPayments({ address })).payments.map(({ amount }) => amount);
    const { ETH } = world.user('transfer-pending').accounts;
    expect(await amountsTo(ETH)).toEqual(['1']);
    expect(await amountsTo(ETH.toLowerCase())).toEqual(['1']);
    expect(await amountsTo(world.user('ethan-cook').accounts.ETH)).toEqual([]);
    expect(await bad(`received-payments?address=${'r'.repeat(129)}`)).toMatchObject({ status: 400 });
    const xrp = await world.api.receivedPayments({ address: world.user('taylor-robbins').accounts.XRP });
    expect(xrp).toEqual({ payments: [], next: null });
  });

  test('the console reads on from the same position', async () => {
    const [newest, oldest] = (await world.api.receivedPayments()).payments.map(({ txHash }) => txHash);
    const { next } = await world.api.receivedPayments({ limit: 1 });
    const page = await (await fetch(`${world.url}/console/money?list=deposits&before=${next}`)).text();
    expect(page).toContain(`deposit-ETH-${oldest}`);
    expect(page).not.toContain(`deposit-ETH-${newest}`);
  });
});

test('GET /sandbox/v1/balances says what the balance endpoint of the robot says, for every address', async () => {
  const answer = await world.api.balances();
  expect(BalancesResponse.parse(answer)).toEqual(answer);
  expect(answer.balances.map(({ address: _, ...rest }) => rest)).toEqual([
    { userId: 'taylor-robbins', symbol: 'ETH', credited: '2', reserved: '0', paidOut: '0.5', value: '1.5' },
    { userId: 'transfer-pending', symbol: 'ETH', credited: '1', reserved: '0.25', paidOut: '0', value: '0.75' },
  ]);
  for (const { symbol, address, value } of answer.balances)
    expect((await world.api.balance(world.vaspId, symbol, address)).value).toBe(value);
  expect((await other.api.balances()).balances).toEqual([]);
});

describe('GET /sandbox/v1/health', () => {
  const whats = (attention: { what: string }[]) => attention.map(({ what }) => what);

  test('a VASP that has all it needs is told nothing', async () => {
    const answer = await other.api.health();
    expect(HealthResponse.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      ready: true,
      missing: [],
      chains: [
        { symbol: 'ETH', isEmbedded: true, isRead: true, head: expect.any(Number) },
        { symbol: 'XRP', isEmbedded: true, isRead: true, head: expect.any(Number) },
      ],
      attention: [],
    });
  });

  test('says which endpoint is missing, which callback fails, which was given up, what does not answer', async () => {
    const third = await registerVasp(world, '7003');
    const ask = () => third.api.verifyUser(verificationOf(world));
    third.vasp.script('callback', undefined, { status: 503, body: 'busy' });
    const { verificationUuid } = await ask();
    await third.api.advance('40s');
    const failing = await third.api.health();
    expect(failing.attention).toMatchObject([{ what: 'callback-failing', verificationUuid }]);
    expect(failing.attention[0]!.text).toContain('answered with status 503 instead of 200');
    await third.api.advance('3h');
    const given = await third.api.health();
    expect(given.attention).toMatchObject([{ what: 'callback-given-up', verificationUuid }]);
    await third.vasp.close();
    const { verificationUuid: unheard } = await ask();
    await third.api.advance('1s');
    expect(whats((await third.api.health()).attention)).toContain('endpoint-down');
    await third.api.registerVasp('7003', { name: 'Exchange', endpoints: {} });
    const { attention } = await third.api.health();
    expect(attention.filter(({ what }) => what === 'endpoint-missing')).toHaveLength(4);
    expect((await third.api.verification(unheard)).result).toBe('VERIFIED');
    expect((await other.api.health()).attention).toEqual([]);
  });

  test('shows money that nobody expects, and faults in force', async () => {
    const wallet = await world.wallet('ETH');
    const { to } = await verified(world, { user: 'garrit-studio', amount: '0.3' });
    const txHash = await wallet.pay(to, '0.7');
    await world.idle();
    await world.api.call('PUT', '/sandbox/v1/faults', { target: 'callback', mode: 'drop', times: 2 });
    const { attention } = await world.api.health();
    expect(attention).toMatchObject([
      { what: 'deposit-unattributed', text: expect.stringContaining(txHash) },
      { what: 'fault-active', text: expect.stringContaining('2 more times') },
    ]);
    await world.api.call('DELETE', '/sandbox/v1/faults');
  });
});
