import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { loadConfig } from '../../app/config/config.ts';
import type { Order } from '../../client/calls.ts';
import { type Client, client } from '../../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import { Customers } from '../../contract/customers.ts';
import { parse, problemsIn } from '../../contract/parse.ts';
import { ExpectedFailures, type PLANS, RunReport, RunRequest } from '../../contract/plans.ts';
import { isNamed, listPlans, modulesOf } from '../../plans/catalogue.ts';
import { CUSTOMERS } from '../../reference-vasp/customers.ts';
import { choiceOf, Failure, wrongUsage } from '../command.ts';
import { cannotListen, connect } from '../connection.ts';
import { withEnvFile } from '../env-file.ts';
import { cannotWrite, jsonOf, portOf, requireWritable, textOf, writeText } from '../input.ts';
import type { CheckValues } from './options.ts';

const XRP_ADDRESS = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const ETH_ADDRESSES = [
  '0x5811001506550d8356a215be229c15b6ef371a9b',
  '0x6f1b1c9f2b5f0a7f4f6b6f0d3a1c2e4d5b7a8c90',
  '0x2d9a7c41e8b3f65017a4c9d8e2b6f3a05c1d7e84',
  '0x91c4d0b7a35e2f86c1d9e40b7f2a6835ce017b4d',
];
const EXAMPLE = {
  customers: CUSTOMERS.map((customer, index) => ({
    ...customer,
    accounts: { ETH: ETH_ADDRESSES[index], XRP: `${XRP_ADDRESS}:${index + 1}` },
  })),
  nobody: { ETH: '0x000000000000000000000000000000000000dEaD', XRP: `${XRP_ADDRESS}:999` },
};

/** Throws a `Failure` when the file exists. */
export async function writeExample(path: string): Promise<string> {
  try {
    await writeFile(path, `${JSON.stringify(EXAMPLE, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw wrongUsage(`${path} exists; it is not overwritten`);
    cannotWrite(path)(error as NodeJS.ErrnoException);
  }
  return `${path} is written. Put in customers of your VASP with their real deposit addresses. Take out those that you do not have: the modules about them are then skipped.`;
}

const FORMS = { report: 'json', junit: 'xml', html: 'html', summary: 'md', certificate: 'jws' } as const;

/** The files that are asked for, and the form of each. */
const filesOf = (values: CheckValues) =>
  Object.entries(FORMS).flatMap(([option, form]) => {
    const path = values[option as keyof typeof FORMS];
    return path === undefined ? [] : [{ path, form, where: `--${option}: ${path}` }];
  });

/** A run can be long: what it could not write is refused before. */
export async function requirePlaces(values: CheckValues): Promise<void> {
  for (const { path, where } of filesOf(values)) await requireWritable(path, where);
}

/** The sandbox makes every form of the report. */
export async function writeFiles(api: Client, { id }: RunReport, values: CheckValues): Promise<void> {
  for (const { path, form, where } of filesOf(values)) {
    const body = await reportAs(form, api, id, values);
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
    await writeText(path, text, where);
  }
}

/** Data of persons are masked unless an option wants them. */
export async function reportAs(form: string, api: Client, id: string, values: CheckValues): Promise<unknown> {
  const query = `?withPersonalData=${values['with-personal-data']}`;
  const { body } = await api.call<unknown>('GET', `/sandbox/v1/runs/${id}/report.${form}${query}`);
  return body;
}

/** The request of the run. Throws a `Failure` that names the option. */
export function orderOf(plan = 'complete', values: CheckValues): Order<'startRun'> {
  const modules = listOf(values.module);
  const all = modulesOf(plan as (typeof PLANS)[number]);
  for (const name of modules ?? [])
    if (!all.some(({ id }) => isNamed(id, [name])))
      throw wrongUsage(`--module: plan ${plan} has no module \`${name}\`. See robot-vasp check --list`);
  const { symbol, customers, driver, 'driver-token': token, unattended, clock, 'inquiry-wait': inquiryWait } = values;
  const order = {
    plan,
    symbols: symbol ? symbolsOf(values) : undefined,
    customers: customers ? fileAs(Customers, '--customers', customers) : undefined,
    driver: driver ? { url: driver, token: token || undefined } : undefined,
    unattended,
    modules,
    clock,
    // By hand in a terminal there is more time.
    wait: values.wait ?? (process.stdout.isTTY ? undefined : '10s'),
    inquiryWait,
  };
  return checked(RunRequest, order, 'the options') && (order as Order<'startRun'>);
}

/** Throws a `Failure` for an unknown name. */
const symbolsOf = ({ symbol }: CheckValues): readonly AssetSymbol[] =>
  listOf(symbol)?.map(each => choiceOf(each, ASSET_SYMBOLS)) ?? ASSET_SYMBOLS;

export const expectedFailures = (path: string | undefined): ExpectedFailures =>
  path === undefined ? [] : fileAs(ExpectedFailures, '--expected-failures', path);

const listOf = (text: string | undefined): string[] | undefined => text?.split(',').flatMap(each => each.trim() || []);

function fileAs<S extends z.ZodType>(schema: S, option: string, path: string): z.output<S> {
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

/** The modules, and their lines. */
export function listing() {
  const { modules } = listPlans({ plan: 'complete' }).plans[0]!;
  const lines = modules.flatMap(({ id, title, needs, conditions }) => [
    `${id}  ${title}${needs.length === 0 ? '' : ` (needs ${needs.join(', ')})`}`,
    ...conditions.map(
      each =>
        `  ${each.id.padEnd(20)} ${each.clause.padEnd(11)} ${each.severity === 'WARNING' ? 'warning: ' : ''}${each.text}`,
    ),
  ]);
  return { modules, text: lines.join('\n') };
}

/** A running sandbox by --url, or one of its own in memory, with at least the ledgers of --symbol. */
export async function openSandbox(values: CheckValues): Promise<{ api: Client; close(): Promise<void> }> {
  if (values.url) return { api: connect({ url: values.url, 'api-key': values['api-key'] }), close: async () => {} };
  const { serve } = await import('../../main.ts');
  const { env, places } = withEnvFile(process.env, values['env-file']);
  const own = { PORT: String(portOf(values.port)), DATABASE_PATH: ':memory:' };
  const config = loadConfig({ LOG_LEVEL: 'error', ...env, ...own }, undefined, places);
  const running = await serve(config).catch(
    cannotListen({ port: '--port', host: 'HOST', or: ', or --url to the sandbox that runs there' }),
  );
  await running.ready(symbolsOf(values)).catch(async (error: Error) => {
    await running.stop();
    throw new Failure(3, 'NOT-READY', error.message);
  });
  return { api: client(running.url, { send: request => running.app.fetch(request) }), close: running.stop };
}

export const reportSchema = () => z.toJSONSchema(RunReport);
