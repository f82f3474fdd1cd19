import { CallbackTable } from '../components/callback-table.tsx';
import { filled, withQuery } from '../components/table.tsx';
import type { Verification } from '../components/verification-table.tsx';
import { orElsewhere } from '../elsewhere.ts';
import { type Page, type PageContext, Titled } from '../page.ts';
import { useTexts } from '../texts/languages.ts';
import { ActionForms, verificationActions } from './actions.tsx';
import { downloads, Remarks, VerificationDetails } from './details.tsx';
import { SequenceDiagram } from './sequence-diagram.tsx';
import { nearMissOf } from './timeline-entry.tsx';
import { Waterfall } from './waterfall.tsx';

export const verification: Page = {
  path: '/verifications/:uuid',
  title: 'Verification',
  parent: '/verifications',
  isLive: true,
  downloads,
  async render({ api, params, query, origin, texts: { verification: texts, places } }) {
    const uuid = params.uuid!;
    const [timeline, why, found, { callbacks }, { now }, { vasp, chains, parts }, neighbours] = await Promise.all([
      api.timeline(uuid, filled(query, 'before')),
      api.why(uuid),
      api.verifications({ verificationUuid: uuid }),
      api.callbacks({ verificationUuid: uuid, order: 'newest' }),
      api.clock(),
      api.info(),
      api.neighbours(uuid),
    ]);
    const row = found.verifications[0]!;
    const hasEnclave = parts.includes('enclave');
    const names = {
      'tested-vasp': vasp.name,
      enclave: places.enclave,
      robot: row.counterparty.name,
      chain: row.symbol,
    };
    const here = `/console/verifications/${uuid}`;
    const onlyMessages = query.view === 'messages';
    const mark = timeline.timeline.map(nearMissOf).find(each => each !== undefined);
    const context = { symbol: row.symbol, origin, here, mark };
    return new Titled(
      titleOf(row),
      <>
        <Neighbours {...neighbours} />
        <VerificationDetails of={row} nearMiss={mark} next={why.next} />
        <Remarks of={row.remarks} />
        <ActionForms
          of={row}
          txHash={await hashToReport(api, row)}
          parts={parts}
          hasFaucet={chains.some(({ symbol, embedded }) => symbol === row.symbol && embedded)}
          here={here}
        />
        <Waterfall timeline={timeline.timeline} />
        <h2>{texts.whatHappened}</h2>
        <Views here={here} onlyMessages={onlyMessages} />
        <SequenceDiagram
          timeline={timeline}
          names={names}
          now={Date.parse(now)}
          onlyMessages={onlyMessages}
          context={context}
        />
        <Pages here={here} query={query} next={timeline.next} />
        {hasEnclave ? (
          <>
            <h2>{texts.callbacks}</h2>
            <CallbackTable rows={callbacks} empty={texts.noneYet} replayAt={`${here}/replay`} isOfOne />
          </>
        ) : null}
        <Links uuid={uuid} hasEnclave={hasEnclave} />
      </>,
    );
  },
  actions: verificationActions,
};

/** `ETH 0.024 → Taylor Robbins` */
const titleOf = ({ symbol, amount, role, counterparty, userId }: Verification): string => {
  const name =
    userId === null
      ? counterparty.name
      : userId.replaceAll(/(^|-)(.)/g, (_, dash, letter) => `${dash && ' '}${letter.toUpperCase()}`);
  return role === 'originating' ? `${symbol} ${amount} → ${name}` : `${symbol} ${amount} ← ${name}`;
};

const Neighbours = ({ newer, older }: { newer: string | null; older: string | null }) => {
  const texts = useTexts().verification;
  return (
    <nav class="neighbours" aria-label={texts.others}>
      {newer === null ? (
        <span class="muted">← {texts.newer}</span>
      ) : (
        <a href={`/console/verifications/${newer}`} rel="prev" aria-keyshortcuts="[">
          ← {texts.newer}
        </a>
      )}
      {older === null ? (
        <span class="muted">{texts.older} →</span>
      ) : (
        <a href={`/console/verifications/${older}`} rel="next" aria-keyshortcuts="]">
          {texts.older} →
        </a>
      )}
    </nav>
  );
};

const Views = ({ here, onlyMessages }: { here: string; onlyMessages: boolean }) => {
  const texts = useTexts().verification;
  return (
    <nav class="views" aria-label={texts.views}>
      <a href={`${here}?view=messages`} aria-current={onlyMessages ? 'page' : undefined}>
        {texts.messagesOnly}
      </a>
      <a href={here} aria-current={onlyMessages ? undefined : 'page'}>
        {texts.everything}
      </a>
    </nav>
  );
};

/** Of a long timeline. */
const Pages = ({ here, query, next }: { here: string; query: PageContext['query']; next: string | null }) => {
  const { older, newest } = useTexts().list;
  const { before, ...others } = query;
  return before === undefined && next === null ? null : (
    <p class="row">
      {before === undefined ? null : <a href={withQuery(here, others)}>← {newest}</a>}
      {next === null ? null : <a href={withQuery(here, { ...others, before: next })}>{older} →</a>}
    </p>
  );
};

const Links = ({ uuid, hasEnclave }: { uuid: string; hasEnclave: boolean }) => {
  const texts = useTexts().verification;
  const here = `/console/verifications/${uuid}`;
  return (
    <p class="row">
      {hasEnclave ? <a href={`/console/json/v1/verifications/${uuid}`}>{texts.json}</a> : null}
      <a href={`/console/json/sandbox/v1/verifications/${uuid}/timeline`}>{texts.timelineJson}</a>
      <a href={`/console/exchanges?verificationUuid=${uuid}`}>{texts.exchanges}</a>
      <a href={`${here}/har`} download>
        {texts.har}
      </a>
      <a href={`${here}/bundle`} download>
        {texts.bundle}
      </a>
    </p>
  );
};

/** The hash to report: the reported one, or that of a matching deposit. */
async function hashToReport(api: PageContext['api'], row: Verification): Promise<string | undefined> {
  if (row.role !== 'originating' || row.result !== 'VERIFIED') return undefined;
  if (row.txHash !== null) return row.txHash;
  const { deposits } = await orElsewhere(api.deposits(), { deposits: [], next: null });
  const fits = (address: string, amount: string) =>
    address.toLowerCase() === row.beneficiaryAddress.toLowerCase() && amount === row.amount;
  return deposits.find(({ address, amount, verificationUuid }) =>
    verificationUuid === null ? fits(address, amount) : verificationUuid === row.verificationUuid,
  )?.txHash;
}
