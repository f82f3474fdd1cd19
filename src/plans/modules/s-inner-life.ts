import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { call } from '../steps/raw-calls.ts';
import { tells, valuesOf } from '../steps/told-values.ts';
import { hasTrace } from '../steps/traces.ts';
import { otherToken, TOLD_TOKEN } from '../steps/wrong-tokens.ts';

const OPERATIONS = ['verifyAccount', 'verifyUser', 'transactionStatus', 'callback'] as const;

/** At the end of the run, over all answers of the VASP. */
export const innerLife = planModule({
  id: 'S8',
  plan: 'security',
  title: 'The answers tell nothing of the inside of the VASP',
  clauses: ['WIRE-3'],
  needs: [],
  symbols: [],
  conditions: {
    'no-trace': { clause: 'WIRE-3', text: 'No answer of this run has a stack trace or the path of a source file.' },
    'no-token': { clause: 'WIRE-3', text: 'No answer of this run to a wrong or missing token tells the right one.' },
    'no-person': {
      clause: 'WIRE-5',
      text: 'No status answer of this run, and no answer to a callback, tells of a customer.',
    },
  },
  async run(ctx) {
    const { token, url } = ctx.world.target;
    if (OPERATIONS.every(each => url(each) === undefined)) ctx.skip('No address is configured.');
    for (const operation of OPERATIONS) {
      await call(ctx, operation, '{"verificationUuid":');
      if (token !== undefined) await call(ctx, operation, '{}', { token: otherToken(token) });
    }
    ctx.memo = {};
    judge(ctx);
  },
  late: async ctx => judge(ctx),
});

/** They are about a payment, and need nobody. */
const IMPERSONAL = ['transactionStatus', 'callback'];

type Word = 'no-trace' | 'no-token' | 'no-person';

function judge(ctx: ModuleContext<Word>): void {
  const answers = ctx.ofRun.all().filter(({ direction, response }) => direction === 'OUT' && response !== null);
  const holds = (word: Word, what: string, has: (response: string, answer: LoggedExchange) => boolean) => {
    const from = answers.filter(each => has(each.response!, each)).slice(0, 1);
    const got = from.length === 0 ? 'none' : `${what} in an answer of ${from[0]!.operation}`;
    ctx.check(word, from.length === 0, { expected: `no answer with ${what}`, got, from });
  };
  holds('no-trace', 'a stack trace or a path', (response, { url }) => hasTrace(response, url));
  holds('no-token', 'the token in its body or a header', (response, { responseHeaders }) =>
    [response, ...Object.values(responseHeaders)].some(text => text.includes(TOLD_TOKEN)),
  );
  const customers = ctx.world.customers?.customers.map(valuesOf);
  if (!customers) return ctx.omit('no-person', 'It needs a customers file.');
  holds('no-person', 'the data of a customer', (response, { operation }) => {
    const isImpersonal = IMPERSONAL.includes(operation);
    return isImpersonal && customers.some(values => tells(json(response) ?? response, values));
  });
}
