import { client, Refused } from '../../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import type { DriverAction } from '../../contract/driver.ts';
import { personsOf } from '../../contract/persons.ts';
import { robotUserRequest } from '../../contract/sample-requests.ts';
import { elapsedMs, systemClock, toIso } from '../../kernel/clock.ts';
import { systemRandom } from '../../kernel/random.ts';
import { joinSandbox, PlaceTaken } from '../../reference-vasp/join.ts';
import { pause } from '../../timers/loop.ts';
import { Failure } from '../command.ts';
import { connect } from '../connection.ts';
import { whenInterrupted } from '../stop.ts';
import { type Telling, teller } from './play.ts';

interface Sides {
  enclave: string;
  robot: string;
  apiKey: string | undefined;
}

const STEP_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * The reference VASP joins an enclave and plays both tests with a robot of another process, in ETH and XRP. Each step is tried
 * again while one side is away. Returns the exit code. Throws `Failure`.
 */
export async function playTwoProcesses(sides: Sides, telling: Telling): Promise<0> {
  const tell = teller(telling);
  const startedAt = elapsedMs();
  const enclave = connect({ url: sides.enclave, 'api-key': sides.apiKey });
  const robot = connect({ url: sides.robot, 'api-key': undefined });
  const info = await robot.info();
  const { vaspId } = await enclave.self();
  if (!info.parts.includes('robot'))
    throw new Failure(1, 'NO-ROBOT', `the process at ${robot.url} has no robot`);
  if (info.vasp.vaspId !== vaspId)
    throw new Failure(
      1,
      'OTHER-VASP',
      `the enclave takes the demo for VASP ${vaspId}, the robot for ${info.vasp.vaspId}: set the same VASP_ID`,
    );
  const vasp = await joinSandbox({ url: enclave.url, apiKey: sides.apiKey, robotUrl: robot.url }).catch(
    error => {
      if (!(error instanceof PlaceTaken)) throw error;
      const advice = 'Start the enclave without its addresses, or play as another VASP with --api-key.';
      throw new Failure(1, 'PLACE-TAKEN', `${error.message} ${advice}`);
    },
  );
  const customer = vasp.customers.customers[0]!;
  const user = info.users.find(
    ({ kind, kyc, behaviour }) => kind === 'natural' && kyc && behaviour === 'ORDINARY',
  )!;
  const callOff = whenInterrupted(code => void vasp.stop().then(() => process.exit(code)));

  async function drive(action: DriverAction, parameters: object): Promise<{ value?: string }> {
    const answer = await fetch(vasp.endpoints.driver, {
      method: 'POST',
      headers: { authorization: `Bearer ${vasp.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        runId: 'demo',
        module: 'demo',
        action,
        parameters,
        answerBy: toIso(systemClock.now() + STEP_WITHIN_MS),
      }),
    });
    return (await answer.json()) as { value?: string };
  }
  const ownBalance = async (symbol: AssetSymbol) =>
    Number((await drive('balance', { symbol, customer })).value);
  const balanceAtRobot = async (symbol: AssetSymbol) =>
    Number((await robot.balance(vaspId, symbol, user.accounts[symbol])).value);

  /** The VASP pays the robot, which credits it. */
  async function withdrawal(symbol: AssetSymbol): Promise<void> {
    const before = await patiently(`read the balance in ${symbol}`, () => balanceAtRobot(symbol));
    const { kind, names, accounts } = user;
    const beneficiary = { vaspId: info.robot.vaspId, user: { kind, names }, account: accounts[symbol] };
    await drive('withdraw', { symbol, amount: AMOUNT, customer, beneficiary });
    await patiently(`credit the payment of ${AMOUNT} ${symbol}`, async () =>
      grewBy(AMOUNT, before, await balanceAtRobot(symbol)),
    );
    tell(`PASSED  withdrawal ${symbol}: the robot verified, was paid, and credited ${AMOUNT} ${symbol}`);
  }

  /** The robot pays the VASP, which credits it. */
  async function deposit(symbol: AssetSymbol): Promise<void> {
    const before = await ownBalance(symbol);
    const to = customer.accounts[symbol]!;
    const request = robotUserRequest({ vaspId, user, symbol, amount: PAID_BACK, to });
    request.payload.ivms101.beneficiary.beneficiaryPersons = personsOf(customer);
    const once = client(robot.url, { headers: { 'idempotency-key': systemRandom.uuid() } });
    const { verificationUuid } = await patiently('open the verification', () =>
      once.letRobotVerifyUser(request),
    );
    await patiently(`verify the deposit in ${symbol}`, async () => {
      const { verifications } = await robot.verifications({ search: verificationUuid, limit: 1 });
      return verifications[0]?.result === 'VERIFIED' || undefined;
    });
    await patiently(`pay ${PAID_BACK} ${symbol}`, () => robot.letRobotWithdraw(verificationUuid));
    await patiently(`credit the deposit of ${PAID_BACK} ${symbol}`, async () =>
      grewBy(PAID_BACK, before, await ownBalance(symbol)),
    );
    tell(`PASSED  deposit ${symbol}: the VASP verified, was paid, and credited ${PAID_BACK} ${symbol}`);
  }

  try {
    tell(`The reference VASP at ${vasp.url} has joined ${enclave.url}. The robot is at ${robot.url}.`);
    for (const symbol of ASSET_SYMBOLS) {
      await withdrawal(symbol);
      await deposit(symbol);
    }
  } finally {
    callOff();
    await vasp.stop();
  }
  const tookMs = Math.round(elapsedMs() - startedAt);
  tell(`Both tests passed in ETH and XRP in ${(tookMs / 1000).toFixed(1)} s.`);
  if (telling.isJson) telling.print('', { result: 'PASSED', tests: 2 * ASSET_SYMBOLS.length, tookMs });
  return 0;
}

const AMOUNT = '0.03';
/** Less than the robot was paid. */
const PAID_BACK = '0.02';
/** The robot could not reach its enclave. */
const UNREACHED = 408;
const MOST_ROUNDED = 1e-9;

const grewBy = (amount: string, before: number, now: number): true | undefined =>
  now - before > Number(amount) - MOST_ROUNDED || undefined;

/** Tries again until there is an answer. Throws `Failure` with what is missing. */
async function patiently<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const startedAt = elapsedMs();
  let why = 'it has not happened';
  for (;;) {
    try {
      const answer = await attempt();
      if (answer !== undefined) return answer;
      why = 'it has not happened';
    } catch (error) {
      if (error instanceof Refused && error.status < 500 && error.status !== UNREACHED) throw error;
      why = (error as Error).message;
    }
    if (elapsedMs() - startedAt > STEP_WITHIN_MS)
      throw new Failure(1, 'STEP', `${what}: not within ${STEP_WITHIN_MS / 1000} s (${why})`);
    await pause(LOOK_EVERY_MS);
  }
}
