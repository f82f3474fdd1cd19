import type * as z from 'zod';
import type { Order } from '../../client/calls.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { Customers } from '../../contract/customers.ts';
import { parse, problemsIn } from '../../contract/parse.ts';
import { ExpectedFailures, type PLANS, RunRequest } from '../../contract/plans.ts';
import { isNamed, modulesOf } from '../../plans/catalogue.ts';
import { choiceOf, wrongUsage } from '../command.ts';
import { jsonOf, textOf } from '../input.ts';
import type { CheckValues } from './options.ts';

/** The request of the run. Throws a `Failure` that names the option. */
export async function orderOf(plan = 'complete', values: CheckValues): Promise<Order<'startRun'>> {
  const modules = listOf(values.module);
  const all = modulesOf(plan as (typeof PLANS)[number]);
  for (const name of modules ?? [])
    if (!all.some(({ id }) => isNamed(id, [name])))
      throw wrongUsage(`--module: plan ${plan} has no module \`${name}\`. See robot-vasp check --list`);
  const order = {
    plan,
    ...(values.symbol ? { symbols: symbolsOf(values) } : {}),
    ...(values.customers ? { customers: await fileAs(Customers, '--customers', values.customers) } : {}),
    ...(values.driver
      ? { driver: { url: values.driver, ...(values['driver-token'] ? { token: values['driver-token'] } : {}) } }
      : {}),
    unattended: values.unattended,
    ...(modules ? { modules } : {}),
    clock: values.clock,
    ...waitOf(values),
    inquiryWait: values['inquiry-wait'],
  };
  return checked(RunRequest, order, 'the options') && (order as Order<'startRun'>);
}

/** Throws a `Failure` for an unknown name. */
export const symbolsOf = ({ symbol }: CheckValues): readonly AssetSymbol[] =>
  listOf(symbol)?.map(each => choiceOf(each, ASSET_SYMBOLS)) ?? ASSET_SYMBOLS;

/** By hand in a terminal there is more time. */
function waitOf({ wait }: CheckValues): { wait?: string } {
  if (wait !== undefined) return { wait };
  return process.stdout.isTTY ? {} : { wait: '10s' };
}

export const expectedFailures = async (path: string | undefined): Promise<ExpectedFailures> =>
  path === undefined ? [] : fileAs(ExpectedFailures, '--expected-failures', path);

const listOf = (text: string | undefined): string[] | undefined =>
  text === undefined
    ? undefined
    : text
        .split(',')
        .map(each => each.trim())
        .filter(each => each !== '');

async function fileAs<S extends z.ZodType>(schema: S, option: string, path: string): Promise<z.output<S>> {
  const hint = option === '--customers' ? '`robot-vasp check --init` writes an example' : '';
  const where = `${option} ${path}`;
  return checked(schema, jsonOf(textOf(path, hint), where), where);
}

/** Throws a `Failure` that names every problem. */
function checked<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const problems = problemsIn(schema, value);
  if (problems.length > 0) throw wrongUsage(`${where}: ${problems.join('\n  ')}`);
  return parse(schema, value);
}
