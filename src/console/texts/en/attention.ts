import type { Answers } from '../../../client/answers.ts';

type What = Answers['health']['attention'][number]['what'];

/** English texts of each kind of attention. */
export const attention: Record<What, { title: string; advice: string }> = {
  chain: { title: 'Chain cannot be read', advice: 'Start its node again, or resume the chain.' },
  'chain-large': { title: 'Embedded chain is large', advice: 'Let it start over when no test runs.' },
  'low-funds': { title: 'The robot lacks funds', advice: 'Send what is missing to the treasury.' },
  'payment-unexplained': {
    title: 'Payment of an unknown transfer',
    advice: 'Read what happened before you pay again.',
  },
  'transfer-waiting': {
    title: 'Transfer waits',
    advice: 'Remove the cause. The transfer then goes on by itself.',
  },
  'callback-given-up': {
    title: 'Callback given up',
    advice: 'Make your callback endpoint answer 200, then replay.',
  },
  'callback-failing': {
    title: 'Callback fails',
    advice: 'The last error says why. The next attempt comes by itself.',
  },
  'timer-failing': { title: 'Timer fails', advice: 'Read the error. The timer is tried again.' },
  'report-not-credited': {
    title: 'Reported transaction not credited',
    advice: 'Compare expected and got, and report the right transaction.',
  },
  'deposit-ambiguous': {
    title: 'Deposit fits several verifications',
    advice: 'Report the hash for one of them.',
  },
  'deposit-unattributed': {
    title: 'Deposit belongs to no verification',
    advice: 'Verify before you pay, and report the hash.',
  },
  'credit-taken-back': {
    title: 'Credit taken back',
    advice: 'Nothing: it is credited again when a block holds the transaction again.',
  },
  'money-unexplained': {
    title: 'Money without a transaction',
    advice: 'Report the hash of the transaction that paid it.',
  },
  'endpoint-missing': {
    title: 'Endpoint not configured',
    advice: 'Enter its address.',
  },
  'endpoint-down': {
    title: 'Your VASP does not answer',
    advice: 'Call your endpoints: the check names the cause.',
  },
  'fault-active': { title: 'Fault active', advice: 'Remove it when you do not test with it.' },
};
