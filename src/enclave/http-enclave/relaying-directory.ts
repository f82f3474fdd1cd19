import type { Callback, CallbackType } from '../../contract/callbacks.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { Directory } from '../../vasps/directory.ts';
import { BadAnswer, type CallbackReply, type Delivery, TAKEN, type Vasp } from '../../vasps/port.ts';
import type { ForeignEnclave, ForeignVerification } from './foreign-enclave.ts';

/** Every VASP but the residents is reached by the enclave that leads: what goes to the VASP is a call of that enclave. */
export const relayingDirectory = (residents: ReadonlyMap<string, Vasp>, foreign: ForeignEnclave): Directory => ({
  isResident: vaspId => residents.has(vaspId),
  find: vaspId => residents.get(vaspId) ?? relayed(foreign, vaspId),
  callbackUrl: (_, type) => foreign.urlOf(REPORTS[type] ?? 'get-verification'),
  connect: () => undefined,
  close: foreign.close,
});

const REPORTS: Partial<Record<CallbackType, 'report-transaction' | 'report-error'>> = {
  TX_REPORT: 'report-transaction',
  ERROR_REPORT: 'report-error',
};

const relayed = (foreign: ForeignEnclave, vaspId: string): Vasp => ({
  verifyAccount: () => Promise.reject(onlyByEnclave()),
  verifyUser: () => Promise.reject(onlyByEnclave()),
  transactionStatus: ({ verificationUuid }) =>
    foreign
      .call('inquire-transaction', { vaspId, verificationUuid }, { verificationUuid })
      .catch(error => Promise.reject(isRefused(error) ? error : new BadAnswer(error.message))),
  callback: (callback, delivery) => report(foreign, vaspId, callback, delivery),
});

const onlyByEnclave = () => new BadAnswer('The enclave that leads asks this VASP.');

/**
 * A report of the robot. WIRE-2.7 does not say what a repeated one does, so the enclave is asked first whether it has it:
 * the answer to an earlier attempt may have been lost.
 */
async function report(
  foreign: ForeignEnclave,
  vaspId: string,
  callback: Callback,
  { changeBody = body => body, onSend }: Delivery = {},
): Promise<CallbackReply> {
  const operation = REPORTS[callback.callbackType];
  if (!operation) return TAKEN;
  const about = { vaspId, verificationUuid: callback.data.verificationUuid };
  try {
    const verification = await foreign.call('get-verification', about);
    if (isReported(callback, verification)) return TAKEN;
    const body = changeBody(JSON.stringify(callback.data));
    onSend?.(body);
    await foreign.call(operation, about, body);
    return TAKEN;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!isRefused(error)) throw new BadAnswer(error.message);
    return { status: 400, body: '', refusal: `The enclave refuses the report: ${error.message}` };
  }
}

function isReported({ callbackType, data }: Callback, there: ForeignVerification): boolean {
  if (callbackType === 'TX_REPORT') return there.txHash === data.txHash && (there.vout ?? null) === (data.vout ?? null);
  return callbackType === 'ERROR_REPORT' && there.result === 'ERROR' && there.reason === data.reason;
}

/** Not where the enclave could not be reached, or could not read the request: that may pass. */
const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.kind !== 'no-answer' && error.kind !== 'invalid-field';
