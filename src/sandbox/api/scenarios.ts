import * as z from 'zod';

/** `/scenarios` */

export const ScenarioEntry = z
  .object({
    id: z.string(),
    operation: z.string().describe('The operation, or what a behaviour affects.'),
    user: z.string().describe('Id of the user of the robot.'),
    how: z.string(),
    clause: z.string().optional(),
    path: z.string().optional().describe('Where the request goes.'),
    requests: z.object({ ETH: z.looseObject({}), XRP: z.looseObject({}) }).optional(),
    advance: z.string().optional().describe('How far the clock has to be moved for the outcome.'),
    fault: z.looseObject({}).optional().describe('To be ordered first: the body of PUT /sandbox/v1/faults.'),
    expect: z.looseObject({}).optional().describe('What the answer or the callback holds then.'),
  })
  .meta({ id: 'ScenarioEntry' });
export const ScenariosResponse = z.object({ scenarios: z.array(ScenarioEntry) }).meta({
  id: 'ScenariosResponse',
  description: 'Everything that can be provoked, with the input that does it.',
});
