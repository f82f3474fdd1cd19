import * as z from 'zod';
import { named } from './named.ts';
import { clause, PlanName, PlanSymbol, severity } from './plans.ts';

export const PlansResponse = named('PlansResponse', 'Every plan with its modules and conditions.', {
  plans: z.array(
    z.object({
      plan: PlanName,
      modules: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          clauses: z.array(clause),
          symbols: z.array(PlanSymbol).describe('Empty: the module runs once.'),
          needs: z.array(z.string()),
          conditions: z.array(z.object({ id: z.string(), clause, severity, text: z.string() })),
        }),
      ),
    }),
  ),
});
