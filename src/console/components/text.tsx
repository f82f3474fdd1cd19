import { raw } from 'hono/html';
import { type Child, useContext } from 'hono/jsx';
import { marked, type Token } from 'marked';
import { withClauseLinks } from '../../contract/clauses.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { Link, Served } from './link.tsx';

interface Prose {
  of: string;
  /** Stands at `{name}` of the text. A link or **bold** may not go around it. */
  with?: Readonly<Record<string, Child>> | undefined;
}

/** A text of the catalogue, with links, `code` and **bold**. Never a text of a user: that comes in `with`. */
export const Prose = ({ of, with: values = {} }: Prose) => {
  const isServed = useContext(Served);
  const names = Object.keys(values);
  const parts = names.length === 0 ? [of] : of.split(new RegExp(`\\{(${names.join('|')})\\}`));
  return <>{parts.map((part, position) => (position % 2 === 1 ? values[part] : inline(part, isServed)))}</>;
};

export const Paragraph = ({ class: name, ...prose }: Prose & { class?: string }) => (
  <p class={name}>
    <Prose {...prose} />
  </p>
);

/** A link that leads nowhere becomes its text. */
const inline = (text: string, isServed: (address: string) => boolean) => {
  const walkTokens = (token: Token) => {
    if (token.type === 'link' && !isServed(token.href)) token.type = 'text';
  };
  return raw(withClauseLinks(marked.parseInline(text, { async: false, walkTokens }), CLAUSES));
};

const CLAUSES = '/guide/clauses';

/** Ids of clauses, each a link to its sentence. */
export const Clauses = ({ of }: { of: string }) => raw(withClauseLinks(of, CLAUSES));

/** A sentence of the API, in the language of the page. Text between back-ticks is set as code. */
export const InlineCode = ({ text }: { text: string }) => (
  <>
    {useSentences()(text)
      .split('`')
      .map((part, position) => (position % 2 === 1 ? <code>{shortHashes(part)}</code> : shortHashes(part)))}
  </>
);

export const Sentence = ({ text }: { text: string }) => (
  <p>
    <InlineCode text={text} />
  </p>
);

const HASH = /\b((?:0x)?[0-9A-Fa-f]{64})\b/;

/** The tooltip of each hash has it whole. */
const shortHashes = (text: string) =>
  text.split(HASH).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span class="together" title={part}>
        {shortened(part, 6)}
      </span>
    ),
  );

/** An explanation of a state, in the language of the page where the API has said it. */
export const Note = ({ children }: { children: string }) => (
  <small>
    <InlineCode text={children} />
  </small>
);

/** A value, and below it a sentence about it. */
export const WithReason = ({ reason, children }: { reason: string | null; children?: Child }) => (
  <>
    {children}
    {reason ? <br /> : null}
    {reason ? <Note>{reason}</Note> : null}
  </>
);

interface Copyable {
  text: string;
  /** Shows only this many characters of the beginning and of the end. The button copies everything. */
  ends?: number;
  /** Name for screen readers, where the text itself is too long. */
  label?: string;
  /** The page about it. */
  href?: string;
}

/** A value in a fixed-width font, with a button that copies it. */
export const Copyable = ({ text, ends, label, href }: Copyable) => {
  const texts = useTexts().list;
  const shown = ends ? shortened(text, ends) : text;
  return (
    <span class={ends ? 'copyable short' : 'copyable'}>
      <code title={text}>
        <Link to={href}>{shown}</Link>
      </code>
      <button type="button" class="copy" data-copy={text} aria-label={fill(texts.copyThis, { what: label ?? text })}>
        {texts.copy}
      </button>
    </span>
  );
};

const shortened = (text: string, ends: number): string =>
  text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;

interface Fold {
  /** Unique on the page, so that it stays open through live updates. */
  id: string;
  summary: Child;
  isOpen?: boolean;
  children?: Child;
}

export const Fold = ({ id, summary, isOpen, children }: Fold) => (
  <details id={id} class="fold" open={isOpen}>
    <summary>{summary}</summary>
    {children}
  </details>
);

/** Names and values of one thing. Undefined values are left out. */
export const DefinitionList = ({ of }: { of: readonly (readonly [string, Child | undefined])[] }) => (
  <dl class="definition-list">
    {of
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** In place of an empty list: why it is empty and what to do next. A text of the catalogue. */
export const Empty = (prose: Prose) => <Paragraph class="empty" {...prose} />;
