import type { Answers } from '../../client/answers.ts';
import { ActionForm } from '../components/form.tsx';
import { Fold, InlineCode } from '../components/text.tsx';
import { VerificationLink } from '../components/values.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

type Attention = Answers['health']['attention'][number];
type What = Attention['what'];

/** The page where the reader can fix it. */
const PLACES: Record<What, { href: string; page: keyof Texts['pages'] }> = {
  chain: { href: '/console/chains', page: 'Chains' },
  'chain-large': { href: '/console/chains', page: 'Chains' },
  'low-funds': { href: '/console/chains', page: 'Chains' },
  'payment-unexplained': { href: '/console/chains', page: 'Chains' },
  'wallet-stopped': { href: '/console/chains', page: 'Chains' },
  'transfer-waiting': { href: '/console/money', page: 'Money' },
  'callback-given-up': { href: '/console/callbacks?status=GIVEN-UP', page: 'Callbacks' },
  'callback-failing': { href: '/console/callbacks?status=PENDING', page: 'Callbacks' },
  'timer-failing': { href: '/console/timers', page: 'Time' },
  'report-not-credited': { href: '/console/verifications', page: 'Verifications' },
  'deposit-ambiguous': { href: '/console/money', page: 'Money' },
  'deposit-unattributed': { href: '/console/money', page: 'Money' },
  'credit-taken-back': { href: '/console/money', page: 'Money' },
  'money-unexplained': { href: '/console/money', page: 'Money' },
  'endpoint-missing': { href: '/console/settings', page: 'My VASP' },
  'endpoint-down': { href: '/console/settings', page: 'My VASP' },
  'fault-active': { href: '/console/faults', page: 'Faults' },
};

interface AttentionList {
  of: readonly Attention[];
  /** False: the reader has none of the pages. */
  isLinked?: boolean;
}

/** One line for each kind, in the order of urgency. The details fold. */
export const AttentionList = ({ of, isLinked = true }: AttentionList) => {
  const texts = useTexts().overview;
  const kinds = [...new Set(of.map(({ what }) => what))];
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">{texts.attention}</h2>
      {of.length === 0 ? (
        <p class="calm">{texts.calm}</p>
      ) : (
        <ul class="attentions">
          {kinds.map(what => (
            <Line what={what} items={of.filter(each => each.what === what)} isLinked={isLinked} />
          ))}
        </ul>
      )}
    </section>
  );
};

interface Line {
  what: What;
  items: readonly Attention[];
  isLinked: boolean;
}

const Line = ({ what, items, isLinked }: Line) => {
  const { attention, overview, pages } = useTexts();
  const { title, advice } = attention[what];
  const { href, page } = PLACES[what];
  return (
    <li class="attention">
      <div class="row">
        <strong>{items.length === 1 ? title : `${title} × ${items.length}`}</strong>
        <span>{advice}</span>
        {isLinked ? <a href={href}>{pages[page]}</a> : null}
        {what === 'callback-given-up' ? (
          <ActionForm to="/console/callbacks/replay-all" label={overview.replayAll} />
        ) : null}
      </div>
      <Fold id={`why-${what}`} summary={overview.why} isOpen={items.length === 1}>
        <ul>
          {items.map(({ text, verificationUuid }) => (
            <li>
              <InlineCode text={text} />{' '}
              {verificationUuid === undefined ? null : <VerificationLink uuid={verificationUuid} />}
            </li>
          ))}
        </ul>
      </Fold>
    </li>
  );
};
