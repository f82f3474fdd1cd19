import type { Answers, Info } from '../../client/client.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { Copyable, DefinitionList, InlineCode } from './text.tsx';
import { Badge, durationText } from './values.tsx';

type Health = Answers['health'];
type Reading = Health['chains'][number];

export const ChainCards = ({ health, info, origin }: { health: Health; info: Info; origin: string }) => (
  <section aria-labelledby="chains">
    <h2 id="chains">{useTexts().pages.Chains}</h2>
    <div class="cards">
      {health.chains.map(each => (
        <article>
          <h3 class="row">
            {each.symbol} <Badge of={each.isRead ? 'UP' : 'DOWN'} />
          </h3>
          <ChainFacts of={each} chain={info.chains.find(({ symbol }) => symbol === each.symbol)!} origin={origin} />
        </article>
      ))}
    </div>
  </section>
);

interface ChainFacts {
  of: Reading;
  chain: Info['chains'][number];
  /** Base of the embedded chains' addresses. */
  origin: string;
}

/** A chain as the robot sees it. `funds`: its own, on a chain configured by URL. */
export const ChainFacts = ({ of, chain, origin }: ChainFacts) => {
  const { chains: texts, list } = useTexts();
  const { symbol, network, isEmbedded, why, readUpTo, callBudget, funds } = of;
  return (
    <>
      <DefinitionList
        of={[
          [texts.network, chain.id === null ? network : fill(texts.networkId, { network, id: chain.id })],
          [texts.runs, isEmbedded ? texts.inside : texts.outside],
          [texts.address, <Copyable text={new URL(chain.url, origin).href} />],
          [texts.newestBlock, <Head of={of} />],
          [
            texts.callsInMinute,
            callBudget ? fill(list.countOf, { count: callBudget.lastMinute, all: callBudget.perMinute }) : undefined,
          ],
          [texts.readByRobot, readUpTo === null ? texts.unknown : fill(texts.upTo, { height: readUpTo })],
          [
            texts.funds,
            funds.length === 0 ? undefined : (
              <ul>
                {funds.map(({ address, balance, isLow }) => (
                  <li>
                    {balance} {symbol} {isLow ? <Badge of="LOW" /> : null} <Copyable text={address} ends={10} />
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      {why === null ? null : (
        <p class="empty">
          <InlineCode text={why} />
        </p>
      )}
    </>
  );
};

const Head = ({ of: { head, headAgeMs, isEmbedded } }: { of: Reading }) => {
  const { chains: texts, exchange, time } = useTexts();
  if (head === null) return <Badge of={exchange.noAnswer} tone="bad" />;
  if (headAgeMs === null) return <>{head}</>;
  return (
    <>
      {head}{' '}
      <small>
        {isEmbedded && head === 0 ? texts.fresh : fill(texts.old, { duration: durationText(headAgeMs, time) })}
      </small>
    </>
  );
};
