import { maxHeaderSize } from 'node:http';
import type { AnswerProblem } from '../kernel/answer-body.ts';
import { CallFailure, type CallFailureCode, MAX_INTERIM_ANSWERS } from '../kernel/http-exchange.ts';
import { AddressNotAllowed } from './call-guard.ts';
import { HANDSHAKE_WAIT_MS } from './port.ts';

const failures = (peer: string): Readonly<Record<CallFailureCode, string>> => ({
  'CLOSED-WHILE-REUSED': `The ${peer} closed the kept-alive connection before it answered. The call is sent once more on a fresh one.`,
  'ANSWER-CUT-OFF': `The connection ended in the middle of the answer of the ${peer}.`,
  'INTERIM-ANSWERS': `The ${peer} sent more than ${MAX_INTERIM_ANSWERS} interim answers (status 1xx). What came after them was not read.`,
  'TINY-CHUNKS': `The ${peer} sent its answer in too many chunks of a few bytes.`,
  'PROTOCOL-SWITCHED': `The ${peer} answered with status 101, but the call did not ask for another protocol.`,
  'HANDSHAKE-FAILED-BEFORE': `The ${peer} was not called: its last TLS handshake failed less than ${HANDSHAKE_WAIT_MS / 1_000} seconds ago.`,
  'HANDSHAKE-TOO-LONG-BEFORE': `The ${peer} was not called: less than an hour ago the certificates of its server took too long to check.`,
});

/** The code of an error that a call throws, of Node or of our own. */
export const codeOf = (error: Error): string => (error as { code?: string }).code ?? error.name;

/** A sentence about a call without an answer. `limitMs`: its time limit. `peer`: `VASP`, or what else was called. */
export function failureText(error: Error, limitMs: number, peer = 'VASP'): string {
  if (error.name === 'TimeoutError') return `timeout of ${limitMs}ms exceeded`;
  if (error instanceof AddressNotAllowed) return error.message;
  if (error instanceof CallFailure) return failures(peer)[error.code];
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The answer of the ${peer} has more than ${maxHeaderSize / 1024} KiB of headers.`;
  if (code.startsWith('HPE_')) return `The answer of the ${peer} is not HTTP (${code}).`;
  return `The ${peer} could not be reached (${code}).`;
}

export const problemText = ({ text }: AnswerProblem, peer = 'VASP'): string => `The answer of the ${peer} ${text}.`;
