import { planModule } from '../module.ts';
import { awaitCall, order } from '../steps/driver-acts.ts';

export const listOfVasps = planModule({
  id: 'W1',
  plan: 'withdrawal',
  title: 'The VASP finds the robot in the list of VASPs',
  clauses: ['WIRE-2.2'],
  needs: ['driver'],
  symbols: [],
  alone: true,
  conditions: {
    asked: { clause: 'WIRE-2.2', text: 'The VASP asks for the list of VASPs.' },
    'before-first': {
      clause: 'WIRE-2.2',
      severity: 'WARNING',
      text: 'It asks before its first verification of this run.',
    },
  },
  async run(ctx) {
    const acting = await order(ctx, {
      action: 'list-vasps',
      parameters: {},
      instruction: 'Ask for the list of VASPs (GET /v1/vasps).',
    });
    const call = await awaitCall(ctx, 'asked', acting, {
      operation: 'list-vasps',
      differences: exchange => (exchange.status === 200 ? [] : undefined),
    });
    ctx.check('asked', true, { expected: 'GET /v1/vasps', got: 'asked', from: [call] });
    const earlier = ['verify-account', 'verify-user']
      .flatMap(operation => ctx.evidence.received(operation))
      .filter(({ id }) => id < call.id);
    ctx.check('before-first', earlier.length === 0, {
      expected: 'no verification before it',
      got: earlier.length === 0 ? 'none' : `${earlier.length} before it`,
      from: earlier,
    });
  },
});
