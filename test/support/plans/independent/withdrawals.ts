import { setTimeout as delay } from 'node:timers/promises';
import { asking } from './asking.ts';
import { timeNow } from './asset.ts';
import { type Any, personsOf } from './judge.ts';
import type { Mined, Payment, Signing } from './ledgers.ts';
import type { Originating } from './originating.ts';
import { deciding } from './reasons.ts';
import { sendSurely } from './sending.ts';
import { paidUnits } from './units.ts';

const RETRY_MS = 40;
/** A wallet that signs elsewhere. */
const SIGNING_MS = 500;
const QUICK_MS = 50;
/** Two results that are sent together may come so far apart on a busy machine. */
const AT_ONCE_MS = 2_000;
const MINUTES_MS = 300_000;
/** A payment that has been replaced never comes. */
const FOLLOWED_MS = 30_000;
/** A VASP that waits no longer for a block. The XRP Ledger has one every few seconds. */
const PATIENCE_MS = { ETH: 1_000, XRP: 5_000 };

export function originating(vasp: Originating) {
  const { is, ledgers, post } = vasp;
  const results = new Map<string, Any>();
  const orders = new Map<string, Any>();
  const assessments = new Map<string, Any[]>();
  const payments = new Map<string, Payment | 'none' | 'canceled'>();

  const { beneficiaryOf, accountOnTheWire, askUser } = asking(vasp);
  const { mayPay, isResult } = deciding(is);

  async function until<T>(look: () => T | undefined, ms = Number.POSITIVE_INFINITY): Promise<T | undefined> {
    const end = Date.now() + ms;
    while (!vasp.isStopped()) {
      const found = look();
      if (found !== undefined || Date.now() > end) return found;
      await delay(10);
    }
    return undefined;
  }

  /** Undefined: nothing speaks against the payment. */
  async function objection(uuid: string, kinds: string[]): Promise<string | undefined> {
    const path = { sanction: 'providerA-sanction', kyt: 'providerA-kyt', wco: 'providerB-wco' } as Any;
    for (const kind of is('pays without an assessment') ? [] : kinds) {
      const ask = () => post(`/v1/risk-assessment/${path[kind]}`, { verificationUuid: uuid });
      const asked = is('asks again after a lost answer') ? ask().catch(ask) : ask();
      if (is('takes a lost assessment for a good one') && !(await asked.catch(() => undefined))?.body) continue;
      const { status, body } = await asked;
      if (status !== 200 && is('pays when an assessment is refused')) continue;
      if (status !== 200) return 'no screening';
      const { providerASanction: sanction, requestId } = body;
      if (sanction?.status === 'SANCTION' && !is('pays although the address is sanctioned')) return 'sanctioned';
      if (is('waits only for the first assessment') && kind !== kinds[0]) continue;
      if (!requestId || is('pays before the assessment has a result')) continue;
      assessments.set(requestId, assessments.get(requestId) ?? []);
      const found = await until(
        () => assessments.get(requestId)?.find(each => isResult(each.providerAKYT ?? each.providerBWCO)),
        is('pays when an assessment does not end') ? 3_000 : undefined,
      );
      const { providerAKYTAlerts: alerts = [], providerBWCO } = found ?? {};
      const seen = alerts.slice(0, is('looks only at the first alert') ? 1 : undefined);
      const bad = vasp.variant().paysAfterHigh ? ['SEVERE'] : ['HIGH', 'SEVERE'];
      const isSevere = seen.some((each: Any) => bad.includes(each.alertLevel));
      if (isSevere && !is('pays although an alert is SEVERE')) return 'alert';
      const isListed = ['STRONG', 'EXACT'].includes(providerBWCO?.matchStrength);
      if (isListed && !is('pays although the person is listed')) return 'listed';
    }
    return undefined;
  }

  /** One payment after another: two never take the same number. */
  let last: Promise<unknown> = Promise.resolve();
  function pay(order: Any, uuid: string, how?: Signing): Promise<Payment> {
    if (is('counts payments while it makes one') || isMomentary()) return payNow(order, uuid, how);
    const paid = last.then(() => payNow(order, uuid, how));
    last = paid.catch(() => {});
    return paid;
  }
  /** Undefined: its node refuses the payment. */
  async function payWhenPossible(order: Any, uuid: string): Promise<Payment | undefined> {
    const pays = () => pay(order, uuid);
    const isEach = is('pays for each attempt that its node refuses');
    const isAgain = isEach || is('pays again when the answer of its node is lost');
    const paid = await pays().catch(() => (isAgain ? pays().catch(() => undefined) : undefined));
    if (isEach && paid && refused.has(uuid)) await pays();
    if (paid || !is('pays when its node estimates again') || vasp.isStopped()) return paid;
    await delay(RETRY_MS);
    return payWhenPossible(order, uuid);
  }
  const sentAt = new Map<string, number>();
  const refused = new Set<string>();
  const isMomentary = () => is('counts payments for a moment while it makes one');
  let current: Any;
  async function payNow(given: Any, uuid: string, how?: Signing): Promise<Payment> {
    const order = is('mixes up withdrawals at once') ? current : given;
    const { symbol, customer, beneficiary, omit = [] } = order;
    const ledger = ledgers[symbol]!;
    const from = Math.max(0, vasp.owners.indexOf(vasp.owners.find(({ id }) => id === customer.id)!));
    let to = accountOnTheWire(beneficiary.account, omit);
    if (is('takes tag 0 for none') && to.endsWith(':0')) to = to.slice(0, -2);
    if (is('keeps tags in signed words')) to = to.replace(/(?<=:)\d+/, tag => String(Number(tag) | 0));
    const whole = paidUnits(is, order);
    const units = is('pays one unit more') ? whole + 1n : is('pays in two transactions') ? whole / 2n : whole;
    const ofWrong = is('counts only what blocks hold')
      ? 'latest'
      : is('pays with 21,000 gas')
        ? 'plain'
        : is('sends although its node refuses the estimate')
          ? 'blind'
          : how;
    const { hash, nonce, send } = await ledger.sign(from, to, units, ofWrong);
    const payment: Payment = { hash, symbol, nonce, isSent: false };
    payments.set(uuid, payment);
    if (is('reports before it sends')) await report(order, uuid, payment);
    if (is('counts payments while it makes one')) await delay(SIGNING_MS);
    if (isMomentary()) await delay(QUICK_MS);
    await sendSurely(vasp, ledger, { hash, send }).catch(error => {
      refused.add(uuid);
      throw error;
    });
    if (is('pays in two transactions')) await (await ledger.sign(from, to, whole - units)).send();
    payment.isSent = true;
    sentAt.set(uuid, vasp.now());
    vasp.debit(customer.id, symbol, units);
    return payment;
  }

  let lastHash: string | undefined;
  const hashOf = ({ hash }: Payment): string =>
    is('writes its hash in the other case')
      ? hash.replace(/[0-9a-f]{64}$/, hex => hex.toUpperCase())
      : (is('reports the hash of its last payment') && lastHash) || hash;
  const crossed: Payment[] = [];
  async function report(order: Any, uuid: string, paid: Payment): Promise<void> {
    let payment = paid;
    crossed.push(paid);
    if (is('reports two payments crosswise'))
      payment = (await until(() => crossed.find(each => each !== paid), 3_000)) ?? paid;
    while (!vasp.isStopped()) {
      const { status } = await post('/v1/verifications/tx', { verificationUuid: uuid, txHash: hashOf(payment) }).catch(
        () => ({ status: 0 }),
      );
      if (status === 200 || (status >= 400 && status < 500 && status !== 408)) return;
      if (is('reports only once')) return;
      if (is('pays again after a failed report')) payment = await pay(order, uuid);
      await delay(RETRY_MS);
    }
  }

  let before: Promise<unknown> = Promise.resolve();
  function withdraw(goal: string, order: Any): Promise<void> {
    const done = (is('works on one withdrawal at a time') ? before : Promise.resolve()).then(() =>
      withdrawNow(goal, order),
    );
    before = done.catch(() => {});
    return done;
  }

  let resultAt = 0;
  const begun = new Set<string>();
  const firstPaid = new Map<string, Payment>();
  const originatorOf = ({ customer }: Any) =>
    is('names the originator to verify an account') ? { originator: { originatorPersons: personsOf(customer) } } : {};
  async function withdrawNow(goal: string, order: Any): Promise<void> {
    current = order;
    const key = JSON.stringify([goal, order.customer, order.amount, order.beneficiary]);
    const isSecond = begun.has(key);
    if (isSecond && is('drops an equal withdrawal')) return;
    begun.add(key);
    await vasp.get('/v1/vasps');
    if (goal !== 'verify-user' || is('verifies the account before every user verification')) {
      const { status, body } = await post('/v1/verifications/account', {
        keyType: 'PerVasp',
        beneficiaryVaspId: order.beneficiary.vaspId,
        symbol: order.symbol,
        ...(order.network ? { network: order.network } : {}),
        ...(is('names the payer in a member of its own') ? { payer: order.customer.names } : {}),
        payload: { version: '1.0', ivms101: { ...originatorOf(order), beneficiary: beneficiaryOf(order) } },
      });
      const isVerified =
        body?.accountVerificationResult === 'VERIFIED' ||
        (status !== 200 && is('takes a failed account verification for VERIFIED'));
      if ((!isVerified && goal !== 'verify-user') || goal === 'verify-account') return;
    }
    if (is('opens two verifications')) await askUser(order);
    if (is('asks again after a denial')) {
      const user = { ...order.beneficiary.user, names: { lastName: 'Nobody', firstName: 'Here' } };
      const denied = await askUser({ ...order, beneficiary: { ...order.beneficiary, user } });
      await until(() => results.get(denied!));
    }
    const uuid = await askUser(order).catch(error => {
      if (!is('asks again after a lost answer') && !is('pays for each of its questions')) throw error;
      return askUser(order);
    });
    if (!uuid) return;
    const isNext = [...payments.values()].includes('none');
    payments.set(uuid, 'none');
    if (is('pays for every result')) orders.set(uuid, order);
    if (is('forgets a result that comes before the answer')) results.delete(uuid);
    const requestedAt = vasp.now();
    const paysByItself = () =>
      (is('pays five minutes after its request') && vasp.now() - requestedAt > MINUTES_MS) ||
      (is('pays thirty minutes after its request') && vasp.now() - requestedAt > 6 * MINUTES_MS)
        ? { verificationResult: 'VERIFIED' }
        : undefined;
    const result = is('pays after a time-out of its own')
      ? ((await until(() => results.get(uuid), 2_500)) ?? { verificationResult: 'VERIFIED' })
      : await until(() => results.get(uuid) ?? paysByItself(), vasp.variant().givesUpMs);
    if (!result && goal !== 'verify-user') return cancel(uuid, 'USER-CANCELED');
    if (!result || goal === 'verify-user') return;
    if (!mayPay(result)) {
      payments.set(uuid, 'canceled');
      if (is('reports a payment after a denied result'))
        await post('/v1/verifications/tx', { verificationUuid: uuid, txHash: `0x${'7'.repeat(64)}` });
      return is('ends a denied withdrawal with an error report') ? cancel(uuid, 'USER-CANCELED') : undefined;
    }
    if (goal === 'report-error') {
      await cancel(uuid, 'USER-CANCELED');
      if (!is('pays five minutes after its error report')) return;
      const canceledAt = vasp.now();
      await until(() => vasp.now() - canceledAt > MINUTES_MS || undefined);
      await pay(order, uuid);
      return;
    }
    if (await objection(uuid, order.kinds ?? [])) return cancel(uuid, 'NOT-ALLOWED');
    await delay(vasp.variant().payPauseMs ?? 0);
    if (isNext && is('pays one of two withdrawals at once')) return;
    if (isSecond && is('pays one of two equal withdrawals')) return;
    const paid = await payWhenPossible(order, uuid);
    if (!paid && is('pays after its error report when its node takes it')) {
      await cancel(uuid, 'UNDEFINED-ERROR');
      return void (await pay(order, uuid));
    }
    if (!paid)
      return is('forgets a withdrawal that its node refuses') ||
        is('forgets a payment when the answer of its node is lost')
        ? undefined
        : cancel(uuid, 'UNDEFINED-ERROR');
    if (!firstPaid.has(key)) firstPaid.set(key, paid);
    const payment = is('reports one payment for equal withdrawals') ? firstPaid.get(key)! : paid;
    if (is('pays for each of its questions'))
      for (const [other, { verificationResult }] of results)
        if (!payments.has(other) && verificationResult === 'VERIFIED') await pay(order, other);
    if (goal !== 'withdraw') return;
    if (is('reports once a block holds the payment')) await mined(payment);
    if (!(await minedInTime(payment))) return;
    const isSlow = is('gives up when mining is slow') || is('pays again when mining is slow');
    if (isSlow && !(await Promise.race([mined(payment), delay(1_000).then(() => false)]))) {
      if (is('gives up when mining is slow')) return;
      await pay(order, uuid);
    }
    const paidAt = vasp.now();
    if (is('reports five minutes after its payment')) await until(() => vasp.now() - paidAt > MINUTES_MS || undefined);
    await report(order, uuid, payment);
    lastHash = payment.hash;
    if (is('asks for the status of its own payment'))
      await post('/v1/verifications/tx/inquiry', { verificationUuid: uuid });
    await follow(order, uuid, payment);
    const isPaidAgain = is('pays again thirty minutes after its payment');
    const isCanceled = is('reports an error thirty minutes after its payment');
    if (isPaidAgain || isCanceled) await until(() => vasp.now() - paidAt > 6 * MINUTES_MS || undefined);
    if (isPaidAgain) await pay(order, uuid);
    if (isCanceled || is('reports an error after its payment')) await cancel(uuid, 'USER-CANCELED');
    if (is('reports again after a lost answer')) await report(order, uuid, payment);
  }

  /** WIRE-2.7: a payment that fails ends in an error report. */
  async function follow(order: Any, uuid: string, payment: Payment): Promise<void> {
    const isLate = Symbol('late');
    const patience = delay(PATIENCE_MS[order.symbol as 'ETH']).then(() => isLate);
    let found = await Promise.race([mined(payment), patience]);
    if (found === isLate) {
      if (is('pays again after one second without a block')) await pay(order, uuid);
      if (is('reports an error after one second without a block')) await cancel(uuid, 'UNDEFINED-ERROR');
      if (is('raises the fee of a payment that waits')) await raiseFee(order, uuid, payment);
      found = await mined(payment);
    }
    if (!(found as Mined | undefined)?.isFailed || is('takes a failed payment for a good one')) return;
    payments.set(uuid, 'canceled');
    if (is('sends a payment again that has failed')) return report(order, uuid, await pay(order, uuid));
    if (!is('tells nobody that its payment has failed')) await cancel(uuid, 'UNDEFINED-ERROR');
    if (is('pays again after its error report')) await pay(order, uuid);
  }

  /** A node refuses it when a block already holds the payment that it replaces. */
  async function raiseFee(order: Any, uuid: string, old: Payment): Promise<void> {
    const dearer = await pay(order, uuid, old.nonce).catch(() => undefined);
    if (!dearer) return void payments.set(uuid, old);
    await report(order, uuid, Object.assign(dearer, { replaces: old }));
  }

  /** It has not asked for this verification. */
  async function payStranger({ verificationUuid: uuid, verificationResult }: Any): Promise<void> {
    const found = verificationResult === 'VERIFIED' && (await vasp.get(`/v1/verifications/${uuid}`));
    if (!found) return;
    const { assetInfo, beneficiaryAccountNumber: account } = found;
    const order = { ...assetInfo, customer: vasp.owners[3], beneficiary: { account } };
    await report(order, uuid, await pay(order, uuid));
  }

  /** Some wrong VASPs wait for a block no longer than that. */
  async function minedInTime(payment: Payment): Promise<unknown> {
    const patienceMs = is('gives up when mining takes four seconds')
      ? 4_000
      : is('gives up when mining takes ten seconds')
        ? 10_000
        : 0;
    if (patienceMs === 0) return true;
    const end = vasp.now() + patienceMs;
    const isPast = async () => {
      while (vasp.now() < end) await delay(RETRY_MS);
    };
    return Promise.race([mined(payment), isPast()]);
  }

  async function mined({ symbol, hash }: Payment): Promise<Mined | undefined> {
    const end = Date.now() + FOLLOWED_MS;
    while (!vasp.isStopped() && Date.now() < end) {
      const found = await ledgers[symbol]!.mined(hash).catch(() => undefined);
      if (found) return found;
      await delay(RETRY_MS);
    }
    return undefined;
  }

  async function cancel(uuid: string, reason: string): Promise<void> {
    const { cancelsAfterMs = 0 } = vasp.variant();
    if (cancelsAfterMs > 0) setTimeout(() => payments.set(uuid, 'canceled'), cancelsAfterMs);
    else payments.set(uuid, 'canceled');
    await post('/v1/verifications/error', { verificationUuid: uuid, result: 'ERROR', reason, message: 'canceled' });
  }

  return {
    own: () => [...payments.keys()],
    withdraw,
    resultArrived: (data: Any) => {
      const isSecond = Date.now() - resultAt < AT_ONCE_MS;
      resultAt = Date.now();
      if (isSecond && is('loses one of two results at once')) return;
      if (is('takes any VERIFIED for its own') && data.verificationResult === 'VERIFIED')
        for (const uuid of payments.keys()) if (!results.has(uuid)) results.set(uuid, data);
      if (is('pays whatever is VERIFIED') && !payments.has(data.verificationUuid)) void payStranger(data);
      const order = orders.get(data.verificationUuid);
      if (order && results.has(data.verificationUuid)) void pay(order, data.verificationUuid);
      if (!results.has(data.verificationUuid)) results.set(data.verificationUuid, data);
    },
    assessed(data: Any) {
      const { requestId } = data.riskAssessment.providerAKYT ?? data.riskAssessment.providerBWCO;
      if (is('takes any assessment for its own'))
        for (const other of assessments.keys()) assessments.get(other)!.push(data.riskAssessment);
      assessments.set(requestId, [...(assessments.get(requestId) ?? []), data.riskAssessment]);
    },
    async status(verificationUuid: string): Promise<Any> {
      let payment = payments.get(verificationUuid);
      if (!payment) return undefined;
      if (is('answers every status query about its newest payment')) payment = crossed.at(-1) ?? payment;
      if (payment === 'canceled' && is('says PENDING of a canceled withdrawal'))
        return { verificationUuid, transactionStatus: 'PENDING' };
      if (payment === 'canceled') return { verificationUuid, transactionStatus: 'CANCELED' };
      const agoMs = vasp.now() - (sentAt.get(verificationUuid) ?? vasp.now());
      if (is('forgets its payments after five minutes') && agoMs > MINUTES_MS)
        return { verificationUuid, transactionStatus: 'PENDING' };
      if (is('says CANCELED of its payments after five minutes') && agoMs > MINUTES_MS)
        return { verificationUuid, transactionStatus: 'CANCELED' };
      if (payment === 'none' && is('names a hash before it has paid'))
        return { verificationUuid, transactionStatus: 'PENDING', txHash: `0x${'7'.repeat(64)}` };
      if (payment === 'none' || is('says PENDING after it has paid'))
        return { verificationUuid, transactionStatus: 'PENDING' };
      const { replaces } = payment;
      if (replaces && (await ledgers[replaces.symbol]!.mined(replaces.hash))) payment = replaces;
      const { hash: txHash, symbol } = payment;
      const early = is('says CONFIRMED as soon as a hash exists')
        ? 'CONFIRMED'
        : is('says WAIT-CONFIRM as soon as it has sent')
          ? 'WAIT-CONFIRM'
          : 'PROCESSING';
      const look = ledgers[symbol]!.mined(txHash);
      if (is('says CANCELED when its node fails') && (await look.catch(() => 'failed')) === 'failed')
        return { verificationUuid, transactionStatus: 'CANCELED' };
      const found = await look;
      if (found?.isFailed && !is('takes a failed payment for a good one'))
        return { verificationUuid, transactionStatus: 'PENDING' };
      const isMined = found !== undefined;
      if (!is('remembers its first status') || payment.wasMined === undefined) payment.wasMined = isMined;
      return { verificationUuid, transactionStatus: payment.wasMined ? 'CONFIRMED' : early, txHash };
    },
    time: () => timeNow(is),
  };
}
