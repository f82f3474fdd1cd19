import { Refused } from '../client/client.ts';

/** What a call answers, or `none` where another process has it: this one is only the enclave, or only the robot. */
export const orNotServed = <T, N>(answer: Promise<T>, none: N): Promise<T | N> =>
  answer.catch(error => {
    if (error instanceof Refused && error.status === 404) return none;
    throw error;
  });
