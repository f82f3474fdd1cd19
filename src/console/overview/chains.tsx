import type { Info, SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { durationText } from '../components/time.tsx';
import { useTexts } from '../texts/languages.ts';

type Health = SandboxAnswers['health'];
type Chain = Health['chains'][number];

interface Chains {
  health: Health;
  info: Info;
  /** Base of the embedded chains' addresses. */
  origin: string;
}

export const Chains = ({ health, info, origin }: Chains) => (
  <section aria-labelledby="chains">
    <h2 id="chains">{useTexts().overview.chains}</h2>
    <div class="cards">
      {health.chains.map(chain => {
        const { id, url } = info.chains.find(({ symbol }) => symbol === chain.symbol)!;
        return <Card of={chain} id={id} url={new URL(url, origin).href} />;
      })}
    </div>
  </section>
);

const Card = ({ of, id, url }: { of: Chain; id: number | null; url: string }) => {
  const texts = useTexts().overview;
  return (
    <article>
      <h3 class="row">
        {of.symbol} <Badge of={of.isRead ? 'UP' : 'DOWN'} />
      </h3>
      {of.why === null ? null : <p>{of.why}</p>}
      <DefinitionList
        of={[
          [texts.network, id === null ? of.network : texts.networkId(of.network, id)],
          [texts.newestBlock, <Head of={of} />],
          [texts.readUpTo, of.readUpTo ?? texts.nothingYet],
          [texts.address, <Copyable text={url} />],
          [texts.funds, of.funds.length === 0 ? undefined : <Funds of={of} />],
        ]}
      />
    </article>
  );
};

const Head = ({ of: { head, headAgeMs, isEmbedded } }: { of: Chain }) =>
  head === null ? (
    <Badge of={useTexts().exchange.noAnswer} tone="bad" />
  ) : (
    <>
      {head}{' '}
      {isEmbedded && head === 0 ? (
        <small>{useTexts().overview.fresh}</small>
      ) : headAgeMs === null ? null : (
        <small>{useTexts().overview.old(durationText(headAgeMs, useTexts().time))}</small>
      )}
    </>
  );

const Funds = ({ of: { funds, symbol } }: { of: Chain }) => (
  <ul>
    {funds.map(({ address, balance, isLow }) => (
      <li>
        {balance} {symbol} {isLow ? <Badge of="LOW" tone="bad" /> : null} <Copyable text={address} ends={6} />
      </li>
    ))}
  </ul>
);
