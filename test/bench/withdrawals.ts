import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RobotUser } from '../../src/client/answers.ts';
import { type Client, client } from '../../src/client/client.ts';
import type { AssetSymbol } from '../../src/contract/assets.ts';
import { robotUserRequest, userRequest } from '../../src/sandbox/scenarios/requests.ts';
import { freshAddress, ledgerOf } from '../support/chains/on-chain.ts';
import { devnetAt, openWallet } from '../support/chains/wallets.ts';
import { until } from '../support/until.ts';
import { type TestedVasp, testedVasp } from '../support/vasp/tested-vasp.ts';
import { ethereumRate, ledgerRate } from './node-rates.ts';
import { median, start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';

const COUNT = 200;
const ROUNDS = 3;
const AMOUNT = '1.25';
const USER = 'taylor-robbins';
const CLOSE_INTERVAL_MS = 1_000;

interface Bench {
  api: Client;
  vasp: TestedVasp;
  url: string;
  user: RobotUser;
  vaspId: string;
  robotVaspId: string;
}

/** Withdrawals at once on one wallet, from the first request until the book calls all of them CONFIRMED. */
export async function benchWithdrawals(): Promise<void> {
  section(`${COUNT} withdrawals at once on one wallet, until confirmed (median of ${ROUNDS})`);
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-bench-'));
  const vasp = await testedVasp();
  const ours = await start(
    OURS,
    {
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      XRPL_CLOSE_INTERVAL: `${CLOSE_INTERVAL_MS}ms`,
      VEGA_VERIFICATION_API_PATH: vasp.endpoints.verifyUser,
      VEGA_VERIFICATION_CALLBACK_API_PATH: vasp.endpoints.callback,
    },
    '/readyz',
  );
  try {
    const api = client(ours.url);
    const info = await api.info();
    const user = info.users.find(each => each.id === USER)!;
    const { vaspId } = info.vasp;
    const bench = { api, vasp, url: ours.url, user, vaspId, robotVaspId: info.robot.vaspId };
    const own = { ETH: [] as number[], XRP: [] as number[] };
    const bare = { ETH: [] as number[], XRP: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      bare.ETH.push(await ethereumRate(COUNT));
      own.ETH.push(await rateOf(bench, 'ETH'));
      bare.XRP.push(await ledgerRate(COUNT, CLOSE_INTERVAL_MS));
      own.XRP.push(await rateOf(bench, 'XRP'));
    }
    const ratio = (symbol: AssetSymbol) => median(own[symbol]) / median(bare[symbol]);
    show(
      { what: 'ETH: the node itself, signed before', value: median(bare.ETH), unit: 'transfers/s' },
      { what: 'ETH: ours', value: median(own.ETH), unit: 'transfers/s' },
      { what: 'ETH: ratio', value: ratio('ETH'), unit: '×', budget: { atLeast: 0.5 } },
      { what: 'XRP: the ledger itself, signed before', value: median(bare.XRP), unit: 'transfers/s' },
      { what: 'XRP: ours', value: median(own.XRP), unit: 'transfers/s' },
      { what: 'XRP: ratio', value: ratio('XRP'), unit: '×' },
    );
  } finally {
    await ours.stop();
    await vasp.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rateOf(bench: Bench, symbol: AssetSymbol): Promise<number> {
  const { api, url, user } = bench;
  await receive(bench, symbol);
  const recipients = Array.from({ length: COUNT }, () => freshAddress(symbol));
  const uuids = await Promise.all(recipients.map(to => verified(bench, symbol, to)));
  const ledger = ledgerOf({ url, info: await api.info() }, symbol);
  const before = await ledger.sent(user.accounts[symbol]);
  const startedAt = performance.now();
  await Promise.all(uuids.map(uuid => api.letRobotWithdraw(uuid)));
  for (const uuid of uuids)
    await until(async () => (await api.inquireTransaction(uuid)).transactionStatus === 'CONFIRMED');
  const seconds = (performance.now() - startedAt) / 1000;
  for (const to of recipients)
    if ((await ledger.balanceOf(to)) !== AMOUNT) throw new Error(`${to} was not paid exactly once`);
  const sent = (await ledger.sent(user.accounts[symbol])) - before;
  if (sent !== COUNT) throw new Error(`${sent} transactions for ${COUNT} transfers`);
  return COUNT / seconds;
}

/** What is paid out was received before: one deposit for all. */
async function receive({ api, vasp, url, user, robotVaspId }: Bench, symbol: AssetSymbol): Promise<void> {
  const amount = String(Number(AMOUNT) * COUNT);
  const to = user.accounts[symbol];
  const wallet = await openWallet(symbol, devnetAt(symbol, url));
  try {
    await api.faucet(symbol, wallet.address, String(Number(amount) + 10));
    const request = userRequest({ robotVaspId, user, symbol, amount, from: wallet.address });
    const { verificationUuid } = await api.verifyUser(request);
    await vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
    await api.reportTransaction(verificationUuid, await wallet.pay(to, amount));
    await until(async () => {
      await api.advance('0s');
      const { deposits } = await api.deposits();
      return deposits.some(each => each.verificationUuid === verificationUuid);
    });
  } finally {
    await wallet.close();
  }
}

async function verified({ api, vaspId, user }: Bench, symbol: AssetSymbol, to: string): Promise<string> {
  const { verificationUuid } = await api.letRobotVerifyUser(
    robotUserRequest({ vaspId, user, symbol, amount: AMOUNT, to }),
  );
  await until(async () => (await api.verification(verificationUuid)).result === 'VERIFIED');
  return verificationUuid;
}
