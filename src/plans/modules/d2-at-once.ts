import { planModule } from '../module.ts';
import { noAddress, pair } from '../steps/answers.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { robotVerifies } from '../steps/robot-asks.ts';
import { STRANGER } from './d1-account-answers.ts';

const AT_ONCE = 4;
const OF_OTHERS = { customer: 'DENIED / MISMATCHED-NAME', stranger: 'VERIFIED / OK' } as const;

/** A VASP that keeps the question outside of its call answers another one. One that is too slow for them is judged elsewhere. */
export const questionsAtOnce = planModule({
  id: 'D2.o',
  paysNothing: true,
  plan: 'deposit',
  title: `${AT_ONCE} user verifications at once, every other one with another name`,
  clauses: ['WIRE-3.2'],
  needs: ['customer'],
  conditions: { own: { clause: 'WIRE-3.2', text: 'None of them gets the result of another one.' } },
  async run(ctx) {
    if (ctx.world.target.url('verifyUser') === undefined) ctx.skip(noAddress('verifyUser'));
    const customer = ctx.customer();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const who = index % 2 === 0 ? 'customer' : 'stranger';
        const persons = who === 'stranger' ? { persons: [STRANGER] } : {};
        const amount = ctx.amountOf(index + 1);
        const { uuid, exchange } = await robotVerifies(ctx, depositRequest(ctx, { customer, amount, ...persons }));
        const { result, reason } = await ctx.api.verification(uuid);
        return { who, got: pair(result ?? 'no result', reason), exchange } as const;
      }),
    );
    const wrong = answers.find(({ who, got }) => got === OF_OTHERS[who]);
    ctx.check('own', wrong === undefined, {
      expected: `not ${wrong?.got ?? 'the result of another one'}`,
      got: wrong ? `${wrong.got} for the ${wrong.who}` : 'none',
      from: wrong?.exchange ? [wrong.exchange] : [],
    });
  },
});
