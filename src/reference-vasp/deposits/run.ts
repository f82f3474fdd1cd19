import { Refused } from '../../client/client.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import { isSameAccount } from '../customers.ts';
import type { VaspDeps } from '../deps.ts';
import type { Payment } from '../ledgers/port.ts';
import * as books from '../store.ts';
import type { Deposit, NamedTransaction } from './store.ts';
import * as deposits from './store.ts';

/** Awaits the money of a VERIFIED verification, also after a restart. */
export function awaitDeposit(deps: VaspDeps, uuid: string): void {
  deps.tasks.run(`deposit ${uuid}`, async () => {
    const deposit = deposits.find(deps.store, uuid);
    if (deposit?.state !== 'OPEN') return undefined;
    const named = deposits.namedTransactions(deps.store, uuid);
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
  deposits.inquireLater(store, uuid, now + againMs);
  try {
    const { transactionStatus, txHash, vout } = await enclave.inquireTransaction(uuid);
    if (transactionStatus !== 'PENDING' && transactionStatus !== 'CANCELED' && txHash)
      deposits.nameTransaction(store, uuid, txHash, vout ?? null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return deposits.namedTransactions(store, uuid).length > 0 ? 0 : againMs;
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
  const since = deposits.headOf(store, deposit.uuid);
  const candidates = payments.filter(
    ({ index, height }) => height > since && (named.vout === null || String(index) === named.vout),
  );
  const payment = candidates.find(each => each.units === units && isSameAccount(asset, each.to, account));
  const isCredited = payment !== undefined && credit(deps, deposit, named, payment);
  if (!isCredited) {
    const note = payment ? 'credited before' : whyNot(candidates, asset, account);
    deposits.judgeTransaction(store, deposit.uuid, named.hash, 'WRONG', note);
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
    if (deposits.find(store, deposit.uuid)?.state !== 'OPEN' || !books.book(store, booking)) return false;
    deposits.close(store, deposit.uuid, 'CREDITED');
    return deposits.judgeTransaction(store, deposit.uuid, named.hash, 'CREDITED', '');
  });
}

function whyNot(payments: readonly Payment[], symbol: AssetSymbol, account: string): string {
  if (payments.length === 0) return 'the transaction failed, pays nothing, or is older than the verification';
  const isForUs = payments.some(({ to }) => isSameAccount(symbol, to, account));
  return isForUs ? 'another amount' : 'another recipient or tag';
}
