import type { SandboxAnswers } from '../../client/answers.ts';
import { VerificationLink } from '../components/verification-link.tsx';

type Attention = SandboxAnswers['health']['attention'][number];

/** The page where the reader can fix it. */
const PLACES: Record<Attention['what'], readonly [string, string]> = {
  chain: ['/console/chains', 'Chains'],
  'low-funds': ['/console/chains', 'Chains'],
  'payment-unexplained': ['/console/chains', 'Chains'],
  'transfer-waiting': ['/console/money', 'Money'],
  'callback-given-up': ['/console/callbacks?status=GIVEN-UP', 'Callbacks'],
  'callback-failing': ['/console/callbacks?status=PENDING', 'Callbacks'],
  'timer-failing': ['/console/timers', 'Time'],
  'report-not-credited': ['/console/verifications', 'Verifications'],
  'deposit-ambiguous': ['/console/money', 'Money'],
  'deposit-unattributed': ['/console/money', 'Money'],
  'credit-taken-back': ['/console/money', 'Money'],
  'money-unexplained': ['/console/money', 'Money'],
  'endpoint-missing': ['/console/settings', 'My VASP'],
  'endpoint-down': ['/console/settings', 'My VASP'],
  'fault-active': ['/console/faults', 'Faults'],
};

export const AttentionList = ({ of }: { of: readonly Attention[] }) => (
  <section aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    {of.length === 0 ? (
      <p class="calm">Nothing at the moment.</p>
    ) : (
      <ul class="attentions">
        {of.map(({ what, text, verificationUuid }) => (
          <li class="attention">
            {text} <a href={PLACES[what][0]}>{PLACES[what][1]}</a>
            {verificationUuid === undefined ? null : (
              <>
                {' '}
                <VerificationLink uuid={verificationUuid} />
              </>
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
);
