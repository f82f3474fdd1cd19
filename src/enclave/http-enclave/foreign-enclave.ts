import * as z from 'zod';
import { type EnclaveOperation, ErrorBody, OPERATIONS, type RefusalKind } from '../../contract/errors.ts';
import { parse, parseJsonObject } from '../../contract/parse.ts';
import { Refusal, refusals } from '../../contract/refusals.ts';
import { VerificationResult } from '../../contract/verification.ts';
import type { Call } from '../../http/endpoint.ts';
import type { Registration } from '../../vasps/http-client.ts';
import { type CallRecording, recordedCalls } from '../../vasps/http-client.ts';
import { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import { enclaveCalls } from '../calls.ts';

/** The members that the robot needs. Enclaves differ in the rest. */
const Verification = z.object({
  ...z.object(VerificationResult.shape).partial().shape,
  ...z.object(VerificationResult.shape).pick({ originatingVaspId: true, beneficiaryVaspId: true }).shape,
});
export type ForeignVerification = z.output<typeof Verification>;

/** REF-4: the operations with their answers. What the robot reads of its verifications stands in its own copies. */
export const API = {
  'list-vasps': enclaveCalls.vasps,
  'verify-account': enclaveCalls.verifyAccount,
  'verify-user': enclaveCalls.verifyUser,
  'get-verification': { ...enclaveCalls.verification, response: Verification },
  'report-transaction': enclaveCalls.reportTransaction,
  'report-error': enclaveCalls.reportError,
  'inquire-transaction': enclaveCalls.inquireTransaction,
  'assess-sanction': enclaveCalls.assessSanction,
  'assess-kyt': enclaveCalls.assessKyt,
  'assess-wco': enclaveCalls.assessWco,
} as const satisfies { readonly [O in EnclaveOperation]?: Call };
type Called = keyof typeof API;

/** The enclave of somebody else, which the robot calls as its VASP. */
export type ForeignEnclave = ReturnType<typeof foreignEnclave>;

/** `vaspId`: the VASP among whose exchanges the call is kept. */
export interface About {
  vaspId: string;
  verificationUuid: string | null;
}

/** It may ask the other VASP before it answers. */
const TIMEOUT_MS = 15_000;

export function foreignEnclave(base: string, authorization: Registration['authorization'], recording: CallRecording) {
  const calls = recordedCalls(authorization, recording, 'enclave');
  const urlOf = (operation: Called) => `${base.replace(/\/+$/, '')}${API[operation].path}`;
  return {
    urlOf,
    close: calls.close,
    /**
     * `request`: the query of a GET; otherwise the body, or its JSON. Throws the `Refusal` of the enclave where its code is known for the operation, otherwise
     * `Refusal` no-answer with what happened.
     */
    async call<O extends Called>(
      operation: O,
      about: About,
      request?: object | string,
    ): Promise<z.output<(typeof API)[O]['response']>> {
      const { method, response } = API[operation];
      const path = urlOf(operation).replace(':uuid', about.verificationUuid ?? '');
      const isQuery = method === 'GET' && request !== undefined;
      const url = isQuery ? `${path}?${new URLSearchParams({ ...(request as object) })}` : path;
      const body = isQuery || !request ? {} : { body: typeof request === 'string' ? request : JSON.stringify(request) };
      const call = { ...about, operation, method, url, ...body, timeoutMs: TIMEOUT_MS };
      const received = await calls.send(call).catch(error => {
        if (!(error instanceof NoAnswer || error instanceof BadAnswer)) throw error;
        throw refusals.enclaveFailed(error.message);
      });
      if (received.status !== 200) throw refusalOf(operation, received);
      return answerOf(response, received.body) as never;
    },
  };
}

function answerOf(schema: z.ZodType, body: string): unknown {
  try {
    return parse(schema, parseJsonObject(body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusals.enclaveFailed(`The answer of the enclave is not valid: ${error.message}`);
  }
}

/** REF-7. An invalid request is refused again; all that is not of the operation may pass. */
function refusalOf(operation: EnclaveOperation, { status, body }: { status: number; body: string }): Refusal {
  const { code, message } = errorOf(body);
  const known = Object.entries(OPERATIONS[operation]).find(([, row]) => row.code === code);
  if (known) return new Refusal(known[0] as RefusalKind, message);
  if (status === 400) return new Refusal('invalid-field', `The enclave refuses the request: ${code} ${message}`);
  const hint = status === 401 || status === 403 ? ' Check ENCLAVE_KEY.' : '';
  return refusals.enclaveFailed(`The enclave answered with status ${status}: ${code} ${message}${hint}`);
}

function errorOf(body: string): ErrorBody {
  try {
    return parse(ErrorBody, parseJsonObject(body));
  } catch {
    return { code: 'no error object', message: '' };
  }
}
