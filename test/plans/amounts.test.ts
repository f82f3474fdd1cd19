import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetSymbol, toBaseUnits } from '../../src/contract/assets.ts';
import type { Customer } from '../../src/contract/customers.ts';
import type { ModuleReport, RunReport } from '../../src/contract/plans.ts';
import { MODULES } from '../../src/plans/catalogue.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import { rememberAllowed, withoutLateCredits } from '../../src/plans/steps/balances.ts';
import { exactAmount } from '../../src/plans/steps/robot-pays.ts';
import type { RunWorld } from '../../src/plans/world.ts';
import { PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));

/** The digits that the run drew, after those that count its modules. */
const drawn = ({ modules }: RunReport): string[] =>
  modules
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ operation }) => operation === 'verify-user')
    .map(({ request }) => JSON.parse(request!).assetInfo.amount.slice('0.0014123456'.length));

test('runs of several VASPs at the same time have other amounts', async () => {
  const settings = { modules: ['W3.a'], symbols: ['ETH'] };
  const reports = await Promise.all(Array.from({ length: 6 }, () => runPlan(robot, settings)));
  const amounts = reports.flatMap(drawn);
  expect(amounts.map(each => each.length)).toEqual(Array(6).fill(5));
  expect(new Set(amounts).size).toBeGreaterThan(3);
});

interface Run {
  symbol: AssetSymbol;
  digits: number;
  runId: string;
}

const OF_MODULE = [1, 2, 3, 4, 5, 6];

const contextOf = ({ symbol, digits, runId }: Run, position: number, starts = 1): ModuleContext => {
  const world = { digits, runId, settings: {} } as RunWorld;
  const report = { symbol, starts } as ModuleReport;
  return new ModuleContext({ world, report, position, since: 0, onChange: () => {} });
};

const amountsOf = (run: Run): string[] =>
  MODULES.flatMap((_, position) => OF_MODULE.map(nth => contextOf(run, position).amountOf(nth)));

const run = fc.record({
  symbol: fc.constantFrom<AssetSymbol>('ETH', 'XRP'),
  digits: fc.integer({ min: 10, max: 99 }),
  runId: fc.uuid(),
});

test('an amount that floating point loses is found near each amount', () => {
  const decimals = { ETH: 18, XRP: 6 };
  fc.assert(
    fc.property(run, fc.nat(MODULES.length - 1), (of, position) => {
      const context = contextOf(of, position);
      const found = OF_MODULE.map(nth => exactAmount(context, nth));
      expect(new Set(found).size).toBe(OF_MODULE.length);
      for (const amount of found) {
        expect(amount.split('.')[1]).toHaveLength(decimals[of.symbol]);
        expect(Number(amount)).toBeLessThan(of.symbol === 'ETH' ? 0.012 : 17);
        const { floor, round } = Math;
        const floating = of.symbol === 'ETH' ? round(Number(amount) * 1e18) : floor(Number(amount) * 1e6);
        expect(BigInt(floating)).not.toBe(toBaseUnits(of.symbol, amount));
      }
    }),
    { numRuns: 200 },
  );
});

const sumOf = (units: readonly bigint[]): bigint => units.reduce((sum, each) => sum + each, 0n);

test('no two pairs of amounts have the same sum', () => {
  fc.assert(
    fc.property(run, of => {
      const units = amountsOf(of).map(each => toBaseUnits(of.symbol, each));
      const sums = new Set(units.flatMap((one, index) => units.slice(index).map(other => String(one + other))));
      expect(sums.size).toBe((units.length * (units.length + 1)) / 2);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

test('more amounts of a run are more money: a sum tells how many there are, up to three', () => {
  fc.assert(
    fc.property(run, of => {
      const units = amountsOf(of)
        .map(each => toBaseUnits(of.symbol, each))
        .sort((one, other) => (one < other ? -1 : 1));
      expect(sumOf(units.slice(0, 2))).toBeGreaterThan(units.at(-1)!);
      expect(sumOf(units.slice(0, 3))).toBeGreaterThan(sumOf(units.slice(-2)));
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

test('the next run and a module that starts again have other amounts, which end with no zero', () => {
  fc.assert(
    fc.property(run, fc.uuid(), fc.integer({ min: 10, max: 99 }), (of, runId, digits) => {
      fc.pre(digits !== of.digits);
      const amounts = amountsOf(of);
      const others = new Set([...amounts, ...amountsOf({ symbol: of.symbol, runId, digits })]);
      expect(others.size).toBe(2 * amounts.length);
      expect([...others].filter(each => !/^\d\.\d*[1-9]$/.test(each))).toEqual([]);
      const starts = [1, 2, 3, 4, 5].map(start => contextOf(of, 7, start).amount);
      expect(new Set(starts).size).toBe(5);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

test('allowed credits explain a balance, up to three between two looks, and never a wrong payment', () => {
  fc.assert(
    fc.property(run, fc.nat(2), fc.boolean(), (of, more, hasWrong) => {
      const world = { digits: of.digits, runId: of.runId, settings: {}, ledgers: new Map() } as unknown as RunWorld;
      const report = { symbol: of.symbol, starts: 1, conditions: [] } as unknown as ModuleReport;
      const ctx = new ModuleContext({ world, report, position: 0, since: 0, onChange: () => {} });
      const customer = { id: 'main' } as Customer;
      const units = amountsOf(of).map(each => toBaseUnits(of.symbol, each));
      const [allowed, wrong] = [units.slice(0, 8), units[40]!];
      rememberAllowed(ctx, customer, allowed);
      const before = 10n ** 20n;
      const late = allowed.slice(more, 2 * more + 1);
      const balance = [...late, ...(hasWrong ? [wrong] : [])].reduce((sum, each) => sum + each, before);
      const left = withoutLateCredits(ctx, customer, balance, [before]);
      expect(left === before).toBe(!hasWrong);
    }),
  );
});
