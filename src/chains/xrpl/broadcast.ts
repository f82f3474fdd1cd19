import type { Broadcast, Rejection } from '../broadcast.ts';
import { ChainUnreachable } from '../port.ts';
import type { XrplConnection } from './connection.ts';
import { XrplRefusal } from './session.ts';

interface Submitted {
  engine_result: string;
  engine_result_message: string;
}
type Meaning = 'accepted' | 'already-known' | 'unclear' | { final: boolean; reason: Rejection };

/** Every answer is provisional. The first matching row counts; a code without a row is `unclear`. */
const RESULT_CODES: readonly [RegExp, Meaning][] = [
  // A tec costs the fee and the Sequence when it is validated, and may still become a success.
  [/^(tesSUCCESS|terQUEUED|terPRE_SEQ|tec.*)$/, 'accepted'],
  [/^(tefPAST_SEQ|tefALREADY|tefNO_TICKET)$/, 'already-known'],
  [/^tefMAX_LEDGER$/, { final: false, reason: 'expired' }],
  [/^(telINSUF_FEE_P|telCAN_NOT_QUEUE.*)$/, { final: false, reason: 'fee-too-low' }],
  [/^(terINSUF_FEE_B|terNO_ACCOUNT)$/, { final: false, reason: 'funds' }],
  [/^tem/, { final: true, reason: 'malformed' }],
  [/^(tef|tel.*NETWORK)/, { final: false, reason: 'refused' }],
];

export async function broadcastXrpl(connection: XrplConnection, bytes: string): Promise<Broadcast> {
  try {
    const answer = await connection.request<Submitted>('submit', { tx_blob: bytes }, ['invalidTransaction']);
    return classify(answer.engine_result, answer.engine_result_message);
  } catch (error) {
    if (error instanceof XrplRefusal)
      return {
        status: 'rejected',
        final: true,
        reason: 'malformed',
        code: error.data.error,
        text: error.message,
      };
    if (error instanceof ChainUnreachable) return { status: 'unclear', code: '', text: error.message };
    throw error;
  }
}

function classify(code: string, text: string): Broadcast {
  const meaning = RESULT_CODES.find(([codes]) => codes.test(code))?.[1] ?? 'unclear';
  if (typeof meaning === 'string') return { status: meaning, code, text };
  return { status: 'rejected', ...meaning, code, text };
}
