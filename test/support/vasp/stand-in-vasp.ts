import { EventEmitter, once } from 'node:events';
import type { Callback } from '../../../src/contract/callbacks.ts';
import type { VaspVerifyUserRequest } from '../../../src/contract/vasp-api.ts';
import type { TransactionStatus, TransactionStatusResult } from '../../../src/contract/verification.ts';
import { systemClock, toIso } from '../../../src/kernel/clock.ts';
import { BadAnswer, type Vasp } from '../../../src/vasps/port.ts';

/** A minimal tested VASP: verifies everybody, collects callbacks, and answers status queries. */
export interface StandInVasp extends Vasp {
  readonly callbacks: readonly Callback[];
  /** Resolves with the data of this callback as soon as it has arrived. */
  callbackOf<T extends Callback['callbackType']>(
    uuid: string,
    type: T,
  ): Promise<Extract<Callback, { callbackType: T }>['data']>;
  /** Sets the answer to status queries of this verification. */
  setStatus(uuid: string, transactionStatus: TransactionStatus, txHash?: string): void;
}

export function standInVasp(): StandInVasp {
  const callbacks: Callback[] = [];
  const statuses = new Map<string, TransactionStatusResult>();
  const arrivals = new EventEmitter();
  return {
    callbacks,
    async callbackOf(uuid, type) {
      for (;;) {
        const found = callbacks.find(each => each.callbackType === type && each.data.verificationUuid === uuid);
        if (found) return found.data as never;
        await once(arrivals, 'callback');
      }
    },
    setStatus: (verificationUuid, transactionStatus, txHash) =>
      void statuses.set(verificationUuid, {
        verificationUuid,
        transactionStatus,
        ...(txHash === undefined ? {} : { txHash }),
      }),
    verifyAccount: async () => ({ accountVerificationResult: 'VERIFIED', verifiedAt: toIso(systemClock.now()) }),
    verifyUser: async request => verified(request),
    async transactionStatus({ verificationUuid }) {
      const status = statuses.get(verificationUuid);
      if (!status) throw new BadAnswer(`There is no transaction for ${verificationUuid}.`);
      return status;
    },
    async callback(callback) {
      callbacks.push(callback);
      arrivals.emit('callback');
      return { status: 200, body: JSON.stringify({ result: true }) };
    },
  };
}

const verified = ({ version, ivms101 }: VaspVerifyUserRequest) => ({
  result: 'VERIFIED' as const,
  reason: 'OK' as const,
  message: '',
  version,
  ivms101: { beneficiary: ivms101.beneficiary },
});
