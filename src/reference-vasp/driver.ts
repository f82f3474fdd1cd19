import { ASSETS, isAssetSymbol } from '../contract/assets.ts';
import type { DriverAction, DriverParameters } from '../contract/customers.ts';
import { parse } from '../contract/parse.ts';
import { formatUnits } from '../kernel/decimal.ts';
import type { VaspDeps } from './deps.ts';
import * as books from './store.ts';
import { type Goal, Order, withdraw } from './withdrawals.ts';

/** The beginning of each action. The answer of `balance` has a value. Throws `Refusal` when a parameter is missing. */
export const ACTIONS: Record<DriverAction, (deps: VaspDeps, parameters: DriverParameters) => { value?: string }> = {
  'verify-account': (deps, parameters) => begin(deps, 'account', parameters),
  'verify-user': (deps, parameters) => begin(deps, 'user', parameters),
  withdraw: (deps, parameters) => begin(deps, 'report', parameters),
  'send-without-report': (deps, parameters) => begin(deps, 'no-report', parameters),
  'report-error': (deps, parameters) => begin(deps, 'error', parameters),
  assess: (deps, { verificationUuid = '', kinds = [] }) => {
    const assessments = {
      sanction: deps.enclave.assessSanction,
      kyt: deps.enclave.assessKyt,
      wco: deps.enclave.assessWco,
    };
    for (const kind of kinds) later(deps, kind, assessments[kind]({ verificationUuid }));
    return {};
  },
  'list-vasps': deps => {
    later(deps, 'list-vasps', deps.enclave.vasps());
    return {};
  },
  balance: ({ store, customers }, { symbol = '', customer }) => {
    const id = customer?.id ?? customers.customers[0]!.id;
    return {
      value: isAssetSymbol(symbol) ? formatUnits(books.balance(store, id, symbol), ASSETS[symbol].decimals) : '0',
    };
  },
};

/** Without a customer: the first one pays. */
function begin(deps: VaspDeps, goal: Goal, parameters: DriverParameters): { value?: string } {
  const [customer] = deps.customers.customers;
  withdraw(deps, parse(Order, { customer, ...parameters, goal }));
  return {};
}

/** A refusal is an answer too: the run looks at it. */
function later({ log }: VaspDeps, what: string, call: Promise<unknown>): void {
  call.catch(err => log.info({ err, what }, 'refused'));
}
