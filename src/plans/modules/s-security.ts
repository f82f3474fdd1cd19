import type { VaspOperation } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { type Condition, planModule } from '../module.ts';
import {
  answerIn,
  call,
  callback,
  hasTrace,
  noAddress,
  refusalText,
  requireToken,
  strayResult,
  unknownHash,
} from '../steps/answers.ts';
import { type ConductMemo, judgeNoPayment, remember } from '../steps/conduct.ts';
import { accountOnTheWire, accountQuestion, depositRequest, onTheWire } from '../steps/deposit-requests.ts';
import { callbackSent, payFromFaucet, robotVerifies } from '../steps/robot-pays.ts';
import { tells, valuesOf } from '../steps/told-values.ts';
import { orderWithdrawal, verificationOf } from '../steps/withdrawals.ts';
import { verified, wrongPayment } from '../steps/wrong-payments.ts';
import { nearTokens, otherToken, TOLD_TOKEN } from '../steps/wrong-tokens.ts';

/** S1 to S4: the endpoints of the tested VASP. */

const PER_OPERATION = {
  verifyAccount: 'account',
  verifyUser: 'user',
  transactionStatus: 'status',
  callback: 'callback',
} as const;
const OPERATIONS = Object.keys(PER_OPERATION) as VaspOperation[];
type Word = (typeof PER_OPERATION)[VaspOperation];

/** One condition for each address. */
const perAddress = (text: (address: string) => string) =>
  Object.fromEntries(OPERATIONS.map(each => [PER_OPERATION[each], { clause: 'WIRE-3', text: text(each) }])) as Record<
    Word,
    Condition
  >;

/** Those that have an address. The conditions of the others stay SKIPPED. */
function addressed(ctx: ModuleContext<Word>): VaspOperation[] {
  return OPERATIONS.filter(operation => {
    const hasAddress = ctx.world.target.url(operation) !== undefined;
    if (!hasAddress) ctx.omit(PER_OPERATION[operation], noAddress(operation));
    return hasAddress;
  });
}

/** A right body of each operation. */
function rightBodies(ctx: ModuleContext): Record<VaspOperation, object> {
  const customer = ctx.customer();
  return {
    verifyAccount: accountOnTheWire(ctx, accountQuestion(ctx, { customer })),
    verifyUser: onTheWire(ctx, depositRequest(ctx, { customer }), ctx.world.uuid()),
    transactionStatus: { verificationUuid: ctx.world.uuid() },
    callback: { callbackType: 'VERIFICATION_RESULT', data: strayResult(ctx) },
  };
}

const tokenWanted = planModule({
  id: 'S1',
  paysNothing: true,
  title: 'The endpoints refuse a missing and a wrong token',
  needs: ['customer', 'token'],
  symbols: [],
  conditions: perAddress(address => `${address} answers 401 or 403 to a missing and to a wrong token.`),
  async run(ctx) {
    const wrong = otherToken(requireToken(ctx));
    await judgeTokens(ctx, [
      ['no token', null],
      ['a wrong one', wrong],
    ]);
  },
});

/** Each of them is refused. */
async function judgeTokens(
  ctx: ModuleContext<Word>,
  tokens: readonly (readonly [which: string, token: string | null])[],
): Promise<void> {
  const bodies = rightBodies(ctx);
  for (const operation of addressed(ctx)) {
    const from: (LoggedExchange | undefined)[] = [];
    let taken: string | undefined;
    for (const [which, token] of tokens) {
      const exchange = await call(ctx, operation, bodies[operation], { token });
      from.push(exchange);
      if (exchange?.status !== 401 && exchange?.status !== 403)
        taken ??= `${answerIn(ctx, exchange, operation)} to ${which}`;
    }
    const expected = '401 or 403';
    ctx.check(PER_OPERATION[operation], taken === undefined, { expected, got: taken ?? expected, from });
  }
}

const wholeTokenWanted = planModule({
  id: 'S5',
  paysNothing: true,
  title: 'The endpoints compare the whole token',
  needs: ['customer', 'token'],
  symbols: [],
  conditions: perAddress(address => `${address} answers 401 or 403 to a token that is nearly right.`),
  async run(ctx) {
    const tokens = nearTokens(requireToken(ctx));
    if (tokens.length === 0) ctx.skip('The token has nothing to change: use a longer one.');
    await judgeTokens(ctx, tokens);
  },
});

/** Longer than any message: over 256 KiB. */
const TOO_LONG = 257 * 1024;

const wrongBodiesRefused = planModule({
  id: 'S2',
  paysNothing: true,
  title: 'The endpoints bear a body that is no JSON, too long, or not in shape',
  needs: [],
  symbols: [],
  conditions: perAddress(
    address => `${address} answers a wrong body with a status below 500, and without a positive result.`,
  ),
  async run(ctx) {
    const tooLong = JSON.stringify({ padding: 'x'.repeat(TOO_LONG) });
    for (const operation of addressed(ctx)) {
      const exchanges: (LoggedExchange | undefined)[] = [];
      for (const body of ['{"verificationUuid":', '{"wrong":[1]}', tooLong])
        exchanges.push(await call(ctx, operation, body));
      const wrong = exchanges.find((each, position) => !isBorne(each) && !(position === 2 && isClosedEarly(each)));
      const shown = wrong ?? exchanges[0];
      ctx.check(PER_OPERATION[operation], wrong === undefined, {
        expected: 'a status below 500, and no positive result',
        got: positiveIn(shown) ?? answerIn(ctx, shown, operation),
        from: exchanges,
      });
    }
  },
});

/** The reference has no status for it. A callback endpoint may queue what it receives, so 200 is right, too. */
const isBorne = (each: LoggedExchange | undefined): boolean =>
  each?.status != null && each.status < 500 && positiveIn(each) === undefined;

/** What only a right body can have as its answer. */
function positiveIn(each: LoggedExchange | undefined): string | undefined {
  const { accountVerificationResult, result, transactionStatus, txHash } = json(each?.response) ?? {};
  const said = [accountVerificationResult, result, transactionStatus].find(
    value => value === 'VERIFIED' || value === 'CONFIRMED',
  );
  if (each?.status !== 200) return undefined;
  return said ? String(said) : typeof txHash === 'string' && txHash !== '' ? 'a hash' : undefined;
}

/** A server may close the connection while a body that is too long still arrives: its answer is then lost. */
const isClosedEarly = (each: LoggedExchange | undefined): boolean =>
  each?.status === null && /ECONNRESET|EPIPE/.test(each.error ?? '');

const nothingRevealed = planModule({
  id: 'S3',
  paysNothing: true,
  title: 'A status query about a verification of others reveals nothing',
  needs: ['customer'],
  symbols: [],
  conditions: {
    unknown: { clause: 'WIRE-3.3', text: 'A status query about an unknown verification names no transaction.' },
    incoming: {
      clause: 'WIRE-3.3',
      text: 'A status query about a verification that the VASP receives names no transaction.',
    },
    reported: {
      clause: 'WIRE-3.3',
      text: 'The same after a transaction report: it names no transaction of another VASP.',
    },
  },
  async run(ctx) {
    const customer = ctx.customer();
    if (ctx.world.target.url('transactionStatus') === undefined) ctx.skip(noAddress('transactionStatus'));
    const { uuid } = await robotVerifies(ctx, depositRequest(ctx, { customer }));
    await judgeSilence(ctx, 'unknown', ctx.world.uuid());
    await judgeSilence(ctx, 'incoming', uuid);
    await callback(ctx, 'TX_REPORT', { verificationUuid: uuid, txHash: unknownHash(ctx) });
    await judgeSilence(ctx, 'reported', uuid);
  },
});

async function judgeSilence<W extends string>(ctx: ModuleContext<W>, word: NoInfer<W>, verificationUuid: string) {
  const exchange = await call(ctx, 'transactionStatus', { verificationUuid }, { verificationUuid });
  const answer = json(exchange?.response);
  const status = exchange?.status ?? null;
  const names = typeof answer?.txHash === 'string' && answer.txHash !== '';
  ctx.check(word, status !== null && status < 500 && !names, {
    expected: 'no hash, and no 5xx',
    got: names ? 'a hash' : answerIn(ctx, exchange, 'transactionStatus'),
    from: [exchange],
  });
}

const LOCAL =
  /^(localhost|127\..*|\[(::1|f[cd]..:.*|fe80:.*)\]|.*\.(local|localhost|internal|test)|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|[^.:]+)$/;

const encrypted = planModule({
  id: 'S4',
  paysNothing: true,
  title: 'Addresses that are not local use HTTPS',
  needs: [],
  symbols: [],
  conditions: {
    https: { clause: 'WIRE-3', severity: 'WARNING', text: 'Every endpoint that is not local begins with https.' },
  },
  async run(ctx) {
    const urls = OPERATIONS.flatMap(each => ctx.world.target.url(each) ?? []).map(url => new URL(url));
    if (urls.length === 0) ctx.skip('No endpoint is configured.');
    const open = urls.find(({ protocol, hostname }) => protocol === 'http:' && !LOCAL.test(hostname));
    ctx.check('https', open === undefined, {
      expected: 'https',
      got: open ? `http://${open.host}` : 'https, or local',
    });
  },
});

export const security = [tokenWanted, wrongBodiesRefused, nothingRevealed, encrypted, wholeTokenWanted];

/** S6 and S7: what is refused must have no effect. */

const wrongToken = (ctx: ModuleContext) => ({ token: otherToken(requireToken(ctx)) });

/** Calls with a wrong token that an attacker may send. Only the second report has the right token. */
export const forgedDeposit = wrongPayment({
  id: 'S6',
  title: 'Deposits: calls with a wrong token have no effect',
  notCredited: {
    clause: 'WIRE-3',
    text: 'Nothing is credited by a report or by a user verification that has a wrong token.',
  },
  async pay(ctx, first) {
    const wrong = wrongToken(ctx);
    const { uuid } = await verified(ctx);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(ctx.customer()), ctx.amount);
    await call(ctx, 'callback', callbackBody('TX_REPORT', { verificationUuid: uuid, txHash }), wrong);
    const forged = ctx.world.uuid();
    const asked = onTheWire(ctx, depositRequest(ctx, { customer: ctx.customer() }), forged);
    await call(ctx, 'verifyUser', asked, wrong);
    await callback(ctx, 'TX_REPORT', { verificationUuid: forged, txHash });
    return first;
  },
  async beforeNext(ctx, verificationUuid) {
    const error = { result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled' };
    await call(ctx, 'callback', callbackBody('ERROR_REPORT', { verificationUuid, ...error }), wrongToken(ctx));
  },
});

const callbackBody = (callbackType: string, data: object) => ({ callbackType, data });

export const forgedResult = planModule({
  id: 'S7',
  title: 'Withdrawals: a result with a wrong token has no effect',
  needs: ['driver', 'token'],
  symbols: [],
  alone: true,
  conditions: {
    'no-payment': { clause: 'WIRE-3', text: 'The VASP does not pay by a VERIFIED that has a wrong token.' },
  },
  async run(ctx) {
    const wrong = wrongToken(ctx);
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'never-answers' });
    const { uuid, exchange } = await verificationOf(ctx, 'no-payment', ordered);
    if (uuid === undefined) return ctx.omit('no-payment', `The user verification was ${refusalText(exchange)}.`);
    const result = { verificationResult: 'VERIFIED', reason: 'OK', message: '' };
    const forged = callbackBody('VERIFICATION_RESULT', { verificationUuid: uuid, ...result });
    await call(ctx, 'callback', forged, wrong);
    remember(ctx, ordered, { uuid });
    await ctx.advance(`${ctx.world.timeoutMs.verifyUser + 1_000}ms`);
    await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
    await judgeNoPayment(ctx, ctx.memo as ConductMemo);
  },
  late: judgeNoPayment,
});

/** At the end of the run, over all answers of the VASP. */
export const innerLife = planModule({
  id: 'S8',
  title: 'The answers tell nothing of the inside of the VASP',
  needs: [],
  symbols: [],
  conditions: {
    'no-trace': { clause: 'WIRE-3', text: 'No answer of this run has a stack trace or the path of a source file.' },
    'no-token': { clause: 'WIRE-3', text: 'No answer of this run to a wrong or missing token tells the right one.' },
    'no-person': {
      clause: 'WIRE-5',
      text: 'No status answer of this run, and no answer to a callback, tells of a customer.',
    },
  },
  async run(ctx) {
    const { token, url } = ctx.world.target;
    if (OPERATIONS.every(each => url(each) === undefined)) ctx.skip('No endpoint is configured.');
    for (const operation of OPERATIONS) {
      await call(ctx, operation, '{"verificationUuid":');
      if (token !== undefined) await call(ctx, operation, '{}', { token: otherToken(token) });
    }
    ctx.memo = {};
    judgeTraits(ctx);
  },
  late: async ctx => judgeTraits(ctx),
});

/** They are about a payment, and need nobody. */
const IMPERSONAL = ['transactionStatus', 'callback'];

type Trait = 'no-trace' | 'no-token' | 'no-person';

function judgeTraits(ctx: ModuleContext<Trait>): void {
  const answers = ctx.ofRun.all().filter(({ direction, response }) => direction === 'OUT' && response !== null);
  const holds = (word: Trait, what: string, has: (response: string, answer: LoggedExchange) => boolean) => {
    const from = answers.filter(each => has(each.response!, each)).slice(0, 1);
    const got = from.length === 0 ? 'none' : `${what} in an answer of ${from[0]!.operation}`;
    ctx.check(word, from.length === 0, { expected: `no answer with ${what}`, got, from });
  };
  holds('no-trace', 'a stack trace or a path', (response, { url }) => hasTrace(response, url));
  holds('no-token', 'the token in its body or a header', (response, { responseHeaders }) =>
    [response, ...Object.values(responseHeaders)].some(text => text.includes(TOLD_TOKEN)),
  );
  const customers = ctx.world.customers?.customers.map(valuesOf);
  if (!customers) return ctx.omit('no-person', 'It needs a customers file.');
  holds('no-person', 'the data of a customer', (response, { operation }) => {
    const isImpersonal = IMPERSONAL.includes(operation);
    return isImpersonal && customers.some(values => tells(json(response) ?? response, values));
  });
}
