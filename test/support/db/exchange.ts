import type { Exchange } from '../../../src/http/exchange.ts';

/** A valid exchange of a VASP, without a verification. */
export const exchange = (vaspId: string): Exchange => ({
  vaspId,
  direction: 'IN',
  operation: 'get-verification',
  method: 'GET',
  url: '/v1/verifications',
  verificationUuid: null,
  request: null,
  status: 200,
  response: '{}',
  headers: {},
  responseHeaders: {},
  error: null,
  durationMs: 1,
  isCheck: false,
  isRepeated: false,
  at: 0,
  afterHistory: 0,
});
