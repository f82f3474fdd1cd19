import { setTimeout as delay } from 'node:timers/promises';
import { ASSETS, type AssetSymbol } from '../../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../../src/kernel/decimal.ts';
import type { Ledger, Signed } from '../../../src/reference-vasp/ledgers/port.ts';
import type { Boundary, Send } from '../../../src/reference-vasp/vasp.ts';
import { rpcAt } from '../chains/on-chain.ts';
import type { Any } from './independent/judge.ts';

/** Small changes at the boundary of the reference VASP. Each makes one mutant. */

type Json = Record<string, unknown>;
type Change = (body: Json, request: Json) => Json | undefined;

const read = async (message: Request | Response): Promise<Json> =>
  (await message
    .clone()
    .json()
    .catch(() => ({}))) as Json;
const isAt = (request: Request, path: string) => new URL(request.url).pathname === path;

/** The answer of one address comes too late. */
export const late = (path: string, only: (body: Json) => boolean = () => true): Boundary => ({
  serving: next => async request => {
    if (isAt(request, path) && only(await read(request))) await delay(1_300);
    return next(request);
  },
});

/** True for the first body of every verification. */
export const firstOnly = (): ((body: Json) => boolean) => {
  const seen = new Set<unknown>();
  return ({ verificationUuid }) => !seen.has(verificationUuid) && seen.add(verificationUuid) !== undefined;
};

/** The answer of one address has another status. */
export const status = (path: string, code: number, only: (body: Json) => boolean = () => true): Boundary => ({
  serving: next => async request => {
    const hits = isAt(request, path) && only(await read(request));
    return hits ? Response.json({ code: 'BROKEN' }, { status: code }) : next(request);
  },
});

/** The body of the answer changes. */
export const answers = (path: string, change: Change): Boundary => ({
  serving: next => async request => {
    const body = await read(request);
    const answer = await next(request);
    if (!isAt(request, path)) return answer;
    return Response.json(change(await read(answer), body) ?? {}, { status: 200 });
  },
});

/** The request reaches the VASP with another body. */
export const hears = (path: string, change: Change): Boundary => ({
  serving: next => async request => {
    if (!isAt(request, path) || request.method !== 'POST') return next(request);
    const body = await read(request);
    return next(
      new Request(request.url, {
        method: request.method,
        headers: request.headers,
        body: JSON.stringify(change(body, body)),
      }),
    );
  },
});

/** The VASP asks its enclave something else. Undefined: it asks nothing, and believes in an answer. */
export const asks = (path: string, change: Change, believed: Json = { result: true }): Boundary => ({
  asking: next => async request => {
    if (!isAt(request, path)) return next(request);
    const body = change(await read(request), {});
    if (!body) return Response.json(believed);
    return next(
      new Request(request.url, { method: request.method, headers: request.headers, body: JSON.stringify(body) }),
    );
  },
});

/** The VASP believes in another answer of its enclave. */
export const believes = (path: string, change: Change): Boundary => ({
  asking: next => async request => {
    const body = await read(request);
    const answer = await next(request);
    return isAt(request, path) ? Response.json(change(await read(answer), body), { status: answer.status }) : answer;
  },
});

/** The VASP sends a request twice. */
export const asksTwice = (path: string): Boundary => ({
  asking: next => async request => {
    if (isAt(request, path)) await next(request.clone());
    return next(request);
  },
});

const DECIMALS = 18;
const MILLIONTH = 10n ** 12n;

/** The balance of the driver is wrong by so much. `units` sees every request to the VASP, after it is answered. */
export const balanceWrongBy = (units: (body: Any, request: Request) => bigint): Boundary => ({
  serving: next => async request => {
    const body = await read(request);
    const answer = await next(request);
    const wrongBy = units(body, request);
    if (body.action !== 'balance') return answer;
    const { value } = (await read(answer)) as { value: string };
    return Response.json({ value: formatUnits(toUnits(value, DECIMALS) + wrongBy, DECIMALS) });
  },
});

/** The balance of the driver is wrong by what `surplus` counts. In millionths of a coin. */
export const balance = (surplus: (body: Json) => number): Boundary => {
  let more = 0;
  return balanceWrongBy((body, request) => {
    if (isAt(request, '/callback')) more += surplus(body);
    return BigInt(more) * MILLIONTH;
  });
};

/** Every caller has the right token. */
export const trustsAll = (path: string): Boundary => {
  let known: string | null = null;
  return {
    serving: next => async request => {
      if (isAt(request, '/driver')) known = request.headers.get('authorization');
      if (!isAt(request, path) || known === null) return next(request);
      const headers = new Headers(request.headers);
      headers.set('authorization', known);
      return next(new Request(request.url, { method: 'POST', headers, body: await request.text() }));
    },
  };
};

/** The payment goes elsewhere, or is another amount. */
export const pays = (change: (to: string, units: bigint) => [string, bigint]): Boundary => ({
  paying: ledger => ({ ...ledger, sign: (customer, to, units) => ledger.sign(customer, ...change(to, units)) }),
});

export const paysTwice: Boundary = {
  paying: ledger => {
    let last: Parameters<typeof ledger.sign> | undefined;
    return {
      ...ledger,
      sign: (...payment) => {
        last = payment;
        return ledger.sign(...payment);
      },
      async send(signed) {
        await ledger.send(signed);
        const again = last;
        last = undefined;
        if (again) await ledger.send(await ledger.sign(...again));
      },
    };
  },
};

/** The VASP takes the Amount of a payment of XRP for what it delivered. */
export const believesAmount = (sandbox: string): Boundary => ({
  paying: ledger => ({
    ...ledger,
    async paymentsOf(hash) {
      const payments = await ledger.paymentsOf(hash);
      if (!payments || ledger.symbol !== 'XRP') return payments;
      const { Amount } = await xrpPayment(sandbox, hash);
      return payments.map(payment => ({ ...payment, units: BigInt(Amount) }));
    },
  }),
});

/** The VASP credits the delivered part of a reported partial payment. */
export const creditsDelivered = (sandbox: string): Boundary => {
  let drops = 0;
  return all(
    {
      serving: next => async request => {
        const { callbackType, data } = (await read(request)) as { callbackType?: string; data?: Json };
        if (isAt(request, '/callback') && callbackType === 'TX_REPORT') {
          const { Amount, meta } = await xrpPayment(sandbox, String(data?.txHash));
          if (meta.delivered_amount !== Amount) drops += Number(meta.delivered_amount);
        }
        return next(request);
      },
    },
    balanceWrongBy(() => BigInt(drops) * MILLIONTH),
  );
};

interface XrpPayment {
  Amount: string;
  meta: { delivered_amount: string };
}

const xrpPayment = async (sandbox: string, transaction: string): Promise<XrpPayment> =>
  (await rpcAt(`${sandbox}/devnet/xrpl`)<XrpPayment>('tx', { transaction, api_version: 1 }))!;

export const neverPays: Boundary = { paying: ledger => ({ ...ledger, send: async () => {} }) };

const chain = (sends: readonly (((next: Send) => Send) | undefined)[]) => (next: Send) =>
  sends.reduce<Send>((inner, wrap) => wrap?.(inner) ?? inner, next);

export const all = (...boundaries: readonly Boundary[]): Boundary => ({
  serving: chain(boundaries.map(({ serving }) => serving)),
  asking: chain(boundaries.map(({ asking }) => asking)),
  paying: ledger => boundaries.reduce((inner, { paying }) => paying?.(inner) ?? inner, ledger),
});

/** Before one request of the VASP it sends another, empty one. */
export const asksBefore = (path: string, other: string): Boundary => ({
  asking: next => async request => {
    if (isAt(request, path)) {
      const { headers } = request;
      await next(new Request(new URL(other, request.url), { method: 'POST', headers, body: '{}' }));
    }
    return next(request);
  },
});

/** Once the enclave has named a transaction in its answer, the balance of the driver is wrong. In millionths of a coin. */
export function balanceAfter(path: string, surplus: number): Boundary {
  let more = 0;
  return {
    ...balanceWrongBy(() => BigInt(more) * MILLIONTH),
    asking: next => async request => {
      const answer = await next(request);
      if (isAt(request, path) && (await read(answer)).txHash) more = surplus;
      return answer;
    },
  };
}

/** The VASP pays before one of its requests about each verification, and not when it should. */
export function paysBefore(path: string): Boundary {
  let ledger: Ledger | undefined;
  let verified: Json = {};
  let paid: Signed | undefined;
  const pay = async () => {
    const { symbol, amount } = verified.assetInfo as { symbol: AssetSymbol; amount: string };
    const { ivms101 } = verified.payload as { ivms101: { beneficiary: { accountNumber: string[] } } };
    const units = toUnits(amount, ASSETS[symbol].decimals);
    paid = await ledger!.sign(0, ivms101.beneficiary.accountNumber[0]!, units);
    await ledger!.send(paid);
    while ((await ledger!.statusOf(paid)) !== 'CONFIRMED') await delay(20);
  };
  return {
    asking: next => async request => {
      if (isAt(request, '/v1/verifications')) {
        verified = await read(request);
        paid = undefined;
      }
      if (isAt(request, path) && paid === undefined) await pay();
      return next(request);
    },
    paying: real => {
      if (real.symbol === 'ETH') ledger = real;
      return {
        ...real,
        sign: async (...payment) => paid ?? real.sign(...payment),
        send: async signed => (signed === paid ? undefined : real.send(signed)),
      };
    },
  };
}
