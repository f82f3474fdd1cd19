import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { planModule } from '../module.ts';
import { resultIn } from '../steps/answers.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { robotVerifies } from '../steps/robot-asks.ts';
import { tells, valuesOf } from '../steps/told-values.ts';

export const onlyWanted = planModule({
  id: 'D2.n',
  plan: 'deposit',
  title: 'User verification: only what was wanted is given, by value',
  clauses: ['WIRE-3.2', 'WIRE-5'],
  needs: ['customer'],
  since: '2026.12',
  conditions: {
    'account-only': {
      clause: 'WIRE-5',
      text: 'Where only ACCOUNT_NUMBER is wanted, the answer is VERIFIED and names nobody.',
    },
    'name-only': {
      clause: 'WIRE-5',
      text: 'Where the name is wanted, the answer is VERIFIED and tells no date and no place of birth.',
    },
  },
  async run(ctx) {
    const customer = ctx.customer();
    const { dateOfBirth = '', placeOfBirth = '' } = customer;
    await judge(ctx, 'account-only', { wanted: 'ACCOUNT_NUMBER', unwanted: valuesOf(customer) });
    const birth = [dateOfBirth, placeOfBirth].filter(text => text !== '');
    if (birth.length === 0) ctx.omit('name-only', 'Add date and place of birth to the customers file.');
    else await judge(ctx, 'name-only', { unwanted: birth });
  },
});

async function judge<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { wanted, unwanted }: { wanted?: string; unwanted: readonly string[] },
): Promise<void> {
  const order = { customer: ctx.customer(), ...(wanted === undefined ? {} : { wanted }) };
  const { exchange } = await robotVerifies(ctx, depositRequest(ctx, order));
  const answer = json(exchange?.response ?? null);
  const got = resultIn(exchange);
  const isTold = tells(answer, unwanted);
  ctx.check(word, got === 'VERIFIED / OK' && !isTold, {
    expected: 'VERIFIED / OK, and nothing that was not wanted',
    got: `${got}${isTold ? ', with data that nobody wanted' : ''}`,
    from: exchange ? [exchange] : [],
  });
}
