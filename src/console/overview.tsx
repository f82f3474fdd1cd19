import { useContext } from 'hono/jsx';
import type { Answers, Info } from '../client/client.ts';
import { CallbackTable } from './components/callback-table.tsx';
import { CauseList, CountsText } from './components/causes.tsx';
import { ChainCards } from './components/chain-facts.tsx';
import { ActionForm } from './components/form.tsx';
import { Link, Served } from './components/link.tsx';
import { ReferenceVasp, referenceVaspActions, referenceVaspOf } from './components/reference-vasp.tsx';
import { hrefOfRow } from './components/table.tsx';
import { Copyable, DefinitionList, Fold, InlineCode, Prose } from './components/text.tsx';
import { Badge, durationText, Time, toneOf, VerificationLink } from './components/values.tsx';
import { VerificationTable } from './components/verification-table.tsx';
import { orNotServed } from './not-served.ts';
import type { Page } from './page.ts';
import { LatencyPicture } from './pictures/latencies.tsx';
import { SandboxMap } from './pictures/map.tsx';
import { ResultsByHour } from './pictures/results-by-hour.tsx';
import type { Texts } from './texts/english.ts';
import { fill, useTexts } from './texts/languages.ts';

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
  /** False: without attentions there is nothing to say, because something else is wrong. */
  isCalm?: boolean;
}

/** One line for each kind, in the order of urgency. The details fold. */
export const AttentionList = ({ of, isCalm = true }: AttentionList) => {
  const texts = useTexts().overview;
  return of.length === 0 && !isCalm ? null : (
    <section aria-labelledby="attention">
      <h2 id="attention">{texts.attention}</h2>
      {of.length === 0 ? (
        <p class="calm">{texts.calm}</p>
      ) : (
        <ul class="attentions">
          {[...new Set(of.map(({ what }) => what))].map(what => (
            <Line what={what} items={of.filter(each => each.what === what)} />
          ))}
        </ul>
      )}
    </section>
  );
};

const Line = ({ what, items }: { what: What; items: readonly Attention[] }) => {
  const { attention, overview, pages } = useTexts();
  const { title, advice } = attention[what];
  const { href, page } = PLACES[what];
  return (
    <li class="attention">
      <div class="row">
        <strong>{items.length === 1 ? title : `${title} × ${items.length}`}</strong>
        <span>{advice}</span>
        <Link to={href} isOffer>
          {pages[page]}
        </Link>
        {what === 'callback-given-up' && useContext(Served)(href) ? (
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

const LATEST = 5;

export const overview: Page = {
  path: '',
  title: 'Overview',
  group: 'Test',
  isLive: true,
  actions: referenceVaspActions,
  async render({ api, origin, texts: { overview: texts, places } }) {
    const [info, clock, health, { verifications }, { callbacks }, reference, statistics, { vasps }, runs] =
      await Promise.all([
        api.info(),
        api.clock(),
        api.health(),
        api.verifications({ limit: LATEST }),
        api.callbacks({ order: 'newest', limit: LATEST }),
        orNotServed(referenceVaspOf(api), undefined),
        api.statistics(),
        api.registeredVasps(),
        orNotServed(api.runs({ limit: 1 }), { runs: [] }),
      ]);
    const [run] = runs.runs;
    const isNew = verifications.length === 0;
    const [hasEnclave, hasRobot] = [info.roles.includes('enclave'), info.roles.includes('robot')];
    const steps = !(hasEnclave && hasRobot) ? null : <FirstSteps origin={origin} info={info} />;
    return (
      <>
        {run ? <LastRun of={run} /> : null}
        <Identity info={info} clock={clock} health={health} />
        {steps ? <SandboxMap {...placesOf(info, health, vasps, places)} /> : null}
        <AttentionList of={health.attention} isCalm={run?.result !== 'FAILED'} />
        {reference ? <ReferenceVasp state={reference} at="/console" /> : null}
        {isNew ? steps : null}
        {isNew ? null : <Pictures of={statistics} />}
        {hasRobot ? <ChainCards health={health} info={info} origin={origin} /> : null}
        <h2>{texts.latestVerifications}</h2>
        <VerificationTable rows={verifications} empty={texts.noVerification} />
        {hasEnclave ? (
          <>
            <h2>{texts.latestCallbacks}</h2>
            <CallbackTable
              rows={callbacks}
              empty={texts.noCallback}
              replayAt="/console/callbacks/replay"
              hrefOf={id => hrefOfRow('/console/callbacks', {}, id, `callback-${id}`)}
            />
          </>
        ) : null}
        {isNew || !steps ? null : (
          <Fold id="first-steps" summary={texts.firstStepsFolded}>
            {steps}
          </Fold>
        )}
      </>
    );
  },
};

type Run = Answers['runs']['runs'][number];

/** What the newest run has found, and why. */
const LastRun = ({ of: { id, plan, result, startedAt, endedAt, counts, causes } }: { of: Run }) => {
  const { overview, checks } = useTexts();
  return (
    <section class={`verdict ${toneOf(result ?? 'RUNNING')}`} aria-labelledby="last-run">
      <h2 id="last-run">{overview.lastRun}</h2>
      <p class="row">
        <strong>
          <Badge of={result ?? 'RUNNING'} />
        </strong>
        <a href={`/console/checks/${id}`}>
          {checks.plan} {plan}
        </a>
        <span>
          <CountsText of={counts} />
        </span>
        <Time at={endedAt ?? startedAt} clock="machine" />
      </p>
      <CauseList of={causes} runId={id} />
    </section>
  );
};

const Pictures = ({ of: { hours, latencies } }: { of: Answers['statistics'] }) => (
  <div class="pictures">
    <section>
      <h2>{useTexts().overview.resultsByHour}</h2>
      <ResultsByHour hours={hours} />
    </section>
    {latencies.length === 0 ? null : (
      <section>
        <h2>{useTexts().overview.latencies}</h2>
        <LatencyPicture latencies={latencies} />
      </section>
    )}
  </div>
);

const FirstSteps = ({ origin, info }: { origin: string; info: Info }) => {
  const { overview, firstSteps: texts } = useTexts();
  const values = {
    address: <Copyable text={origin} />,
    robot: info.robot.name,
    vaspId: <Copyable text={info.robot.vaspId} />,
  };
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{overview.firstSteps}</h2>
      <ol>
        {Object.values(texts).map(step => (
          <li>
            <Prose of={step} with={values} />
          </li>
        ))}
      </ol>
    </section>
  );
};

const Identity = ({ info, clock, health }: { info: Info; clock: Answers['clock']; health: Answers['health'] }) => {
  const { vasp, robot, version, mode, roles } = info;
  const { overview: texts, time } = useTexts();
  return (
    <DefinitionList
      of={[
        [
          texts.yourVasp,
          <>
            {vasp.name} <Copyable text={vasp.vaspId} />
          </>,
        ],
        [
          texts.counterpart,
          <>
            {robot.name} <Copyable text={robot.vaspId} />
          </>,
        ],
        [
          texts.sandboxTime,
          <>
            {clock.now.replace('T', ' ').slice(0, 19)}{' '}
            <small>
              {clock.aheadMs === 0
                ? texts.sameTime
                : fill(texts.ahead, { duration: durationText(clock.aheadMs, time) })}
            </small>{' '}
            <a href="/console/timers">{texts.advance}</a>
          </>,
        ],
        [
          texts.state,
          <>
            <Badge of={health.ready ? 'READY' : 'NOT READY'} />{' '}
            <small>
              {health.missing.join('; ') || `robot-vasp ${version}, ${roles.length === 1 ? roles[0] : mode}`}
            </small>
          </>,
        ],
      ]}
    />
  );
};

type Health = Answers['health'];
type Vasps = Answers['registeredVasps']['vasps'];

function placesOf({ vasp, robot }: Info, health: Health, vasps: Vasps, texts: Texts['places']): SandboxMap {
  const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId);
  const isMute = Object.values(own?.endpoints ?? {}).every(url => url === undefined);
  const isDown = own?.health === 'DOWN';
  const has = (...whats: What[]) => health.attention.some(({ what }) => whats.includes(what));
  const callbacksFail = has('callback-given-up', 'callback-failing');
  return {
    vasp: {
      name: vasp.name,
      state: isMute ? texts.noEndpoint : isDown ? texts.silent : texts.answers,
      health: isMute ? 'warn' : isDown ? 'bad' : 'good',
      href: '/console/settings',
    },
    enclave: {
      name: texts.enclave,
      state: !health.ready ? texts.notReady : callbacksFail ? texts.callbacksFail : texts.ready,
      health: !health.ready ? 'bad' : callbacksFail ? 'warn' : 'good',
      href: '/console/callbacks',
    },
    robot: {
      name: robot.name,
      state: has('low-funds') ? texts.lacksFunds : has('transfer-waiting') ? texts.transfersWait : texts.works,
      health: has('low-funds') ? 'bad' : has('transfer-waiting', 'timer-failing') ? 'warn' : 'good',
      href: '/console/users',
    },
    ledgers: health.chains.map(({ symbol, head, isRead, held }) => ({
      name: symbol,
      state: head === null ? texts.noAnswer : fill(held ? texts.held : texts.block, { height: head }),
      health: head === null ? 'bad' : isRead && !held ? 'good' : 'warn',
      href: '/console/chains',
    })),
  };
}
