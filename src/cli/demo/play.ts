import { loadConfig } from '../../app/config/config.ts';
import { type Client, client, type Info, Refused, type RobotUser } from '../../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import type { DriverAction } from '../../contract/customers.ts';
import { personsOf } from '../../contract/persons.ts';
import { robotUserRequest } from '../../contract/sample-requests.ts';
import { elapsedMs, systemClock, toIso } from '../../kernel/clock.ts';
import { systemRandom } from '../../kernel/random.ts';
import { masked } from '../../plans/report/mask.ts';
import { type Joined, joinSandbox, PlaceTaken } from '../../reference-vasp/join.ts';
import { pause } from '../../timers/loop.ts';
import { play } from '../check/play.ts';
import { type Call, type ExitCode, Failure } from '../command.ts';
import { connect } from '../connection.ts';
import { type Interrupted, whenInterrupted } from '../output.ts';

type Customer = Joined['customers']['customers'][number];

const STEP_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * The reference VASP joins an enclave and plays both tests with a robot of another process, in ETH and XRP. Each step is tried
 * again while one side is away. Returns the exit code. Throws `Failure`.
 */
export async function playTwoProcesses(
  { apiKey, ...urls }: { enclave: string; robot: string; apiKey: string | undefined },
  telling: Telling,
): Promise<0> {
  const tell = teller(telling);
  const startedAt = elapsedMs();
  const enclave = connect({ url: urls.enclave, 'api-key': apiKey });
  const robot = connect({ url: urls.robot, 'api-key': undefined });
  const info = await robotThatKnows((await enclave.self()).vaspId, robot);
  const vasp = await joinSandbox({ url: enclave.url, apiKey, robotUrl: robot.url }).catch(error => {
    if (!(error instanceof PlaceTaken)) throw error;
    const advice = 'Start the enclave without its endpoints, or play as another VASP with --api-key.';
    throw new Failure(1, 'PLACE-TAKEN', `${error.message} ${advice}`);
  });
  const [customer] = vasp.customers.customers as [Customer];
  const user = info.users.find(({ kind, kyc, behaviour }) => kind === 'natural' && kyc && behaviour === 'ORDINARY')!;
  const callOff = whenInterrupted(code => void vasp.stop().then(() => process.exit(code)));
  try {
    tell(`The reference VASP at ${vasp.url} has joined ${enclave.url}. The robot is at ${robot.url}.`);
    const play = { vasp, robot, vaspId: info.vasp.vaspId, robotVaspId: info.robot.vaspId, customer, user };
    for (const symbol of ASSET_SYMBOLS) {
      await withdraw(play, symbol);
      tell(`PASSED  withdrawal ${symbol}: the robot verified, was paid, and credited ${AMOUNT} ${symbol}`);
      await deposit(play, symbol);
      tell(`PASSED  deposit ${symbol}: the VASP verified, was paid, and credited ${PAID_BACK} ${symbol}`);
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

async function robotThatKnows(vaspId: string, robot: Client): Promise<Info> {
  const info = await robot.info();
  if (!info.roles.includes('robot')) throw new Failure(1, 'NO-ROBOT', `the process at ${robot.url} has no robot`);
  if (info.vasp.vaspId !== vaspId)
    throw new Failure(
      1,
      'OTHER-VASP',
      `the enclave takes the demo for VASP ${vaspId}, the robot for ${info.vasp.vaspId}: set the same VASP_ID`,
    );
  return info;
}

interface Play {
  vasp: Joined;
  robot: Client;
  vaspId: string;
  robotVaspId: string;
  customer: Customer;
  user: RobotUser;
}

/** The VASP pays the robot, which credits it. */
async function withdraw(play: Play, symbol: AssetSymbol): Promise<void> {
  const { robot, vaspId, robotVaspId, customer, user } = play;
  const { kind, names, accounts } = user;
  const credited = async () => Number((await robot.balance(vaspId, symbol, accounts[symbol])).value);
  const before = await patiently(`read the balance in ${symbol}`, credited);
  const beneficiary = { vaspId: robotVaspId, user: { kind, names }, account: accounts[symbol] };
  await drive(play.vasp, 'withdraw', { symbol, amount: AMOUNT, customer, beneficiary });
  await patiently(`credit the payment of ${AMOUNT} ${symbol}`, async () => grewBy(AMOUNT, before, await credited()));
}

/** The robot pays the VASP, which credits it. */
async function deposit({ vasp, robot, vaspId, customer, user }: Play, symbol: AssetSymbol): Promise<void> {
  const credited = async () => Number((await drive(vasp, 'balance', { symbol, customer })).value);
  const before = await credited();
  const to = customer.accounts[symbol]!;
  const request = robotUserRequest({ vaspId, user, symbol, amount: PAID_BACK, to });
  request.payload.ivms101.beneficiary.beneficiaryPersons = personsOf(customer);
  const once = client(robot.url, { headers: { 'idempotency-key': systemRandom.uuid() } });
  const { verificationUuid } = await patiently('open the verification', () => once.robotVerifyUser(request));
  await patiently(`verify the deposit in ${symbol}`, async () => {
    const { verifications } = await robot.verifications({ verificationUuid });
    return verifications[0]?.result === 'VERIFIED' || undefined;
  });
  await patiently(`pay ${PAID_BACK} ${symbol}`, () => robot.robotWithdraw(verificationUuid));
  await patiently(`credit the deposit of ${PAID_BACK} ${symbol}`, async () =>
    grewBy(PAID_BACK, before, await credited()),
  );
}

async function drive(vasp: Joined, action: DriverAction, parameters: object): Promise<{ value?: string }> {
  const answerBy = toIso(systemClock.now() + STEP_WITHIN_MS);
  const answer = await fetch(vasp.endpoints.driver, {
    method: 'POST',
    headers: { authorization: `Bearer ${vasp.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ runId: 'demo', module: 'demo', action, parameters, answerBy }),
  });
  return (await answer.json()) as { value?: string };
}

const AMOUNT = '0.03';
/** Less than the robot was paid. */
const PAID_BACK = '0.02';
/** The robot could not reach its enclave. */
const UNREACHED = 408;
const MAX_ROUNDED = 1e-9;

const grewBy = (amount: string, before: number, now: number): true | undefined =>
  now - before > Number(amount) - MAX_ROUNDED || undefined;

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

type Telling = Pick<Call, 'isJson' | 'print' | 'progress'>;

/** With --json the lines of the run go to standard error, and the figures to standard output. */
const teller =
  ({ isJson, print }: Telling) =>
  (text: string): void =>
    isJson ? void process.stderr.write(`${text}\n`) : print(text, undefined);

/** Plays a test run against the reference VASP in a sandbox in memory. Returns the exit code. */
export async function playDemo(telling: Telling): Promise<ExitCode> {
  const tell = teller(telling);
  // A closed pipe (`demo | head`) does not stop the demo before it has cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // Before the first line: whoever reads it may interrupt at once.
  const interrupted = new Promise<Interrupted>(whenInterrupted);
  tell('A test run against the reference VASP begins.');
  const { serve } = await import('../../main.ts');
  const running = await serve(
    loadConfig({ PORT: '0', DATABASE_PATH: ':memory:', XRPL_CLOSE_INTERVAL: '100ms', LOG_LEVEL: 'error' }),
  );
  try {
    const played = running.ready().then(() => runTests(client(running.url), telling));
    played.catch(() => {});
    const code = await Promise.race([played, interrupted]);
    if (code > 1) tell('Interrupted.');
    return code;
  } finally {
    await running.stop();
  }
}

/** Plays a test run in ETH and XRP against the reference VASP of this sandbox. Returns the exit code. */
export async function runTests(api: Client, telling: Telling, modules?: string[]): Promise<ExitCode> {
  const tell = teller(telling);
  const startedAt = elapsedMs();
  const { url } = await api.switchReferenceVasp(true);
  tell(`The sandbox is at ${api.url}, the reference VASP at ${url}.`);
  const order = { plan: 'complete', unattended: true, wait: '10s', modules } as const;
  const terminal = { print: tell, progress: telling.progress, shown: masked };
  const { report, interrupted } = await play(api, order, terminal);
  const { result, counts } = report;
  const tookMs = Math.round(elapsedMs() - startedAt);
  const isGood = result === 'PASSED';
  const seconds = (tookMs / 1000).toFixed(1);
  tell(isGood ? `All ${counts.passed} conditions passed in ${seconds} s.` : `The run ended as ${result}.`);
  if (telling.isJson) telling.print('', { result, counts, tookMs });
  return interrupted ?? (isGood ? 0 : 1);
}
