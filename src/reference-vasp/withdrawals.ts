import * as z from 'zod';
import { Refused } from '../client/client.ts';
import { ASSETS, type AssetSymbol, isAssetSymbol, priceOf, splitAddress } from '../contract/assets.ts';
import { Customer, DriverParameters, type Omission } from '../contract/customers.ts';
import type { Person } from '../contract/ivms101.ts';
import { personsOf } from '../contract/persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../contract/requests.ts';
import { accountVerification, userVerification, WANTED } from '../contract/sample-requests.ts';
import { Amount, SymbolText } from '../contract/text.ts';
import { isAtLeast, parseUnits } from '../kernel/decimal.ts';
import type { VaspDeps } from './deps.ts';
import { CannotPay, type Ledger, type Signed } from './ledgers/port.ts';
import * as books from './store.ts';
import { documents, type Store } from './store.ts';

/** The last step of a withdrawal: a verification, the report, the payment, or an error report in place of the payment. */
const Goal = z.enum(['account', 'user', 'report', 'no-report', 'error']);
export type Goal = z.infer<typeof Goal>;

const driver = DriverParameters.shape;

/** A customer pays somebody at another VASP. */
export const Order = z.object({
  goal: Goal,
  customer: Customer,
  symbol: SymbolText,
  amount: Amount,
  beneficiary: driver.beneficiary.unwrap(),
  network: driver.network,
  requiredBeneficiaryInfo: driver.requiredBeneficiaryInfo,
  omit: driver.omit,
  kinds: driver.kinds,
});
export type Order = z.infer<typeof Order>;

/** SIGNED: the payment is stored and will be sent. SENT: the report comes next. FOLLOWED: the payment is not final yet. */
export type OpenState =
  | 'ASKS-ACCOUNT'
  | 'ASKS-USER'
  | 'AWAITS-RESULT'
  | 'SCREENS'
  | 'VERIFIED'
  | 'SIGNED'
  | 'SENT'
  | 'FOLLOWED'
  | 'CANCELS';
/** FAILED: a verification was not possible. */
const LAST_STATES = ['DONE', 'DENIED', 'CANCELED', 'FAILED'] as const;
type LastState = (typeof LAST_STATES)[number];
export type WithdrawalState = OpenState | LastState;

export const isOver = (state: WithdrawalState): state is LastState =>
  (LAST_STATES as readonly string[]).includes(state);

export interface Withdrawal {
  readonly id: string;
  readonly state: WithdrawalState;
  /** Of the user verification. */
  readonly uuid?: string;
  readonly order: Order;
  readonly signed?: Signed;
  /** Why it is in this state. */
  readonly note: string;
}

/** The amount in the smallest unit. Undefined: the VASP does not hold the asset, or the amount has too many decimals. */
export function unitsOf({ symbol, amount }: Order): bigint | undefined {
  const units = isAssetSymbol(symbol) ? parseUnits(amount, ASSETS[symbol].decimals) : undefined;
  return typeof units === 'bigint' ? units : undefined;
}

export const withdrawals = documents<Withdrawal>('withdrawal');
/** The withdrawal of each user verification. */
const ofVerifications = documents<string>('withdrawal of verification');
/** Of each user verification. The first one stays. */
export const results = documents<{ result: string; reason: string }>('result');
/** The request of each assessment before a payment, by withdrawal and kind. */
const screenings = documents<string>('screening');
/** By their requests. */
const assessments = documents<Assessment>('assessment');

export function withdrawalFor(store: Store, uuid: string): Withdrawal | undefined {
  const id = ofVerifications.find(store, uuid);
  return id === undefined ? undefined : withdrawals.find(store, id);
}

function change(store: Store, id: string, values: Partial<Withdrawal>): void {
  withdrawals.put(store, id, { ...withdrawals.find(store, id)!, ...values });
}

const move = (store: Store, id: string, state: WithdrawalState, note = ''): void => change(store, id, { state, note });

/** A later result takes the place of an earlier one, but none of REGISTERED that of PROCESSED. */
export function addAssessment(store: Store, requestId: string, result: Assessment): void {
  if (statusOf(assessments.find(store, requestId)) !== 'PROCESSED') assessments.put(store, requestId, result);
}

/** The members that the VASP reads. */
interface Assessment {
  providerAKYT?: { status: string };
  providerAKYTAlerts?: { alertLevel: string }[];
  providerBWCO?: { status: string; matchStrength?: string | null | undefined };
}

const statusOf = (assessment: Assessment | undefined): string | undefined =>
  (assessment?.providerAKYT ?? assessment?.providerBWCO)?.status;

/** SEND-1: signs and stores the payment before it is sent. The booking makes it happen once. */
async function pay(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, order } = withdrawal;
  const { store, ledgers, customers } = deps;
  const account = customers.customers.findIndex(each => each.id === order.customer.id);
  const units = unitsOf(order);
  if (account < 0 || units === undefined) return void move(store, id, 'CANCELS', 'NOT-ALLOWED');
  const symbol = order.symbol as AssetSymbol;
  const ledger = ledgers[symbol];
  await deps.funded.catch(() => {});
  await ledger.inTurn(async () => {
    if (books.balance(store, order.customer.id, symbol) < units) return void move(store, id, 'CANCELS', 'NOT-ALLOWED');
    await deps.fund(symbol, account).catch(() => {});
    await sendSigned(deps, ledger, account);
    try {
      const signed = await ledger.sign(account, order.beneficiary.account, units);
      store.together(() => {
        books.book(store, { key: `withdrawal ${id}`, customer: order.customer.id, symbol, units: -units });
        change(store, id, { state: 'SIGNED', signed, note: '' });
      });
      await ledger.send(signed);
    } catch (error) {
      if (!(error instanceof CannotPay)) throw error;
      return void move(store, id, 'CANCELS', 'NOT-ALLOWED');
    }
    move(store, id, 'SENT');
  });
}

/** A payment of the account that is signed, but not sent, would lose its number to the next one. */
async function sendSigned({ store, customers }: VaspDeps, ledger: Ledger, account: number): Promise<void> {
  const payer = (customer: number) => splitAddress(ledger.accountOf(customer))[0];
  for (const { state, order, signed } of withdrawals.all(store)) {
    if (state !== 'SIGNED' || order.symbol !== ledger.symbol) continue;
    const other = customers.customers.findIndex(({ id }) => id === order.customer.id);
    if (payer(other) === payer(account)) await ledger.send(signed!);
  }
}

/** After a failure or a restart: the same bytes again. */
async function send(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const ledger = ledgerOf(deps, withdrawal);
  await ledger.inTurn(() => ledger.send(withdrawal.signed!));
  move(deps.store, withdrawal.id, 'SENT');
}

/** WIRE-2.7: as soon as the hash exists. Repeated until the enclave has accepted it. */
async function report(deps: VaspDeps, { id, uuid, order, signed }: Withdrawal): Promise<void> {
  if (order.goal === 'report') await accepted(deps.enclave.reportTransaction(uuid!, signed!.hash));
  move(deps.store, id, 'FOLLOWED');
}

const SENDS_AGAIN_EVERY = 6;

async function follow(deps: VaspDeps, withdrawal: Withdrawal, attempt: number): Promise<void> {
  const { id, signed } = withdrawal;
  const ledger = ledgerOf(deps, withdrawal);
  const status = await ledger.statusOf(signed!);
  if (status === 'CONFIRMED') move(deps.store, id, 'DONE');
  else if (status === 'CANCELED') move(deps.store, id, 'CANCELS', 'UNDEFINED-ERROR');
  else if (attempt % SENDS_AGAIN_EVERY === SENDS_AGAIN_EVERY - 1) await ledger.send(signed!);
}

/** WIRE-2.8: the error report. The customer gets the amount back. */
async function cancel(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, uuid, order, note } = withdrawal;
  await accepted(deps.enclave.reportError(uuid!, 'ERROR', note, 'The withdrawal was canceled.'));
  deps.store.together(() => {
    const units = unitsOf(order);
    if (withdrawal.signed && units !== undefined)
      books.book(deps.store, {
        key: `withdrawal ${id} canceled`,
        customer: order.customer.id,
        symbol: order.symbol,
        units,
      });
    move(deps.store, id, 'CANCELED', note);
  });
}

const ledgerOf = ({ ledgers }: VaspDeps, { order }: Withdrawal): Ledger => ledgers[order.symbol as AssetSymbol];

/** Time-out and limit of calls. Any other 4xx is final: the enclave will never accept it. */
const TRY_AGAIN = [408, 429];

async function accepted(report: Promise<unknown>): Promise<void> {
  try {
    await report;
  } catch (error) {
    const isFinal = error instanceof Refused && error.status < 500 && !TRY_AGAIN.includes(error.status);
    if (!isFinal) throw error;
  }
}

/** Begins a withdrawal. Its id. */
export function withdraw(deps: VaspDeps, order: Order): string {
  const id = deps.random.uuid();
  const state = order.goal === 'user' ? 'ASKS-USER' : 'ASKS-ACCOUNT';
  withdrawals.put(deps.store, id, { id, state, order, note: '' });
  resumeWithdrawal(deps, id);
  return id;
}

/** Goes on with a withdrawal, also after a restart and after a callback about it. */
export function resumeWithdrawal(deps: VaspDeps, id: string): void {
  deps.tasks.run(`withdrawal ${id}`, async attempt => {
    for (;;) {
      const withdrawal = withdrawals.find(deps.store, id)!;
      if (isOver(withdrawal.state)) return undefined;
      await STEPS[withdrawal.state](deps, withdrawal, attempt);
      const { state } = withdrawals.find(deps.store, id)!;
      if (state === withdrawal.state) return AWAITS_CALLBACK.has(state) ? undefined : 'later';
      deps.log.info({ id, uuid: withdrawal.uuid, state }, 'withdrawal');
    }
  });
}

/** The callback goes on with the withdrawal. */
const AWAITS_CALLBACK: ReadonlySet<string> = new Set(['AWAITS-RESULT', 'SCREENS'] satisfies OpenState[]);

type Step = (deps: VaspDeps, withdrawal: Withdrawal, attempt: number) => Promise<unknown>;

/** One step per state. A step that changes nothing is tried again later. */
const STEPS: Record<OpenState, Step> = {
  'ASKS-ACCOUNT': askAccount,
  'ASKS-USER': askUser,
  'AWAITS-RESULT': takeResult,
  SCREENS: screen,
  VERIFIED: pay,
  SIGNED: send,
  SENT: report,
  FOLLOWED: follow,
  CANCELS: cancel,
};

async function askAccount(deps: VaspDeps, { id, order }: Withdrawal): Promise<void> {
  await verifying(deps, id, async () => {
    await findVasp(deps, order.beneficiary.vaspId);
    const answer = await deps.enclave.verifyAccount(accountQuestion(order));
    if (answer.accountVerificationResult !== 'VERIFIED') move(deps.store, id, 'DENIED', `account: ${answer.reason}`);
    else move(deps.store, id, order.goal === 'account' ? 'DONE' : 'ASKS-USER');
  });
}

async function askUser(deps: VaspDeps, { id, order }: Withdrawal): Promise<void> {
  await verifying(deps, id, async () => {
    if (order.goal === 'user') await findVasp(deps, order.beneficiary.vaspId);
    const { verificationUuid } = await deps.enclave.verifyUser(userQuestion(order, deps.clock.now()));
    deps.store.together(() => {
      change(deps.store, id, { state: 'AWAITS-RESULT', uuid: verificationUuid });
      ofVerifications.put(deps.store, verificationUuid, id);
    });
  });
}

/** The beneficiary VASP must be in the list. */
async function findVasp({ enclave }: VaspDeps, vaspId: string): Promise<void> {
  const { vasps } = await enclave.vasps();
  if (!vasps.some(vasp => vasp.vaspId === vaspId)) throw new Error(`VASP ${vaspId} is not in the list`);
}

/**
 * Before VERIFIED nothing is owed: a failure ends the withdrawal, and the customer may try again. A call above the limit
 * of calls was not carried out, so it is made again.
 */
async function verifying({ store }: VaspDeps, id: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof Refused && error.code === 'RATE-LIMITED') return;
    move(store, id, 'FAILED', error instanceof Refused ? (error.code ?? '') : (error as Error).message);
  }
}

/** REF-6: the result comes by callback, maybe before the answer of the call that caused it. */
async function takeResult({ store }: VaspDeps, { id, uuid, order }: Withdrawal): Promise<void> {
  const found = results.find(store, uuid!);
  if (!found) return;
  const { result, reason } = found;
  if (result !== 'VERIFIED') move(store, id, 'DENIED', `${result}: ${reason}`);
  else if (order.goal === 'error') move(store, id, 'CANCELS', 'USER-CANCELED');
  else if (order.goal === 'user') move(store, id, 'DONE');
  else move(store, id, order.kinds?.length ? 'SCREENS' : 'VERIFIED');
}

/** The assessments before the payment. An assessment that speaks against it, or fails, ends the withdrawal. */

type Kind = NonNullable<Order['kinds']>[number];
const NOT_SANCTIONED = 'NOHIT';
const BAD_ALERTS: readonly string[] = ['HIGH', 'SEVERE'];
const BAD_MATCHES: readonly unknown[] = ['STRONG', 'EXACT'];

async function screen(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, order } = withdrawal;
  for (const kind of order.kinds ?? []) {
    const isGood = await judge(deps, withdrawal, kind);
    if (isGood === undefined) return;
    if (!isGood) return void move(deps.store, id, 'CANCELS', 'NOT-ALLOWED');
  }
  move(deps.store, id, 'VERIFIED');
}

/** Undefined: the result is not there yet. */
async function judge(deps: VaspDeps, { id, uuid }: Withdrawal, kind: Kind): Promise<boolean | undefined> {
  const { store, enclave } = deps;
  const of = { verificationUuid: uuid! };
  try {
    if (kind === 'sanction') return (await enclave.assessSanction(of)).providerASanction.status === NOT_SANCTIONED;
    const asked = screenings.find(store, `${id} ${kind}`);
    if (asked !== undefined) return isGood(assessments.find(store, asked));
    const { requestId } = await (kind === 'kyt' ? enclave.assessKyt(of) : enclave.assessWco(of));
    screenings.put(store, `${id} ${kind}`, requestId);
    return isGood(assessments.find(store, requestId));
  } catch (error) {
    if (error instanceof Refused && error.status < 500 && error.status !== 429) return false;
    throw error;
  }
}

/** REF-3: REGISTERED is no result. */
function isGood(assessment: Assessment | undefined): boolean | undefined {
  if (statusOf(assessment) !== 'PROCESSED') return undefined;
  const { providerAKYTAlerts = [], providerBWCO } = assessment!;
  const isAlarming = providerAKYTAlerts.some(({ alertLevel }) => BAD_ALERTS.includes(alertLevel));
  return !isAlarming && !BAD_MATCHES.includes(providerBWCO?.matchStrength);
}

/** The questions that the VASP asks: IVMS101 of its customer and of the beneficiary. */

const CURRENCY = 'KRW';
const THRESHOLD = '1000000';

export const accountQuestion = (order: Order): VerifyAccountRequest => accountVerification(partiesOf(order));

/** `now`: epoch ms. */
function userQuestion(order: Order, now: number): VerifyUserRequest {
  const { amount, symbol, customer, beneficiary, requiredBeneficiaryInfo, omit = [] } = order;
  const { assetInfo, ...request } = userVerification({
    ...partiesOf(order),
    amount,
    now,
    wanted: requiredBeneficiaryInfo ?? WANTED[beneficiary.user.kind],
    originator: { originatorPersons: originatorPersons(customer, omit), accountNumber: [originatorAccount(order)] },
  });
  const tradePrice = priceOf(symbol, amount, CURRENCY);
  const price = { isExceedingThreshold: isAtLeast(tradePrice, THRESHOLD), tradePrice, tradeCurrency: CURRENCY };
  return { ...request, assetInfo: { ...assetInfo, ...price } };
}

/** For an asset without an account of its own, the customer's id names the account. */
const originatorAccount = ({ customer, symbol }: Order): string =>
  (isAssetSymbol(symbol) ? customer.accounts[symbol] : undefined) ?? customer.id;

function partiesOf({ beneficiary: { vaspId, user, account }, symbol, network, omit = [] }: Order) {
  const accountNumber = [omit.includes('destinationTag') ? splitAddress(account)[0] : account];
  return { vaspId, symbol, network, beneficiary: { beneficiaryPersons: personsOf(user), accountNumber } };
}

/** REF-4.6.8: an originator needs date and place of birth; a company, those of its representative. */
function originatorPersons(customer: Customer, omit: readonly Omission[]): Person[] {
  const { dateOfBirth, placeOfBirth } = customer;
  const isBirthKnown = dateOfBirth !== undefined && placeOfBirth !== undefined;
  const birth =
    isBirthKnown && !omit.includes('dateAndPlaceOfBirth') ? { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } } : {};
  return personsOf(customer, birth);
}
