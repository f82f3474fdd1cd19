import type { Any } from './judge.ts';
import type { Is } from './wrongs.ts';

const KNOWN_REASONS =
  /^(UNKNOWN-(SYMBOL|NETWORK|ADDRESS)|(LACK-OF|UNAVAILABLE)-INFORMATION|BLACKLISTED|UNVERIFIED-KYC|MISMATCHED-NAME|NOT-ALLOWED|UNDEFINED-ERROR|BENEFICIARY-ACCOUNT-NOT-MATCHED|REQUEST-TIMEOUT)$/;

/** Of REF-2.3. */
const isKnown = (reason: string) => KNOWN_REASONS.test(reason);

/** Whether the independent VASP pays after a result, and what a result is to it. */
export function deciding(is: Is) {
  function mayPay({ verificationResult: result, reason, message }: Any): boolean {
    if (result === 'VERIFIED') return true;
    if (is(`pays after ${result as 'ERROR'}`) || is(`pays after ${reason as 'BLACKLISTED'}`)) return true;
    if (is('pays after an empty message') && !message) return true;
    return is('pays after a reason that it does not know') && !isKnown(reason);
  }

  const isResult = ({ status }: Any) =>
    status === 'PROCESSED' ||
    is('takes REGISTERED for a result') ||
    (is('takes an unknown status for a result') && status !== 'REGISTERED');

  return { mayPay, isResult };
}
