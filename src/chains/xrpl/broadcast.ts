import { type Broadcast, broadcastOf, type Meaning } from '../payments.ts';
import { ChainUnreachable } from '../port.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';

interface Submitted {
  engine_result: string;
  engine_result_message: string;
}

/** Every answer is provisional. The first matching row counts; a code without a row is `unclear`. */
const RESULT_CODES: readonly [RegExp, Meaning][] = [
  // A tec costs the fee and the Sequence when it is validated, and may still become a success.
  [/^(tesSUCCESS|terQUEUED|terPRE_SEQ|tec.*)$/, 'accepted'],
  [/^(tefPAST_SEQ|tefALREADY|tefNO_TICKET)$/, 'already-known'],
  [/^tefMAX_LEDGER$/, { final: false, reason: 'expired' }],
  [/^(telINSUF_FEE_P|telCAN_NOT_QUEUE_FEE)$/, { final: false, reason: 'fee-too-low' }],
  // A higher fee makes no room.
  [/^telCAN_NOT_QUEUE/, { final: false, reason: 'busy' }],
  [/^(terINSUF_FEE_B|terNO_ACCOUNT)$/, { final: false, reason: 'funds' }],
  [/^tem/, { final: true, reason: 'malformed' }],
  [/^(tef|tel.*NETWORK)/, { final: false, reason: 'refused' }],
];

export async function broadcastXrpl(connection: XrplConnection, bytes: string): Promise<Broadcast> {
  try {
    const answer = await connection.request<Submitted>('submit', { tx_blob: bytes }, ['invalidTransaction']);
    const { engine_result: code, engine_result_message: text } = answer;
    return broadcastOf(RESULT_CODES.find(([codes]) => codes.test(code))?.[1] ?? 'unclear', code, text);
  } catch (error) {
    if (error instanceof XrplRefusal)
      return broadcastOf({ final: true, reason: 'malformed' }, error.data.error, error.message);
    if (error instanceof ChainUnreachable) return broadcastOf('unclear', '', error.message);
    throw error;
  }
}
