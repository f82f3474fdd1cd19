import type { SandboxAnswers } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Fold } from '../components/fold.tsx';
import { VerificationLink } from '../components/verification-link.tsx';

type Attention = SandboxAnswers['health']['attention'][number];
type What = Attention['what'];

interface Kind {
  title: string;
  advice: string;
  /** The page where the reader can fix it. */
  href: string;
  page: string;
}

const CHAINS = { href: '/console/chains', page: 'Chains' };
const MONEY = { href: '/console/money', page: 'Money' };
const MY_VASP = { href: '/console/settings', page: 'My VASP' };

const KINDS: Record<What, Kind> = {
  chain: { title: 'Chain cannot be read', advice: 'Start its node again, or resume the chain.', ...CHAINS },
  'low-funds': { title: 'The robot lacks funds', advice: 'Send what is missing to the treasury.', ...CHAINS },
  'payment-unexplained': {
    title: 'Payment of an unknown transfer',
    advice: 'Read what happened before you pay again.',
    ...CHAINS,
  },
  'transfer-waiting': {
    title: 'Transfer waits',
    advice: 'Remove the cause. The transfer then goes on by itself.',
    ...MONEY,
  },
  'callback-given-up': {
    title: 'Callback given up',
    advice: 'Make your callback endpoint answer 200, then replay.',
    href: '/console/callbacks?status=GIVEN-UP',
    page: 'Callbacks',
  },
  'callback-failing': {
    title: 'Callback fails',
    advice: 'Make your callback endpoint answer 200. The next attempt comes by itself.',
    href: '/console/callbacks?status=PENDING',
    page: 'Callbacks',
  },
  'timer-failing': {
    title: 'Timer fails',
    advice: 'Read the error. The timer is tried again.',
    href: '/console/timers',
    page: 'Time',
  },
  'report-not-credited': {
    title: 'Reported transaction not credited',
    advice: 'Compare expected and got, and report the right transaction.',
    href: '/console/verifications',
    page: 'Verifications',
  },
  'deposit-ambiguous': {
    title: 'Deposit fits several verifications',
    advice: 'Report the hash for one of them.',
    ...MONEY,
  },
  'deposit-unattributed': {
    title: 'Deposit belongs to no verification',
    advice: 'Verify before you pay, and report the hash.',
    ...MONEY,
  },
  'credit-taken-back': {
    title: 'Credit taken back',
    advice: 'Nothing: it is credited again when a block holds the transaction again.',
    ...MONEY,
  },
  'money-unexplained': {
    title: 'Money without a transaction',
    advice: 'Report the hash of the transaction that paid it.',
    ...MONEY,
  },
  'endpoint-missing': {
    title: 'Endpoint not configured',
    advice: 'Enter its address, or use our VASP.',
    ...MY_VASP,
  },
  'endpoint-down': {
    title: 'Your VASP does not answer',
    advice: 'Call your endpoints: the check names the cause.',
    ...MY_VASP,
  },
  'fault-active': {
    title: 'Fault active',
    advice: 'Remove it when you do not test with it.',
    href: '/console/faults',
    page: 'Faults',
  },
};

/** One line for each kind, in the order of urgency. The details fold. */
export const AttentionList = ({ of }: { of: readonly Attention[] }) => {
  const kinds = [...new Set(of.map(({ what }) => what))];
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {of.length === 0 ? (
        <p class="calm">Nothing at the moment.</p>
      ) : (
        <ul class="attentions">
          {kinds.map(what => (
            <Line what={what} items={of.filter(each => each.what === what)} />
          ))}
        </ul>
      )}
    </section>
  );
};

const Line = ({ what, items }: { what: What; items: readonly Attention[] }) => {
  const { title, advice, href, page } = KINDS[what];
  return (
    <li class="attention">
      <div class="row">
        <strong>{items.length === 1 ? title : `${title} × ${items.length}`}</strong>
        <span>{advice}</span>
        <a href={href}>{page}</a>
        {what === 'callback-given-up' ? (
          <ActionForm to="/console/callbacks/replay-all" label="Replay all" />
        ) : null}
      </div>
      <Fold id={`why-${what}`} summary="Why" isOpen={items.length === 1}>
        <ul>
          {items.map(({ text, verificationUuid }) => (
            <li>
              {text} {verificationUuid === undefined ? null : <VerificationLink uuid={verificationUuid} />}
            </li>
          ))}
        </ul>
      </Fold>
    </li>
  );
};
