import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { receiving } from './deposits.ts';
import { type Any, judgeBeneficiary, judgeUser, nameText, type Owner, userAnswer, type Verdict } from './judge.ts';
import { ethereum, type Ledger, xrpLedger } from './ledgers.ts';
import { PEOPLE } from './people.ts';
import { paused, type Variant } from './variants.ts';
import { originating } from './withdrawals.ts';
import type { Is } from './wrongs.ts';

/**
 * A VASP written from the reference alone: it uses nothing of `src/`. It keeps every rule, except the one that it is told
 * to break.
 */
export interface IndependentVasp {
  readonly endpoints: Record<string, string>;
  readonly token: string;
  /** Breaks this rule from now on; undefined: none. `variant`: how it differs. It forgets all deposits. */
  become(wrong: string | undefined, variant?: Variant): Promise<void>;
  stop(): Promise<void>;
}

const PANIC = "thread 'tokio-runtime-worker' panicked at src/handlers/verify.rs:42:17";
const OPENING = { ETH: 20n * 10n ** 18n, XRP: 5_000n * 10n ** 6n } as const;
const DECIMALS = { ETH: 18, XRP: 6 } as const;
/** A look into a database. */
const MIXED_MS = 50;
const CLOCK_MS = 200;
const ACTIONS = /^(verify-account|verify-user|withdraw|send-without-report|report-error)$/;

export async function startIndependentVasp(url: string, apiKey: string, host = '127.0.0.1'): Promise<IndependentVasp> {
  const token = 'Tok-3f9A-independent-5e21';
  let wrong: string | undefined;
  let variant: Variant = {};
  let isStopped = false;
  const is: Is = each => each === wrong || each === variant.chooses;
  const usual = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Any }> {
    const sent = body && path.startsWith('/v1/') && variant.asks ? variant.asks(path, body) : body;
    const response = await fetch(url + path, {
      method,
      headers: { ...usual, ...variant.headers },
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  }
  const post = (path: string, body: object) => call('POST', path, body);
  const key = `?key=${encodeURIComponent(apiKey)}`;
  const seed = apiKey;
  const ledgers: Record<string, Ledger> = {
    ETH: ethereum(`${url}/devnet/ethereum${key}`, seed),
    XRP: await xrpLedger(`${url.replace('http', 'ws')}/devnet/xrpl${key}`, seed),
  };
  const owners = PEOPLE.map((person, index) => ({
    ...person,
    accounts: { ETH: ledgers.ETH!.accountOf(index), XRP: ledgers.XRP!.accountOf(index) },
  })) as Owner[];
  const faucet = (symbol: string, address: string, amount: string) =>
    post('/sandbox/v1/faucet', { symbol, address, amount });
  await Promise.all([
    ...owners.map(({ accounts }) => faucet('ETH', accounts.ETH, '20')),
    faucet('XRP', owners[0]!.accounts.XRP.split(':')[0]!, '20000'),
  ]);
  const { accounts } = owners.at(-1)!;
  const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [accounts.ETH, 'latest'] };
  // On a chain with a block each second the money is there only then.
  while ((await post(`/devnet/ethereum${key}`, asked)).body?.result === '0x0') await delay(CLOCK_MS);
  const balances = new Map<string, bigint>();
  const book = (owner: string, symbol: string, units: bigint) => {
    const name = `${owner} ${symbol}`;
    balances.set(name, (balances.get(name) ?? OPENING[symbol as 'ETH']) + units);
  };
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  async function readClock(): Promise<void> {
    if (!variant.sandboxClock) return;
    const { body } = await call('GET', '/sandbox/v1/clock').catch(() => ({ body: undefined }));
    if (body?.now) aheadMs = Date.parse(body.now) - Date.now();
  }
  async function followClock(): Promise<void> {
    while (!isStopped) {
      await readClock();
      await delay(CLOCK_MS);
    }
  }
  const sends = originating({
    now,
    is,
    variant: () => variant,
    ledgers,
    owners,
    post,
    get: async path => (await call('GET', path)).body,
    isStopped: () => isStopped,
    debit: (owner, symbol, units) => book(owner, symbol, -units),
  });
  const receives = receiving({
    now,
    is,
    variant: () => variant,
    ledgers,
    owners,
    post,
    get: async path => (await call('GET', path)).body,
    isStopped: () => isStopped,
    ownWithdrawals: sends.own,
    credit: book,
  });
  const running = Promise.all([receives.run(), followClock()]);

  function verifyAccount({ symbol, network, ivms101 }: Any): object {
    const scope = { isNameNeeded: false, isKycNeeded: false };
    const verdict = judgeBeneficiary(is, owners, { symbol, network, beneficiary: ivms101.beneficiary }, scope);
    const { result, reason, message, owner } = verdict;
    return {
      accountVerificationResult: result,
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
      ...(owner && is('tells the owner of a verified account') ? { message: `owner ${nameText(owner)}` } : {}),
      ...(owner && reason && is('tells the name of the owner')
        ? { name: nameText(owner), bornOn: owner.dateOfBirth }
        : {}),
      verifiedAt: sends.time(),
    };
  }

  const known = new Map<string, Verdict>();
  const answers = new Map<string, object>();
  async function verifyUser(body: Any): Promise<object> {
    const { verificationUuid: uuid, assetInfo, ivms101 } = body;
    const before = answers.get(uuid);
    if (before && !is('opens a credited verification again')) return before;
    const [account = ''] = ivms101.beneficiary.accountNumber;
    const remembered = is('remembers a VERIFIED account for any name') ? known.get(account) : undefined;
    const verdict = remembered ?? judgeUser(is, owners, body);
    if (verdict.result === 'VERIFIED') known.set(account, verdict);
    const [sender = ''] = ivms101.originator.accountNumber;
    const height = await (ledgers[assetInfo.symbol]?.head().catch(() => -1) ?? -1);
    // A verification that is opened again is as old as it was.
    const head = before ? -1 : height;
    const payment = { account, sender, head };
    receives.verified(uuid, verdict.owner, assetInfo, payment, verdict.result === 'VERIFIED');
    const answer = userAnswer(is, body, verdict);
    answers.set(uuid, answer);
    return answer;
  }

  async function callback({ callbackType, data }: Any): Promise<void> {
    if (is('asks back about every report') && callbackType === 'TX_REPORT')
      void post('/v1/verifications/tx/inquiry', { verificationUuid: data.verificationUuid }).catch(() => {});
    const type = is('credits callbacks of any type') && data.txHash ? 'TX_REPORT' : callbackType;
    if (type === 'VERIFICATION_RESULT') sends.resultArrived(data);
    else if (type === 'TX_REPORT') await receives.reported(data);
    else if (type === 'ERROR_REPORT') receives.canceled(data);
    else if (/^PROVIDER/.test(type)) sends.assessed(data);
  }

  const assessPath: Record<string, string> = {
    sanction: 'providerA-sanction',
    kyt: 'providerA-kyt',
    wco: 'providerB-wco',
  };
  function act({ action, parameters }: Any): { status: number; body: object } {
    const { symbol, customer, kinds = [], verificationUuid } = parameters;
    if (ACTIONS.test(action)) {
      void sends.withdraw(action, { ...parameters, customer: customer ?? owners[0] }).catch(() => {});
      return { status: 202, body: {} };
    }
    if (action === 'list-vasps') void call('GET', '/v1/vasps');
    else if (action === 'assess')
      for (const kind of kinds) void post(`/v1/risk-assessment/${assessPath[kind]}`, { verificationUuid });
    else if (action === 'balance') {
      const units = balances.get(`${customer.id} ${symbol}`) ?? OPENING[symbol as 'ETH'];
      return { status: 200, body: { value: decimal(units, DECIMALS[symbol as 'ETH']) } };
    } else return { status: 501, body: {} };
    return { status: 202, body: {} };
  }

  let question: Any;
  async function answer(path: string, method: string, text: string): Promise<{ status: number; body: object }> {
    const clock = variant.sandboxClock ? { clock: 'sandbox' } : {};
    if (path === '/driver' && method === 'GET')
      return { status: 200, body: { actions: ['withdraw'], customers: { customers: owners }, ...clock } };
    let body: Any;
    try {
      body = JSON.parse(text);
    } catch (error) {
      return {
        status: 400,
        body: is('answers with a stack trace')
          ? { error: (error as Error).stack }
          : is('answers with a panic of Rust')
            ? { error: PANIC }
            : {},
      };
    }
    if (path === '/driver') return act(body);
    const isMute = body.callbackType === 'ERROR_REPORT' && !body.data?.message;
    if (isMute && is('wants a message in an error report')) return { status: 400, body: {} };
    const isSilent = body.data?.verificationResult === 'DENIED' && !body.data.message;
    if (isSilent && is('wants a message in a denied result')) return { status: 400, body: {} };
    const isBare = body.callbackType === 'TX_REPORT' && !body.data?.vout;
    if (isBare && is('wants a vout in a report')) return { status: 400, body: {} };
    if (path === '/callback' && body.callbackType && body.data) {
      await callback(body);
      const thanks = is('names a customer in an answer to a callback')
        ? { message: `Thank you, ${nameText(owners[0]!)}` }
        : {};
      return { status: is('answers callbacks with 204') ? 204 : 200, body: { result: true, ...thanks } };
    }
    if (path === '/account' && body.ivms101?.beneficiary) return { status: 200, body: verifyAccount(body) };
    if (path === '/user' && body.ivms101?.originator && body.assetInfo) {
      question = body;
      if (is('mixes up questions at once')) await delay(MIXED_MS);
      return { status: 200, body: await verifyUser(is('mixes up questions at once') ? question : body) };
    }
    // The robot asks directly after the clock was moved.
    if (path === '/status') await readClock();
    const status = path === '/status' && body.verificationUuid && (await sends.status(body.verificationUuid));
    const more = is('names a customer in a status answer') ? { customer: owners[0]!.names } : {};
    return status ? { status: 200, body: { ...status, ...more } } : { status: 404, body: {} };
  }

  function isAllowed(given: string): boolean {
    const right = `Bearer ${token}`;
    if (is('compares the beginning of the token')) return given.startsWith(right);
    if (is('compares only as much of the token as it has')) return given !== '' && right.startsWith(given);
    if (is('compares the token without case')) return given.toLowerCase() === right.toLowerCase();
    return given === right;
  }

  function telling(status: number): Record<string, string> {
    if (status !== 401) return {};
    if (is('tells the expected token in a header')) return { 'X-Expected-Token': `Bearer ${token}` };
    if (is('tells the expected token in the header that asks for it'))
      return { 'WWW-Authenticate': `Bearer realm="vasp", error="invalid_token", expected="${token}"` };
    if (is('tells the code of the expected token in a header'))
      return { 'x-debug': `want=${Buffer.from(token).toString('base64')}` };
    return {};
  }

  const server = createServer(async (request, response) => {
    const received = await bodyOf(request);
    const path = new URL(request.url ?? '/', 'http://vasp').pathname;
    const isOpen = path === '/status' && is('wants no token for status queries');
    if (is('acts on calls that it refuses') && !isAllowed(request.headers.authorization ?? ''))
      await answer(path, request.method ?? '', received).catch(() => {});
    const { status, body } =
      !isOpen && !isAllowed(request.headers.authorization ?? '')
        ? { status: 401, body: is('tells the expected token') ? { expected: `Bearer ${token}` } : {} }
        : received.length > 256 * 1024
          ? { status: 413, body: {} }
          : await answer(path, request.method ?? '', received).catch(() => ({ status: 400, body: {} }));
    await paused(path === '/driver' ? { pauseMs: variant.driverPauseMs ?? 0 } : variant);
    const text = JSON.stringify(status === 200 && variant.answers ? variant.answers(path, body) : body);
    if (variant.write) variant.write(response, { status, text, path });
    else response.writeHead(status, { 'content-type': 'application/json', ...telling(status) }).end(text);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  return {
    endpoints: {
      verifyAccount: `${base}/account`,
      verifyUser: `${base}/user`,
      transactionStatus: `${base}/status`,
      callback: `${base}/callback`,
      driver: `${base}/driver`,
    },
    token,
    async become(next, how = {}) {
      wrong = next;
      variant = how;
      await receives.forget();
    },
    async stop() {
      isStopped = true;
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await running;
      await Promise.all(Object.values(ledgers).map(ledger => ledger.close()));
    },
  };
}

function decimal(units: bigint, decimals: number): string {
  const text = String(units).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, '');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
