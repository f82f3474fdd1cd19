import { Clauses, Prose } from '../console/components/text.tsx';
import type { Texts } from '../console/texts/english.ts';
import { fill, type Language, textsOf } from '../console/texts/languages.ts';
import { CHAPTERS, type Chapter, titleOf } from './chapters.ts';
import { BODIES, KIND_TEXTS, type Meaning } from './codes.ts';
import { type Scripts, scriptFor, type search } from './search.ts';

/** The parts of the guide's pages. */

export const Contents = ({ language, base }: { language: Language; base: string }) => {
  const texts = textsOf(language).guide;
  return (
    <>
      <p>{texts.intro}</p>
      <ol>
        {(Object.keys(CHAPTERS) as Chapter[]).map(name => (
          <li>
            <a href={`${base}/${name}`}>{titleOf(name, language)}</a>
          </li>
        ))}
      </ol>
      <p>
        <Prose of={fill(texts.codesAndApi, { codes: `${base}/codes` })} />
      </p>
    </>
  );
};

interface HitsProps {
  query: string;
  hits: Awaited<ReturnType<typeof search>>;
  base: string;
  texts: Texts;
}

export const Hits = ({ query, hits, base, texts }: HitsProps) =>
  hits.length === 0 ? (
    <p>{fill(texts.guide.nothingContains, { query })}</p>
  ) : (
    <ul>
      {hits.map(({ href, title, excerpt }) => (
        <li>
          <a href={`${base}${href}`}>{title}</a>
          <br />
          <small>{excerpt}</small>
        </li>
      ))}
    </ul>
  );

interface MeaningOf {
  of: Meaning;
  texts: Texts['guide'];
  scripts: Scripts;
}

export const MeaningOf = ({ of, texts, scripts }: MeaningOf) => (
  <article>
    <p class="muted">{texts[KIND_TEXTS[of.kind]]}</p>
    <p>
      <Prose of={of.text} />
    </p>
    <p>
      <strong>{texts.whatToDo}</strong> <Prose of={of.advice} />
    </p>
    {of.operations === undefined ? null : (
      <p>
        {texts.answeredBy}{' '}
        {of.operations.length === 0 ? texts.everyOperation : of.operations.map(name => <code>{name} </code>)}
      </p>
    )}
    {of.decidedBy === undefined ? null : (
      <p>
        {texts.decides} {texts[of.decidedBy]}
      </p>
    )}
    {BODIES.map(name =>
      of.bodies?.[name] ? (
        <>
          <p>{texts[name]}</p>
          <Block of={JSON.stringify(of.bodies[name], null, 2)} />
        </>
      ) : null,
    )}
    {of.scenario === undefined ? null : (
      <>
        <form action="/console/send">
          <button type="submit" class="outline" name="scenario" value={of.scenario}>
            {texts.provoke}
          </button>
        </form>
        <p>{texts.provokeInShell}</p>
        <Block of={scriptFor(of.scenario, scripts)} />
      </>
    )}
    {of.clause === undefined ? null : (
      <small>
        <Clauses of={of.clause} />
      </small>
    )}
  </article>
);

const Block = ({ of }: { of: string }) => (
  <pre tabindex={0}>
    <code>{of}</code>
  </pre>
);
