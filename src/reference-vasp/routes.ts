import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod';
import { ASSETS, isAssetSymbol, isNetworkOf } from '../contract/assets.ts';
import { CALLBACK_TYPES, Callback, type CallbackType } from '../contract/callbacks.ts';
import { VERIFIED, type Verdict, verdict } from '../contract/clauses.ts';
import {
  type Customer,
  type Customers,
  type DriverAction,
  type DriverParameters,
  DriverRequest,
  NOT_SUPPORTED,
} from '../contract/customers.ts';
import type { Persons } from '../contract/ivms101.ts';
import { parse, parseJsonObject } from '../contract/parse.ts';
import { isNamed, nameDifference, wantedPersons } from '../contract/persons.ts';
import { Refusal } from '../contract/refusals.ts';
import { lackingInfo, parseRequiredInfo, unavailableInfo } from '../contract/required-info.ts';
import { VerificationUuid } from '../contract/text.ts';
import {
  endpointsAt,
  VASP_API,
  type VaspVerifyAccountAnswer,
  type VaspVerifyAccountRequest,
  type VaspVerifyUserAnswer,
  type VaspVerifyUserRequest,
} from '../contract/vasp-api.ts';
import type { TransactionStatusResult } from '../contract/verification.ts';
import { firstWithin, toIso } from '../kernel/clock.ts';
import { formatUnits, parseUnits } from '../kernel/decimal.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import { ownerOf } from './customers.ts';
import { awaitDeposit, closeDeposit, deposits, nameTransaction } from './deposits.ts';
import type { VaspDeps } from './deps.ts';
import * as books from './store.ts';
import {
  addAssessment,
  type Goal,
  Order,
  results,
  resumeWithdrawal,
  withdraw,
  withdrawalFor,
  withdrawals,
} from './withdrawals.ts';

/** WIRE-3: the answers of the VASP to its enclave. */

function verifyAccount({ customers, clock }: VaspDeps, request: VaspVerifyAccountRequest): VaspVerifyAccountAnswer {
  const { verdict } = judgeBeneficiary(customers, request, request.ivms101.beneficiary);
  const verifiedAt = toIso(clock.now());
  if (verdict.result === 'VERIFIED') return { accountVerificationResult: 'VERIFIED', verifiedAt };
  const reason = verdict.reason as VaspVerifyAccountAnswer['reason'];
  return { accountVerificationResult: 'DENIED', reason, message: verdict.message, verifiedAt };
}

const HEAD_WITHIN_MS = 500;

/**
 * D-18: a payment that is older is none for this verification. Without an answer of the node in time all may be: a head that
 * is read later may be that of the payment.
 */
async function headNow({ ledgers }: VaspDeps, symbol: string): Promise<number> {
  if (!isAssetSymbol(symbol)) return -1;
  const head = ledgers[symbol].head().catch(() => undefined);
  return (await firstWithin(HEAD_WITHIN_MS, [head])) ?? -1;
}

/** The same verification asked again gets the same answer. */
async function verifyUser(deps: VaspDeps, request: VaspVerifyUserRequest): Promise<VaspVerifyUserAnswer> {
  const { store, clock, waits } = deps;
  const uuid = request.verificationUuid;
  const since = await headNow(deps, request.assetInfo.symbol);
  const now = clock.now();
  const { verdict, customer } = judgeUser(request, deps.customers, now);
  deposits.add(store, uuid, {
    uuid,
    state: verdict.result === 'VERIFIED' ? 'OPEN' : 'NOT-VERIFIED',
    request,
    answer: userAnswer(request, verdict, customer),
    customer: customer?.id ?? null,
    inquireAt: now + waits.inquiryMs,
    inquireUntil: now + waits.inquiryWindowMs,
    since,
  });
  awaitDeposit(deps, uuid);
  return deposits.find(store, uuid)!.answer;
}

function userAnswer(
  { version, requiredBeneficiaryInfo, ivms101 }: VaspVerifyUserRequest,
  { result, reason, message }: Verdict,
  customer: Customer | undefined,
): VaspVerifyUserAnswer {
  const answer = { result, reason, message, version };
  if (result !== 'VERIFIED' || !customer) return answer;
  const wanted = parseRequiredInfo(requiredBeneficiaryInfo);
  const { beneficiaryPersons: received, accountNumber } = ivms101.beneficiary;
  return {
    ...answer,
    ivms101: { beneficiary: { beneficiaryPersons: wantedPersons(customer, wanted, received), accountNumber } },
  };
}

/** The status comes from the ledger. Undefined: no withdrawal of ours has this verification. */
async function transactionStatus(
  { store, ledgers }: VaspDeps,
  verificationUuid: string,
): Promise<TransactionStatusResult | undefined> {
  const withdrawal = withdrawalFor(store, verificationUuid);
  if (!withdrawal) return undefined;
  const { signed, state, order } = withdrawal;
  if (state === 'DENIED' || state === 'CANCELED' || state === 'CANCELS')
    return { verificationUuid, transactionStatus: 'CANCELED' };
  if (!signed) return { verificationUuid, transactionStatus: 'PENDING' };
  const ledger = ledgers[order.symbol as keyof typeof ledgers];
  return { verificationUuid, transactionStatus: await ledger.statusOf(signed), txHash: signed.hash };
}

const isCallbackType = (type: string): type is CallbackType => (CALLBACK_TYPES as string[]).includes(type);

/** WIRE-3.4: may come twice, at once and in any order. A type that we do not know is taken and ignored. */
function takeCallback(deps: VaspDeps, body: { callbackType: string; data: object }): void {
  if (!isCallbackType(body.callbackType)) return;
  if (body.callbackType === 'VERIFICATION_RESULT') takeResult(deps, parse(AnyResult, body.data));
  else take(deps, parse(Callback, body) as Exclude<Callback, { callbackType: 'VERIFICATION_RESULT' }>);
}

/** A reason that we do not know is a reason. */
const AnyResult = z.object({
  verificationUuid: VerificationUuid,
  verificationResult: z.string(),
  reason: z.string().default(''),
});

/** It may come before the answer of the call that opened the verification. */
function takeResult(deps: VaspDeps, data: z.output<typeof AnyResult>): void {
  results.add(deps.store, data.verificationUuid, { result: data.verificationResult, reason: data.reason });
  goOn(deps, data.verificationUuid);
}

function goOn(deps: VaspDeps, uuid: string): void {
  const withdrawal = withdrawalFor(deps.store, uuid);
  if (withdrawal) resumeWithdrawal(deps, withdrawal.id);
}

function take(
  deps: VaspDeps,
  { callbackType, data }: Exclude<Callback, { callbackType: 'VERIFICATION_RESULT' }>,
): void {
  const { store } = deps;
  const uuid = data.verificationUuid;
  switch (callbackType) {
    case 'TX_REPORT':
      nameTransaction(deps, uuid, data.txHash, data.vout ?? null);
      awaitDeposit(deps, uuid);
      return;
    case 'ERROR_REPORT':
      closeDeposit(store, uuid, 'CANCELED');
      return;
    default: {
      const { riskAssessment } = data;
      const assessed = 'providerAKYT' in riskAssessment ? riskAssessment.providerAKYT : riskAssessment.providerBWCO;
      addAssessment(store, assessed.requestId, riskAssessment);
      goOn(deps, uuid);
    }
  }
}

/** REF-2.3: may this payment reach our customer? The first reason against it decides. */

interface Judgement {
  readonly verdict: Verdict;
  readonly customer?: Customer | undefined;
}

function judgeUser(request: VaspVerifyUserRequest, customers: Customers, now: number): Judgement {
  const { assetInfo, requiredBeneficiaryInfo, ivms101 } = request;
  const judgement = judgeBeneficiary(customers, assetInfo, ivms101.beneficiary, true);
  const { customer } = judgement;
  const { originatorPersons } = ivms101.originator;
  if (judgement.verdict.result !== 'VERIFIED' || !customer) return judgement;
  const against =
    refused('UNAVAILABLE-INFORMATION', unavailableInfo(customer.kind, parseRequiredInfo(requiredBeneficiaryInfo))) ??
    refused('LACK-OF-INFORMATION', lackingInfo(originatorPersons, now)) ??
    judgeOriginator(originatorPersons) ??
    judgeAmount(assetInfo.symbol, assetInfo.amount);
  return { verdict: against ?? VERIFIED, customer };
}

function judgeBeneficiary(
  customers: Customers,
  { symbol, network }: { symbol: string; network?: string | undefined },
  { accountNumber: accounts, beneficiaryPersons: persons }: VaspVerifyAccountRequest['ivms101']['beneficiary'],
  isNameRequired = false,
): Judgement {
  if (!isAssetSymbol(symbol)) return { verdict: verdict('UNKNOWN-SYMBOL', symbol) };
  if (network !== undefined && !isNetworkOf(symbol, network)) return { verdict: verdict('UNKNOWN-NETWORK', network) };
  const owners = accounts.map(account => ownerOf(customers, symbol, account));
  const [customer] = owners;
  const foreign = owners.findIndex(owner => owner === undefined || owner !== customer);
  if (!customer || foreign >= 0) return { verdict: verdict('UNKNOWN-ADDRESS', accounts[foreign] ?? '') };
  const isNameChecked = isNameRequired || (persons?.length ?? 0) > 0;
  if (isNameChecked && nameDifference(customer, persons) !== undefined)
    return { verdict: verdict('MISMATCHED-NAME'), customer };
  if (!customer.kyc) return { verdict: verdict('UNVERIFIED-KYC'), customer };
  return { verdict: VERIFIED, customer };
}

const refused = (
  reason: 'UNAVAILABLE-INFORMATION' | 'LACK-OF-INFORMATION',
  codes: readonly string[],
): Verdict | undefined => (codes.length > 0 ? verdict(reason, codes.join(',')) : undefined);

/** WIRE-8.3: whom the VASP does not deal with. */
const LISTED = [{ lastName: 'Escobar', firstName: 'Pablo' }];

function judgeOriginator(persons: Persons): Verdict | undefined {
  const isListed = persons.some(({ naturalPerson }) => LISTED.some(names => isNamed(names, naturalPerson?.name)));
  return isListed ? verdict('BLACKLISTED') : undefined;
}

function judgeAmount(symbol: string, amount: string): Verdict | undefined {
  if (!isAssetSymbol(symbol)) return undefined;
  const { decimals } = ASSETS[symbol];
  return typeof parseUnits(amount, decimals) === 'bigint'
    ? undefined
    : verdict('NOT-ALLOWED', `${symbol} has at most ${decimals} decimals`);
}

const LONGEST_BODY = 256 * 1024;

/** The endpoints of the VASP at its address. */
export const endpointsOf = (url: string) => ({ ...endpointsAt(url), driver: `${url}/driver` });
const PATHS = endpointsOf('');

const AnyCallback = z.looseObject({ callbackType: z.string().min(1), data: z.looseObject({}) });
const AnyAction = z.looseObject({ action: z.string().min(1) });
const WithdrawalRequest = Order.omit({ goal: true, customer: true, omit: true, kinds: true }).extend({
  customerId: z.string(),
});

/** The routes of the VASP. Every request needs the token. */
export function vaspRoutes(deps: VaspDeps, token: string): Hono {
  const app = new Hono();
  app.use(async (c, next) =>
    isSameSecret(c.req.header('authorization') ?? '', `Bearer ${token}`)
      ? next()
      : c.json({ code: 'UNAUTHORIZED', message: 'The token is missing or wrong.' }, 401),
  );
  app.use(
    bodyLimit({
      maxSize: LONGEST_BODY,
      onError: c => c.json({ code: 'BAD-REQUEST', message: 'The body is too long.' }, 413),
    }),
  );
  app.post(PATHS.verifyAccount, async c =>
    c.json(verifyAccount(deps, parse(VASP_API.verifyAccount.request, await bodyOf(c.req.raw)))),
  );
  app.post(PATHS.verifyUser, async c =>
    c.json(await verifyUser(deps, parse(VASP_API.verifyUser.request, await bodyOf(c.req.raw)))),
  );
  app.post(PATHS.transactionStatus, async c => {
    const { verificationUuid } = parse(VASP_API.transactionStatus.request, await bodyOf(c.req.raw));
    const status = await transactionStatus(deps, verificationUuid);
    if (status) return c.json(status);
    return c.json({ code: 'VERIFICATION-NOT-FOUND', message: 'We have not sent this verification.' }, 404);
  });
  app.post(PATHS.callback, async c => {
    takeCallback(deps, parse(AnyCallback, await bodyOf(c.req.raw)));
    return c.json({ result: true });
  });
  app.route('/', driverRoutes(deps));
  app.route('/', ownRoutes(deps));
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ code: 'BAD-REQUEST', message: error.message }, 400);
    deps.log.warn({ err: error }, 'a request failed');
    return c.json({ code: 'UNDEFINED-ERROR', message: 'The request failed.' }, 500);
  });
  return app;
}

/** The beginning of each action. The answer of `balance` has a value. Throws `Refusal` when a parameter is missing. */
const ACTIONS: Record<DriverAction, (deps: VaspDeps, parameters: DriverParameters) => { value?: string }> = {
  'verify-account': (deps, parameters) => begin(deps, 'account', parameters),
  'verify-user': (deps, parameters) => begin(deps, 'user', parameters),
  withdraw: (deps, parameters) => begin(deps, 'report', parameters),
  'send-without-report': (deps, parameters) => begin(deps, 'no-report', parameters),
  'report-error': (deps, parameters) => begin(deps, 'error', parameters),
  assess: (deps, { verificationUuid = '', kinds = [] }) => {
    const assessments = {
      sanction: deps.enclave.assessSanction,
      kyt: deps.enclave.assessKyt,
      wco: deps.enclave.assessWco,
    };
    for (const kind of kinds) later(deps, kind, assessments[kind]({ verificationUuid }));
    return {};
  },
  'list-vasps': deps => {
    later(deps, 'list-vasps', deps.enclave.vasps());
    return {};
  },
  balance: ({ store, customers }, { symbol = '', customer }) => {
    const id = customer?.id ?? customers.customers[0]!.id;
    return {
      value: isAssetSymbol(symbol) ? formatUnits(books.balance(store, id, symbol), ASSETS[symbol].decimals) : '0',
    };
  },
};

/** Without a customer: the first one pays. */
function begin(deps: VaspDeps, goal: Goal, parameters: DriverParameters): { value?: string } {
  const [customer] = deps.customers.customers;
  withdraw(deps, parse(Order, { customer, ...parameters, goal }));
  return {};
}

/** A refusal is an answer too: the run looks at it. */
function later({ log }: VaspDeps, what: string, call: Promise<unknown>): void {
  call.catch(err => log.info({ err, what }, 'refused'));
}

function driverRoutes(deps: VaspDeps): Hono {
  const app = new Hono();
  app.get(PATHS.driver, c => {
    const clock = deps.clock.isFollowing() ? { clock: 'sandbox' } : {};
    return c.json({ actions: Object.keys(ACTIONS), customers: deps.customers, ...clock });
  });
  app.post(PATHS.driver, async c => {
    const body = await bodyOf(c.req.raw);
    const { action } = parse(AnyAction, body);
    if (!Object.hasOwn(ACTIONS, action)) return c.json({ code: NOT_SUPPORTED }, 501);
    const { parameters } = parse(DriverRequest, body);
    const answer = ACTIONS[action as DriverAction](deps, parameters);
    return c.json(answer, answer.value === undefined ? 202 : 200);
  });
  return app;
}

/** The VASP's own interface, by which its customers pay. */
function ownRoutes(deps: VaspDeps): Hono {
  const { store, customers } = deps;
  const app = new Hono();
  app.post('/withdrawals', async c => {
    const { customerId, ...order } = parse(WithdrawalRequest, await bodyOf(c.req.raw));
    const customer = customers.customers.find(({ id }) => id === customerId);
    if (!customer) return c.json({ code: 'NOT-FOUND', message: `There is no customer ${customerId}.` }, 404);
    return c.json({ id: withdraw(deps, { ...order, customer, goal: 'report' }) }, 201);
  });
  app.get('/withdrawals/:id', c => {
    const withdrawal = withdrawals.find(store, c.req.param('id'));
    if (!withdrawal) return c.json({ code: 'NOT-FOUND', message: 'There is no such withdrawal.' }, 404);
    const { id, state, uuid, signed, note } = withdrawal;
    return c.json({ id, state, note, verificationUuid: uuid ?? null, txHash: signed?.hash ?? null });
  });
  return app;
}

const bodyOf = async (request: Request) => parseJsonObject(await request.text());
