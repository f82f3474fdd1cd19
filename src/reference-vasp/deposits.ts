import { Refused } from '../client/client.ts';
import { ASSETS, type AssetSymbol } from '../contract/assets.ts';
import type { VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { toUnits } from '../kernel/decimal.ts';
import { isSameAccount } from './customers.ts';
import type { VaspDeps } from './deps.ts';
import type { Payment } from './ledgers/port.ts';
import type { Store } from './store.ts';
import * as books from './store.ts';

/** OPEN: the money is awaited. */
export type DepositState = 'OPEN' | 'NOT-VERIFIED' | 'CREDITED' | 'CANCELED';
export interface Deposit {
  readonly uuid: string;
  readonly state: DepositState;
  readonly request: VaspVerifyUserRequest;
  readonly answer: VaspVerifyUserAnswer;
  /** Id of the customer. Null: the address belongs to nobody. */
  readonly customer: string | null;
  /** Epoch ms. */
  readonly inquireAt: number;
  readonly inquireUntil: number;
}

/** A transaction that the originating VASP has named, by report or by status answer. */
export interface NamedTransaction {
  readonly uuid: string;
  readonly hash: string;
  readonly vout: string | null;
  readonly state: 'OPEN' | 'CREDITED' | 'WRONG';
  readonly note: string;
}

export const add = (
  store: Store,
  { uuid, state, request, answer, customer, inquireAt, inquireUntil }: Deposit,
): boolean =>
  store.run(
    'INSERT OR IGNORE INTO deposits VALUES (?, ?, ?, ?, ?, ?, ?)',
    uuid,
    state,
    JSON.stringify(request),
    JSON.stringify(answer),
    customer,
    inquireAt,
    inquireUntil,
  );

type Row = Omit<Deposit, 'request' | 'answer'> & { request: string; answer: string };

export function find(store: Store, uuid: string): Deposit | undefined {
  const row = store.get<Row | undefined>(
    'SELECT *, inquire_at AS inquireAt, inquire_until AS inquireUntil FROM deposits WHERE uuid = ?',
    uuid,
  );
  if (!row) return undefined;
  const { request, answer, ...rest } = row;
  return { ...rest, request: JSON.parse(request), answer: JSON.parse(answer) };
}

/** The newest block when it was verified. */
export const keepHead = (store: Store, uuid: string, height: number): boolean =>
  store.run('INSERT OR IGNORE INTO heads VALUES (?, ?)', uuid, height);

export const headOf = (store: Store, uuid: string): number =>
  store.get<{ height: number } | undefined>('SELECT height FROM heads WHERE uuid = ?', uuid)?.height ?? -1;

/** The uuids of those that await their money. */
export const open = (store: Store): string[] =>
  store.all<{ uuid: string }>("SELECT uuid FROM deposits WHERE state = 'OPEN' ORDER BY rowid").map(({ uuid }) => uuid);

/** False: it is no longer OPEN. */
export const close = (store: Store, uuid: string, state: DepositState): boolean =>
  store.run("UPDATE deposits SET state = ? WHERE uuid = ? AND state = 'OPEN'", state, uuid);

export const inquireLater = (store: Store, uuid: string, at: number): boolean =>
  store.run('UPDATE deposits SET inquire_at = ? WHERE uuid = ?', at, uuid);

export const nameTransaction = (store: Store, uuid: string, hash: string, vout: string | null): boolean =>
  store.run(
    "INSERT OR IGNORE INTO named_transactions (uuid, hash, vout, state) VALUES (?, ?, ?, 'OPEN')",
    uuid,
    hash,
    vout,
  );

export const namedTransactions = (store: Store, uuid: string): NamedTransaction[] =>
  store.all('SELECT * FROM named_transactions WHERE uuid = ? ORDER BY rowid', uuid);

export const storeVerdict = (
  store: Store,
  uuid: string,
  hash: string,
  state: NamedTransaction['state'],
  note: string,
): boolean =>
  store.run('UPDATE named_transactions SET state = ?, note = ? WHERE uuid = ? AND hash = ?', state, note, uuid, hash);

/** Awaits the money of a VERIFIED verification, also after a restart. */
export function awaitDeposit(deps: VaspDeps, uuid: string): void {
  deps.tasks.run(`deposit ${uuid}`, async () => {
    const deposit = find(deps.store, uuid);
    if (deposit?.state !== 'OPEN') return undefined;
    const named = namedTransactions(deps.store, uuid);
    if (named.length === 0) return inquire(deps, deposit);
    const open = named.filter(({ state }) => state === 'OPEN');
    for (const transaction of open) await judgeTransaction(deps, deposit, transaction);
    const isOver = open.length === 0 || deps.clock.now() > deposit.inquireUntil;
    return isOver ? undefined : 'later';
  });
}

/** The third inquiry and those after it are seldom. */
const LATER_MS = 5_000;

/** REF-4.5: without a report the VASP asks, less and less often. Undefined: it has asked long enough. A later report begins again. */
async function inquire(deps: VaspDeps, deposit: Deposit): Promise<number | undefined> {
  const { store, enclave, clock, waits } = deps;
  const { uuid, inquireAt, inquireUntil } = deposit;
  const now = clock.now();
  if (now < inquireAt) return inquireAt - now;
  if (now > inquireUntil) return undefined;
  const waitedMs = now - (inquireUntil - waits.inquiryWindowMs);
  const isFirst = waitedMs < waits.inquiryMs + waits.inquiryIntervalMs;
  const againMs = isFirst ? waits.inquiryIntervalMs : Math.max(LATER_MS, waitedMs);
  inquireLater(store, uuid, now + againMs);
  try {
    const { transactionStatus, txHash, vout } = await enclave.inquireTransaction(uuid);
    if (transactionStatus !== 'PENDING' && transactionStatus !== 'CANCELED' && txHash)
      nameTransaction(store, uuid, txHash, vout ?? null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return namedTransactions(store, uuid).length > 0 ? 0 : againMs;
}

/** D-18: credits a final payment that the originating VASP has named, once. */
async function judgeTransaction(deps: VaspDeps, deposit: Deposit, named: NamedTransaction): Promise<void> {
  const { store, ledgers, log } = deps;
  const { symbol, amount } = deposit.request.assetInfo;
  const asset = symbol as AssetSymbol;
  const payments = await ledgers[asset].paymentsOf(named.hash);
  if (!payments) return;
  const [account = ''] = deposit.request.ivms101.beneficiary.accountNumber;
  const units = toUnits(amount, ASSETS[asset].decimals);
  const since = headOf(store, deposit.uuid);
  const candidates = payments.filter(
    ({ index, height }) => height > since && (named.vout === null || String(index) === named.vout),
  );
  const payment = candidates.find(each => each.units === units && isSameAccount(asset, each.to, account));
  const isCredited = payment !== undefined && credit(deps, deposit, named, payment);
  if (!isCredited) {
    const note = payment ? 'credited before' : whyNot(candidates, asset, account);
    storeVerdict(store, deposit.uuid, named.hash, 'WRONG', note);
  }
  log.info({ uuid: deposit.uuid, hash: named.hash, isCredited }, 'deposit');
}

/** False: the payment, or the verification, was credited before. */
function credit({ store }: VaspDeps, deposit: Deposit, named: NamedTransaction, payment: Payment): boolean {
  const { symbol } = deposit.request.assetInfo;
  const booking = {
    key: `deposit ${symbol} ${named.hash.toLowerCase()} ${payment.index}`,
    customer: deposit.customer!,
    symbol,
    units: payment.units,
  };
  return store.together(() => {
    if (find(store, deposit.uuid)?.state !== 'OPEN' || !books.book(store, booking)) return false;
    close(store, deposit.uuid, 'CREDITED');
    return storeVerdict(store, deposit.uuid, named.hash, 'CREDITED', '');
  });
}

function whyNot(payments: readonly Payment[], symbol: AssetSymbol, account: string): string {
  if (payments.length === 0) return 'the transaction failed, pays nothing, or is older than the verification';
  const isForUs = payments.some(({ to }) => isSameAccount(symbol, to, account));
  return isForUs ? 'another amount' : 'another recipient or tag';
}
