import { setTimeout as delay } from 'node:timers/promises';
import type { Any, Owner } from './judge.ts';
import type { Ledger } from './ledgers.ts';
import { matching, type Seen, type Verified } from './matching.ts';
import { sendingBack } from './sending-back.ts';
import { inFloats, unitsOf } from './units.ts';
import type { Variant } from './variants.ts';
import type { Is } from './wrongs.ts';

/** The independent VASP as beneficiary: it sees payments on its chains, and finds out whose they are (REF-4.5). */

export interface Receiving {
  is: Is;
  variant(): Variant;
  ledgers: Record<string, Ledger>;
  owners: readonly Owner[];
  post(path: string, body: object): Promise<{ status: number; body: Any }>;
  get(path: string): Promise<Any>;
  isStopped(): boolean;
  /** Epoch ms, by the clock of its timers. */
  now(): number;
  ownWithdrawals(): string[];
  credit(owner: string, symbol: string, units: bigint): void;
}

const LOOK_MS = 50;
const ASK_AFTER_MS = 300;
/** Twice within 5 s at most, from answer to question. */
const ASK_AGAIN_MS = 2_600;
const PATIENCE_MS = 10_000;
const MINUTES_MS = 300_000;
const MINUTE_MS = 60_000;
const PAGE = 10;
/** A time-out of a wrong VASP, or a nightly job. */
const LATER_MS = 3_000;
/** A job that runs a little later shares a variable with the next reports. */
const JOB_MS = 300;

export function receiving(vasp: Receiving) {
  const { is, ledgers, post } = vasp;
  const verified = new Map<string, Verified>();
  const seen: Seen[] = [];

  const { fits, sameAccount, accountOf } = matching(vasp);
  const sendBack = sendingBack(vasp);

  const reported = new Set<string>();
  /** A wrong VASP stores one report only, and does not ask about it. */
  function isIgnored(deposit: Verified, hash: string): boolean {
    const isSecond = deposit.isReported && is('knows only the first report');
    const isPrinted = hash === (hash.startsWith('0x') ? hash.toLowerCase() : hash.toUpperCase());
    if (is('knows a hash only as its node prints it') && !isPrinted) deposit.isGivenUp = true;
    if (is('knows a hash only as its node prints it') && !isPrinted) return true;
    const isKnown = reported.has(hash) && is('stores a hash only once');
    reported.add(hash);
    deposit.isReported = true;
    if (is('knows only the first report') || isKnown) deposit.isGivenUp = true;
    return Boolean(isSecond || isKnown);
  }

  const forms = new Set<string>();
  const equal = new Set<string>();
  const blocks = new Set<string>();
  const firstSenders = new Map<string, string>();
  const failedFor = new Set<string>();
  let bookedAt = 0;
  let newestReported: Owner | undefined;
  function credit(deposit: Verified, payment: Seen, form = payment.hash): void {
    const isOtherForm = (is('credits a hash in each form') || is('credits a hash with each vout')) && !forms.has(form);
    if (payment.isUsed && !isOtherForm && !is('credits two verifications with one payment')) return;
    if (is('expects a deposit for ten seconds') && Date.now() - deposit.at > PATIENCE_MS) return;
    if (is('credits only from the first sender')) {
      const known = firstSenders.get(payment.to) ?? payment.from;
      if (known) firstSenders.set(payment.to, known);
      if (known !== payment.from) return;
    }
    if (is('credits one payment of a block') && blocks.has(`${payment.symbol} ${payment.block}`)) return;
    blocks.add(`${payment.symbol} ${payment.block}`);
    const minutes = is('expects a deposit for five minutes') ? 5 : is('expects a deposit for thirty minutes') ? 30 : 60;
    if (vasp.now() - deposit.expectedSince > minutes * MINUTE_MS) return;
    const kind = `${deposit.symbol} ${deposit.account} ${deposit.amount}`;
    if (is('credits one of equal payments') && equal.has(kind)) return;
    equal.add(kind);
    forms.add(form);
    if (deposit.state !== 'open' && !is('credits every report')) {
      const isAfterError = deposit.state === 'canceled' && is('credits after an error report');
      const isDenied = deposit.state === 'denied' && is('credits a denied verification');
      if (!isAfterError && !isDenied) return;
    }
    payment.isUsed = true;
    deposit.state = 'credited';
    const units = is('credits in floating point') ? inFloats(deposit.symbol, deposit.amount) : payment.units;
    const words = deposit.symbol === 'ETH' ? 64 : 32;
    if (is('credits the customer of its newest report'))
      return void setTimeout(() => vasp.credit((newestReported ?? deposit.owner).id, deposit.symbol, units), JOB_MS);
    const { id } = is('credits its first customer') ? vasp.owners[0]! : deposit.owner;
    const book = (sum: bigint) =>
      vasp.credit(id, deposit.symbol, is('keeps amounts in machine words') ? BigInt.asUintN(words, sum) : sum);
    const isLost = is('loses one of two credits at once') && Date.now() - bookedAt < LATER_MS;
    bookedAt = Date.now();
    if (!isLost) book(units);
    if (is('credits twice what its node has failed for') && failedFor.has(payment.hash)) book(units);
    if (is('credits its first customer, too') && deposit.owner !== vasp.owners[0])
      vasp.credit(vasp.owners[0]!.id, deposit.symbol, units);
    if (is('credits an unnamed payment right after the next one')) setTimeout(creditUnnamed, 15);
    if (is('credits again some seconds later')) setTimeout(book, LATER_MS, units);
    if (is('takes a credit back some seconds later')) setTimeout(book, LATER_MS, -units);
  }

  function creditUnnamed(): void {
    for (const payment of seen)
      for (const deposit of verified.values())
        if (!payment.isUsed && deposit.state === 'open' && fits(deposit, payment)) credit(deposit, payment);
  }

  const heldMs = (deposit: Verified, payment: Seen) =>
    vasp.now() - Math.max(deposit.expectedSince, payment.since ?? vasp.now());

  /** Everything that is named and seen. */
  async function settle(): Promise<void> {
    for (const deposit of verified.values())
      for (const hash of deposit.named) {
        const [plain = ''] = hash.split('#');
        const payment = (await lookUp(deposit.symbol, plain)) as Seen | undefined;
        if (!payment || !fits(deposit, payment)) continue;
        deposit.named.delete(hash);
        credit(deposit, payment, hash);
      }
    for (const payment of seen)
      for (const deposit of verified.values()) {
        if (payment.isUsed || deposit.state !== 'open' || !fits(deposit, payment)) continue;
        if (is('credits by the amount')) credit(deposit, payment);
        else if (is('credits an unnamed payment after a time-out of its own') && Date.now() - payment.at > LATER_MS)
          credit(deposit, payment);
        else if (is('credits an unnamed payment after five minutes') && heldMs(deposit, payment) > MINUTES_MS)
          credit(deposit, payment);
        else if (is('credits an unnamed payment after thirty minutes') && heldMs(deposit, payment) > 6 * MINUTES_MS)
          credit(deposit, payment);
        else if (is('credits without asking') && Date.now() - payment.at > ASK_AFTER_MS) credit(deposit, payment);
      }
  }

  function nodeFails(deposit: Verified, hash: string): void {
    if (is('gives up a transaction when its node fails')) {
      deposit.named.delete(hash);
      deposit.isGivenUp = true;
    }
    if (!is('believes a report when its node fails') || deposit.state !== 'open') return;
    deposit.state = 'credited';
    deposit.named.delete(hash);
    vasp.credit(deposit.owner.id, deposit.symbol, unitsOf(deposit.symbol, deposit.amount));
  }

  async function lookUp(symbol: string, hash: string, deposit?: Verified): Promise<Seen | undefined> {
    const found = seen.find(each => each.hash.toLowerCase() === hash.toLowerCase());
    if (found || is('reads one page of a history')) return found;
    const payment = await ledgers[symbol]!.mined(hash).catch(() => {
      if (deposit) nodeFails(deposit, hash);
      return undefined;
    });
    if (!payment) return undefined;
    const event = is('takes the event of any token for ETH') ? payment.token : undefined;
    const added = { ...payment, ...event, symbol, hash, at: Date.now(), isUsed: false };
    seen.push(added);
    return added;
  }

  const pauseOf = () => (is('asks every second') ? 1_000 : ASK_AGAIN_MS);
  const isAskable = ({ state, isGivenUp }: Verified) =>
    (state === 'open' && !isGivenUp && !is('asks for no status')) ||
    (state === 'canceled' && is('asks after an error report')) ||
    (state === 'denied' && is('asks about denied deposits'));

  async function ask(): Promise<void> {
    const now = Date.now();
    for (const deposit of verified.values()) {
      if (!isAskable(deposit) || vasp.now() - deposit.askedAt < pauseOf()) continue;
      const isCandidate = seen.some(
        payment => !payment.isUsed && now - payment.at > ASK_AFTER_MS && fits(deposit, payment),
      );
      if (isCandidate && !(await isLookedAt(deposit))) continue;
      if (deposit.state === 'denied') deposit.isGivenUp = true;
      if (
        !isCandidate &&
        !is('asks about denied deposits') &&
        !is('asks every second') &&
        !is('asks after an error report')
      )
        continue;
      await inquire(deposit);
      deposit.askedAt = vasp.now();
    }
  }

  /** A wrong VASP overlooks some candidates. */
  async function isLookedAt(deposit: Verified): Promise<boolean> {
    const { symbol, amount, account } = deposit;
    const alike = [...verified.values()].filter(
      each => each.symbol === symbol && each.amount === amount && each.account === account,
    );
    if (is('asks only the newest candidate')) return deposit === alike.at(-1);
    if (is('asks only the oldest candidate')) return deposit === alike[0];
    if (!is('looks only at the first page of the list')) return true;
    const { verifications } = await vasp.get('/v1/verifications?actionType=RECEIVE&result=VERIFIED');
    return verifications.some((each: Any) => each.verificationUuid === deposit.uuid);
  }

  async function inquire(deposit: Verified): Promise<void> {
    if (is('asks about its own withdrawals'))
      for (const uuid of vasp.ownWithdrawals()) await post('/v1/verifications/tx/inquiry', { verificationUuid: uuid });
    if (is('asks about strangers'))
      await post('/v1/verifications/tx/inquiry', { verificationUuid: crypto.randomUUID() });
    deposit.isAsking = true;
    const { status, body } = await post('/v1/verifications/tx/inquiry', { verificationUuid: deposit.uuid });
    deposit.isAsking = false;
    const { transactionStatus, txHash } = body;
    deposit.isGivenUp =
      (status !== 200 && is('asks no more after a failed query')) ||
      (transactionStatus === 'PENDING' && is('asks no more after PENDING')) ||
      (status === 200 && transactionStatus !== 'CONFIRMED' && is('knows no status but CONFIRMED'));
    if (deposit.isGivenUp || (status !== 200 && !is('credits when its status query fails'))) return;
    deposit.isAnswered = true;
    if (txHash && is('credits whatever transaction a status answer names')) {
      const payment = seen.find(each => !each.isUsed && fits(deposit, each));
      if (payment && (await ledgers[deposit.symbol]!.mined(txHash))) credit(deposit, payment);
      return;
    }
    if (txHash && is('compares only the account of what a status answer names')) {
      const payment = seen.find(each => !each.isUsed && each.hash === txHash && each.to === deposit.account);
      if (payment) credit(deposit, payment);
      return;
    }
    if (txHash && is('compares only the amount of what a status answer names')) {
      const mined = await ledgers[deposit.symbol]!.mined(txHash);
      const payment = seen.find(each => !each.isUsed && fits(deposit, each));
      if (payment && mined?.units === unitsOf(deposit.symbol, deposit.amount)) credit(deposit, payment);
      return;
    }
    const isWrong = status !== 200 || (is('credits a CANCELED status') && transactionStatus === 'CANCELED');
    const isSent = ['PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED'].includes(transactionStatus);
    if (isWrong || is('credits whatever a status answer says') || (is('credits a PENDING status') && !isSent)) {
      const payment = seen.find(each => !each.isUsed && fits(deposit, each));
      if (payment) credit(deposit, payment);
    } else if (isSent && txHash) deposit.named.add(txHash);
  }

  const most = () => (is('reads one page of a history') ? PAGE : Number.POSITIVE_INFINITY);
  let skipsBlocks = false;
  async function look(): Promise<void> {
    if (verified.size === 0) return;
    if (skipsBlocks || is('reads only the newest block'))
      await Promise.all(Object.values(ledgers).map(ledger => ledger.skip(skipsBlocks ? 0 : 1)));
    skipsBlocks = false;
    for (const [symbol, ledger] of Object.entries(ledgers))
      for (const payment of (await ledger.incoming(vasp.variant().confirmations)).slice(0, most())) {
        const known = seen.find(({ hash }) => hash.toLowerCase() === payment.hash.toLowerCase());
        if (!known) seen.push({ ...payment, symbol, at: Date.now(), since: vasp.now(), isUsed: false });
      }
    if (is('credits a payment again in another block')) await creditMoved();
    await settle();
    await sendBack(seen);
    await ask();
  }

  async function creditMoved(): Promise<void> {
    for (const payment of seen.filter(({ isUsed, symbol }) => isUsed && symbol === 'ETH')) {
      const block = (await ledgers.ETH!.mined(payment.hash))?.block ?? payment.block;
      const deposit = [...verified.values()].find(each => each.state === 'credited' && fits(each, payment));
      if (deposit && block !== payment.block) vasp.credit(deposit.owner.id, 'ETH', payment.units);
      if (block) payment.block = block;
    }
  }

  let hasEnded = false;
  async function run(): Promise<void> {
    while (!vasp.isStopped()) {
      if (!hasEnded)
        await look().catch(() => {
          hasEnded = is('ends its watcher at the first error of its node');
          skipsBlocks = is('starts at the newest block after an error of its node');
          for (const { named } of verified.values()) for (const hash of named) failedFor.add(hash);
        });
      await delay(vasp.variant().creditsEveryMs ?? LOOK_MS);
    }
  }

  return {
    run,
    /** Payments of before are none of its business. */
    async forget() {
      hasEnded = false;
      verified.clear();
      seen.length = 0;
      await Promise.all(Object.values(ledgers).map(ledger => ledger.skip()));
    },
    verified(
      uuid: string,
      owner: Owner | undefined,
      { symbol, amount }: Any,
      { account, sender, head }: { account: string; sender: string; head: number },
      isVerified: boolean,
    ) {
      if (is('opens a credited verification again') && verified.delete(uuid))
        for (const payment of seen) payment.isUsed = false;
      if (!owner || verified.has(uuid)) return;
      const state = isVerified ? 'open' : 'denied';
      if (is('forgets all but the newest verification'))
        for (const other of verified.values())
          if (other.owner === owner && other.state === 'open') verified.delete(other.uuid);
      if (isVerified && is('reports an error about its deposits'))
        setTimeout(
          () =>
            void post('/v1/verifications/error', {
              verificationUuid: uuid,
              result: 'ERROR',
              reason: 'UNDEFINED-ERROR',
              message: '',
            }),
          100,
        );
      if (isVerified && is('credits when it verifies')) vasp.credit(owner.id, symbol, unitsOf(symbol, amount));
      const since = { at: Date.now(), expectedSince: vasp.now(), head, askedAt: 0, named: new Set<string>() };
      verified.set(uuid, { uuid, owner, symbol, amount, account, sender, state, ...since });
    },
    async reported({ verificationUuid, txHash, vout }: Any) {
      const deposit = verified.get(verificationUuid);
      if (deposit && is('refuses reports while its node fails')) await ledgers[deposit.symbol]!.mined(txHash);
      const { owner, symbol, amount, state } = deposit ?? {};
      newestReported = owner;
      if (deposit && isIgnored(deposit, txHash)) return;
      const isLate = is('credits once more when the report is late') && deposit?.isAnswered;
      const isCrossing = is('credits by the report while it asks') && deposit?.isAsking;
      if (owner && (isCrossing || (isLate && state === 'credited')))
        vasp.credit(owner.id, symbol!, unitsOf(symbol!, amount!));
      if (
        deposit &&
        (is('gives up a transaction when its node fails') || is('believes a report when its node fails'))
      ) {
        deposit.named.add(txHash);
        await lookUp(deposit.symbol, txHash, deposit);
        return;
      }
      const isBlind = is('credits what a report names without a look') && state === 'open';
      if (deposit && isBlind) deposit.state = 'credited';
      if (owner && (isBlind || (is('credits a report again') && state === 'credited')))
        vasp.credit(owner.id, symbol!, unitsOf(symbol!, amount!));
      if (!is('asks about reported payments, too') || deposit?.state !== 'open')
        deposit?.named.add(vout && is('credits a hash with each vout') ? `${txHash}#${vout}` : txHash);
      if (deposit || !is('credits an unknown verification')) return;
      for (const symbol of ['ETH', 'XRP']) {
        const payment = await lookUp(symbol, txHash);
        const owner = vasp.owners.find(each => payment && sameAccount(symbol, accountOf(each, symbol), payment.to));
        if (payment && owner && !payment.isUsed) {
          payment.isUsed = true;
          vasp.credit(owner.id, symbol, payment.units);
        }
      }
    },
    canceled({ verificationUuid, result }: Any) {
      if (result !== 'ERROR' && is('knows no error report but ERROR')) return;
      const deposit = verified.get(verificationUuid);
      if (deposit?.state === 'credited' && is('takes a credit back after an error report'))
        vasp.credit(deposit.owner.id, deposit.symbol, -unitsOf(deposit.symbol, deposit.amount));
      if (deposit?.state === 'open') deposit.state = 'canceled';
      if (is('closes every deposit of a customer by an error report'))
        for (const each of verified.values())
          if (each.owner === deposit?.owner && each.symbol === deposit.symbol && each.state === 'open')
            each.state = 'canceled';
    },
  };
}
