import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import type { SandboxDeps } from '../deps.ts';
import { addFault, listFaults } from './active.ts';
import { faultCalls } from './schema.ts';

/** `/sandbox/v1/faults`: a VASP orders faults for itself. */
export const faultEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(faultCalls.faults, {
    summary: 'List the active faults of this VASP, the chain controls that are on, and every fault that can be ordered',
    run: (_, caller) => listFaults(deps, caller),
  }),
  control(faultCalls.addFault, {
    summary: 'Order a fault; it replaces one of the same target, verification and mode',
    refusals: ['verification-missing'],
    conditionallyRequired: ['delay', 'status'],
    examples: {
      'two callbacks': {
        summary: 'The next two callbacks are answered with 503, then they succeed',
        body: { target: 'callback', mode: 'status', status: 503, times: 2 },
      },
      'a late answer': {
        summary: 'The robot answers the next user verification too late: REQUEST-TIMEOUT',
        body: { target: 'robot.verifyUser', mode: 'delay', delay: '6s', times: 1 },
      },
      'an answer that is lost': {
        summary: 'The connection of your next call breaks off before the answer; the call still takes effect',
        body: { target: 'answer', mode: 'drop', times: 1 },
      },
    },
    run: ({ body }, caller) => addFault(deps, body, caller),
  }),
  control(faultCalls.removeFaults, {
    summary: 'Remove every fault of this VASP',
    run: (_, caller) => removeFaults(deps, caller),
  }),
  control(faultCalls.removeFault, {
    summary: 'Remove one fault',
    refusals: ['not-found'],
    precondition: 'fault-ordered',
    run: ({ params }, caller) => removeFault(deps, params.id, caller),
  }),
];

function removeFault(deps: SandboxDeps, id: string, caller: CallerId) {
  if (!/^\d{1,15}$/.test(id) || !deps.faults.remove(caller, Number(id)))
    throw refusals.notFound(`Fault(${id.slice(0, 64)})`);
  return { removed: 1 };
}

function removeFaults(deps: SandboxDeps, caller: CallerId) {
  const removed = deps.faults.active(caller).length;
  write(deps.db, tx => deps.faults.removeOf(tx, caller));
  return { removed };
}
