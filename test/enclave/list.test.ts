import { describe, expect, test } from 'vitest';
import { type RegisteredVasp, toRobot, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const DAY = 86_400_000;
const MIXED = '0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c';

const world = await chainlessForFile();
const other = await world.register('7001');
const stranger = await world.register('7002');
const { at: start } = world.machine;
const made: string[] = [];
const make = async (from: RegisteredVasp, request: ReturnType<typeof toVasp>) =>
  made.push(await verifiedBy(from, request));
const from = (request: ReturnType<typeof toVasp>, account: string) => {
  request.payload.ivms101.originator.accountNumber = [account];
  return request;
};
/** One per line: what sets it apart. Made one after the other on the days 15, 16, 17 of July. */
await make(world, from(toVasp(world, '7001'), MIXED)); //                          0: 15th, to other
await make(world, toRobot(world, 'taylor-robbins', 'XRP')); //                     1: 15th, XRP, to the robot
world.machine.at = Date.UTC(2026, 6, 16) - 1;
await make(world, toRobot(world, 'ethan-cook')); //                                2: last moment of the 15th, DENIED
world.machine.at = Date.UTC(2026, 6, 16);
await make(world, toRobot(world, 'unknown-wallet')); //                            3: first moment of the 16th, UNKNOWN
await make(other, toVasp(world, world.vaspId)); //                                 4: from other
const tron = toVasp(world, '7001');
tron.assetInfo.network = 'Tron';
await make(world, tron); //                                                       5: network Tron
world.machine.at = start + 2 * DAY;
const bare = toVasp(world, '7002');
delete bare.assetInfo.network;
bare.assetInfo.symbol = 'BTC';
await make(world, from(bare, 'CaseMatters')); //                                  6: BTC, no network, to the stranger
await make(stranger, toVasp(world, '7001')); //                                   7: nothing of ours
await world.api.reportTransaction(made[0]!, '0xAB');
await world.api.reportTransaction(made[5]!, '0xAB', '1');
await world.api.reportError(made[6]!, 'DENIED', 'USER-CANCELED');
await world.api.advance('0s');
/** In the order of their making. */
const all = await Promise.all(made.map((uuid, i) => (i === 7 ? stranger : world).api.verification(uuid)));

/** The verifications in the answer, in its order. */
async function found(query: Record<string, string | number> = {}, as: RegisteredVasp = world): Promise<number[]> {
  const { verifications } = await as.api.list({ rpp: 100, ...query });
  return verifications.map(row => all.findIndex(({ verificationUuid }) => verificationUuid === row.verificationUuid));
}

describe('WIRE-2.5: the answer', () => {
  test('has count, page, rpp and the rows in the form of GET', async () => {
    const answer = await world.api.list();
    expect(Object.keys(answer).sort()).toEqual(['count', 'page', 'rpp', 'verifications']);
    expect(answer).toMatchObject({ count: 7, page: 1, rpp: 10 });
    for (const row of answer.verifications) expect(row).toEqual(await world.api.verification(row.verificationUuid));
  });

  test("D-04: the caller's own rows, newest first", async () => {
    expect(await found()).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await found({}, other)).toEqual([7, 5, 4, 0]);
    expect(await found({}, stranger)).toEqual([7, 6]);
  });

  test('nothing found is an empty list, not an error', async () => {
    expect(await world.api.list({ txHash: 'none' })).toEqual({ count: 0, page: 1, rpp: 10, verifications: [] });
  });
});

describe('every filter', () => {
  test.each<[Record<string, string>, number[]]>([
    [{ symbol: 'ETH' }, [5, 4, 3, 2, 0]],
    [{ symbol: 'XRP' }, [1]],
    [{ symbol: 'eth' }, []],
    [{ network: 'Ethereum' }, [4, 3, 2, 0]],
    [{ network: 'Tron' }, [5]],
    [{ network: 'ethereum' }, []],
    [{ txHash: '0xAB' }, [5, 0]],
    [{ txHash: '0xab' }, [5, 0]],
    [{ result: 'VERIFIED' }, [5, 4, 1, 0]],
    [{ result: 'DENIED' }, [2]],
    [{ result: 'UNKNOWN' }, [3]],
    [{ result: 'ERROR' }, [6]],
    [{ actionType: 'SEND' }, [6, 5, 3, 2, 1, 0]],
    [{ actionType: 'RECEIVE' }, [4]],
    [{ oppositeVaspId: '7001' }, [5, 4, 0]],
    [{ oppositeVaspId: '7002' }, [6]],
    [{ oppositeVaspId: '1' }, []],
    [{ originatorAccountNumber: MIXED }, [0]],
    [{ fromDate: '2026-07-16' }, [6, 5, 4, 3]],
    [{ toDate: '2026-07-15' }, [2, 1, 0]],
    [{ fromDate: '2026-07-16', toDate: '2026-07-16' }, [5, 4, 3]],
    [{ fromDate: '2026-07-17', toDate: '2026-07-16' }, []],
    [{ toDate: '2026-07-17' }, [6, 5, 4, 3, 2, 1, 0]],
    [{ fromDate: '1970-01-01', toDate: '9999-12-31' }, [6, 5, 4, 3, 2, 1, 0]],
    [{ unknownParameter: 'x' }, [6, 5, 4, 3, 2, 1, 0]],
  ])('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
    expect((await world.api.list(query)).count).toBe(expected.length);
  });

  test('D-04: several filters are joined by AND', async () => {
    const query = { symbol: 'ETH', result: 'VERIFIED', actionType: 'SEND', oppositeVaspId: '7001', txHash: '0xAB' };
    expect(await found(query)).toEqual([5, 0]);
    expect(await found({ ...query, network: 'Tron' })).toEqual([5]);
    expect(await found({ ...query, actionType: 'RECEIVE' })).toEqual([]);
  });

  test('the robot as the other VASP', async () => {
    expect(await found({ oppositeVaspId: world.robotVaspId })).toEqual([3, 2, 1]);
  });

  test('D-04: addresses are compared by the rules of their chain', async () => {
    expect(await found({ originatorAccountNumber: MIXED.toLowerCase() })).toEqual([0]);
    expect(await found({ originatorAccountNumber: MIXED.toUpperCase() })).toEqual([0]);
    const { beneficiaryAccountNumber: ofXrp } = all[1]!;
    expect(await found({ beneficiaryAccountNumber: ofXrp })).toEqual([1]);
    expect(await found({ beneficiaryAccountNumber: ofXrp.toLowerCase() })).toEqual([]);
    expect(await found({ originatorAccountNumber: 'CaseMatters' })).toEqual([6]);
    expect(await found({ originatorAccountNumber: 'casematters' })).toEqual([]);
    const { beneficiaryAccountNumber: ofEth } = all[3]!;
    expect(await found({ beneficiaryAccountNumber: ofEth })).toEqual([3]);
  });
});

describe('paging', () => {
  test('the pages hold every row once and in order; count covers all pages', async () => {
    for (const rpp of [1, 2, 3, 7, 100]) {
      const rows: number[] = [];
      for (let page = 1; page <= Math.ceil(7 / rpp); page++) {
        const answer = await world.api.list({ rpp, page });
        expect(answer).toMatchObject({ count: 7, page, rpp });
        rows.push(...(await found({ rpp, page })));
      }
      expect(rows).toEqual([6, 5, 4, 3, 2, 1, 0]);
    }
  });

  test('a page after the last one is empty', async () => {
    expect(await world.api.list({ page: 2 })).toMatchObject({ count: 7, page: 2, rpp: 10, verifications: [] });
    expect(await world.api.list({ page: 999_999_999 })).toMatchObject({ count: 7, verifications: [] });
  });
});

describe('D-04: a bad value is 400 BAD-REQUEST that names it', () => {
  test.each([
    ...['2026-7-1', '2026-02-30', '2026-13-01', '20260701', 'today', '', '2026-07-01T00:00:00.000Z'].flatMap(
      day =>
        [
          ['fromDate', day],
          ['toDate', day],
        ] as [string, string][],
    ),
    ...['0', '-1', '1.5', 'x', '', '1e3', '01', ' 1', '99999999999'].flatMap(
      number =>
        [
          ['page', number],
          ['rpp', number],
        ] as [string, string][],
    ),
    ['rpp', '101'],
    ['result', 'verified'],
    ['result', 'OK'],
    ['result', 'WAIT'],
    ['result', ''],
    ['actionType', 'send'],
    ['actionType', 'BOTH'],
    ['oppositeVaspId', 'x'],
    ['oppositeVaspId', '-1'],
    ['oppositeVaspId', '18446744073709551616'],
    ['symbol', ''],
    ['symbol', 'S'.repeat(17)],
    ['network', 'N'.repeat(129)],
    ['txHash', 'h'.repeat(129)],
    ['originatorAccountNumber', 'a'.repeat(257)],
    ['beneficiaryAccountNumber', ''],
  ])('%s=%s', async (name, value) => {
    const { status, body } = await world.api.call<{ code: string; message: string }>(
      'GET',
      `/v1/verifications?${new URLSearchParams({ [name]: value })}`,
    );
    expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
    expect(body.message).toContain(`\`${name}\``);
  });

  test('a repeated parameter', async () => {
    const { status, body } = await world.api.call('GET', '/v1/verifications?symbol=ETH&symbol=XRP');
    expect([status, body]).toEqual([400, { code: 'BAD-REQUEST', message: expect.stringContaining('`symbol`') }]);
  });

  test('invalid UTF-8 is answered too', async () => {
    expect((await world.api.call('GET', '/v1/verifications?symbol=%ff%fe')).status).toBeLessThan(500);
    expect(
      (await world.api.call('GET', "/v1/verifications?txHash=';DROP+TABLE+enclave_verifications")).body,
    ).toMatchObject({ count: 0 });
  });
});

test('D-04: a page that would be longer than 4 MB is refused, and says which parameter to change', async () => {
  const long = await world.register('7003');
  const request = toRobot(world);
  const [person] = request.payload.ivms101.originator.originatorPersons;
  Object.assign(person!.naturalPerson!, { note: '"\\'.repeat(55_000) });
  for (let n = 0; n < 12; n++) await verifiedBy(long, request);
  const page = (rpp: number) => long.api.call('GET', `/v1/verifications?rpp=${rpp}`);
  const { body } = await page(5);
  expect(JSON.stringify(body).length).toBeLessThan(4_000_000);
  expect(await page(100)).toMatchObject({
    status: 400,
    body: { code: 'BAD-REQUEST', message: '`rpp` should be less than 100: this page is longer than 4 MB.' },
  });
  expect((await long.api.list({ rpp: 1, page: 12 })).verifications).toHaveLength(1);
});
