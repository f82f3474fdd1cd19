import { Refused } from '../client/client.ts';
import { ASSETS, type AssetSymbol } from '../contract/assets.ts';
import type { VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { toUnits } from '../kernel/decimal.ts';
import { isSameAccount } from './customers.ts';
import type { VaspDeps } from './deps.ts';
import type { Payment } from './ledgers/port.ts';
import * as books from './store.ts';
import { documents, type Store } from './store.ts';

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
  /** The newest block when it was verified; -1: unknown. */
  readonly since: number;
}

/** A transaction that the originating VASP has named, by report or by status answer. */
interface NamedTransaction {
  readonly hash: string;
  readonly vout: string | null;
  readonly state: 'OPEN' | 'CREDITED' | 'WRONG';
  readonly note: string;
  /** The last look at its ledger, epoch ms. */
  readonly until: number;
}

/** By the uuid of the verification. */
export const deposits = documents<Deposit>('deposit');
const named = documents<NamedTransaction[]>('named transactions');

/** False: it is no longer OPEN. */
export function closeDeposit(store: Store, uuid: string, state: DepositState): boolean {
  const deposit = deposits.find(store, uuid);
  if (deposit?.state !== 'OPEN') return false;
  deposits.put(store, uuid, { ...deposit, state });
  return true;
}

const namedTransactions = (store: Store, uuid: string): NamedTransaction[] => named.find(store, uuid) ?? [];

/** The first one of a hash stays. */
export function nameTransaction(
  { store, clock, waits }: VaspDeps,
  uuid: string,
  hash: string,
  vout: string | null,
): void {
  const until = clock.now() + waits.inquiryWindowMs;
  const earlier = namedTransactions(store, uuid);
  if (!earlier.some(each => each.hash === hash))
    named.put(store, uuid, [...earlier, { hash, vout, state: 'OPEN', note: '', until }]);
}

function storeVerdict(
  store: Store,
  uuid: string,
  hash: string,
  verdict: Pick<NamedTransaction, 'state' | 'note'>,
): void {
  const judged = namedTransactions(store, uuid).map(each => (each.hash === hash ? { ...each, ...verdict } : each));
  named.put(store, uuid, judged);
}

/** Awaits the money of a VERIFIED verification, also after a restart. */
export function awaitDeposit(deps: VaspDeps, uuid: string): void {
  deps.tasks.run(`deposit ${uuid}`, async () => {
    const deposit = deposits.find(deps.store, uuid);
    if (deposit?.state !== 'OPEN') return undefined;
    const transactions = namedTransactions(deps.store, uuid);
    if (transactions.length === 0) return inquire(deps, deposit);
    const open = transactions.filter(({ state }) => state === 'OPEN');
    for (const transaction of open) await judgeTransaction(deps, deposit, transaction);
    const now = deps.clock.now();
    return open.some(({ until }) => now <= until) ? 'later' : undefined;
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
  deposits.put(store, uuid, { ...deposit, inquireAt: now + againMs });
  try {
    const { transactionStatus, txHash, vout } = await enclave.inquireTransaction(uuid);
    if (transactionStatus !== 'PENDING' && transactionStatus !== 'CANCELED' && txHash)
      nameTransaction(deps, uuid, txHash, vout ?? null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return namedTransactions(store, uuid).length > 0 ? 0 : againMs;
}

/** D-18: credits a final payment that the originating VASP has named, once. */
async function judgeTransaction(deps: VaspDeps, deposit: Deposit, { hash, vout }: NamedTransaction): Promise<void> {
  const { store, ledgers, log } = deps;
  const { symbol, amount } = deposit.request.assetInfo;
  const asset = symbol as AssetSymbol;
  const payments = await ledgers[asset].paymentsOf(hash);
  if (!payments) return;
  const [account = ''] = deposit.request.ivms101.beneficiary.accountNumber;
  const units = toUnits(amount, ASSETS[asset].decimals);
  const candidates = payments.filter(
    ({ index, height }) => height > deposit.since && (vout === null || String(index) === vout),
  );
  const payment = candidates.find(each => each.units === units && isSameAccount(asset, each.to, account));
  const isCredited = payment !== undefined && credit(deps, deposit, hash, payment);
  if (!isCredited) {
    const note = payment ? 'credited before' : whyNot(candidates, asset, account);
    storeVerdict(store, deposit.uuid, hash, { state: 'WRONG', note });
  }
  log.info({ uuid: deposit.uuid, hash, isCredited }, 'deposit');
}

/** False: the payment, or the verification, was credited before. */
function credit({ store }: VaspDeps, deposit: Deposit, hash: string, payment: Payment): boolean {
  const { symbol } = deposit.request.assetInfo;
  const booking = {
    key: `deposit ${symbol} ${hash.toLowerCase()} ${payment.index}`,
    customer: deposit.customer!,
    symbol,
    units: payment.units,
  };
  return store.together(() => {
    if (deposits.find(store, deposit.uuid)?.state !== 'OPEN' || !books.book(store, booking)) return false;
    storeVerdict(store, deposit.uuid, hash, { state: 'CREDITED', note: '' });
    return closeDeposit(store, deposit.uuid, 'CREDITED');
  });
}

function whyNot(payments: readonly Payment[], symbol: AssetSymbol, account: string): string {
  if (payments.length === 0) return 'the transaction failed, pays nothing, or is older than the verification';
  const isForUs = payments.some(({ to }) => isSameAccount(symbol, to, account));
  return isForUs ? 'another amount' : 'another recipient or tag';
}
