interface PathParameter {
  description: string;
  example: string;
}

/** By name: they mean the same wherever they stand. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  uuid: { description: 'Verification request ID.', example: '8557f2b2-985e-431f-8d52-75c2e5a01e46' },
  vaspId: { description: 'Identifier of a VASP.', example: '15952089931162060684' },
  id: { description: 'As the list names it.', example: '1' },
  symbol: { description: 'ETH or XRP.', example: 'ETH' },
  request: { description: 'The operation that the request is for.', example: 'verify-user' },
  knob: { description: 'What is done to the chain.', example: 'mine' },
};
