import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import type { CALLS } from '../../contract/calls.ts';
import { VASP_ID } from '../../contract/text.ts';

interface ParameterRow {
  readonly description: string;
  readonly example: string;
  /** Members of its JSON schema. */
  readonly shape: Readonly<Record<string, unknown>>;
}

/** Nothing has a longer name. */
const LONGEST = { maxLength: 128 };

/** A path parameter means the same in every path. One that is missing here does not compile. */
export const PATH_PARAMETERS = {
  uuid: { description: 'Verification request ID.', example: '8557f2b2-985e-431f-8d52-75c2e5a01e46', shape: LONGEST },
  vaspId: { description: 'Identifier of a VASP.', example: '15952089931162060684', shape: { pattern: VASP_ID.source } },
  id: { description: 'Identifier, as the list shows it.', example: '1', shape: LONGEST },
  userId: {
    description: 'Identifier of a user of the robot.',
    example: 'ethan-cook',
    shape: { maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  },
  symbol: { description: 'ETH or XRP.', example: 'ETH', shape: { enum: ASSET_SYMBOLS } },
  request: { description: 'The operation that the request is for.', example: 'verify-user', shape: LONGEST },
  control: { description: 'The action on the chain.', example: 'mine', shape: LONGEST },
} as const satisfies Record<PathParameter, ParameterRow>;

export type PathParameter = ParametersIn<(typeof CALLS)[keyof typeof CALLS]>;

export type ParametersIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export const parametersIn = (path: string): PathParameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as PathParameter);
