import { Empty } from '../components/empty.tsx';
import { withQuery } from '../components/pager.tsx';
import { Curl } from './curl.tsx';
import { FieldOf } from './fields.tsx';
import type { Prepared } from './prepare.ts';

interface RequestForm {
  prepared: Prepared;
  /** The address's query: what was chosen. */
  query: Record<string, string>;
  /** As it was edited and sent before. */
  sentBody: string | undefined;
  origin: string;
  isSignedIn: boolean;
}

/** What is about to be sent: its few important fields, its body, and the same as a command. */
export const RequestForm = ({ prepared, query, sentBody, origin, isSignedIn }: RequestForm) => {
  const { action, scenario, path, body } = prepared;
  const text = sentBody ?? JSON.stringify(body, null, 2);
  return (
    <article id="request" class="request">
      <h2>{scenario ? scenario.id : action.title}</h2>
      <p>{scenario ? `${action.title}: ${scenario.how.replace(/\.$/, '')}.` : action.meaning}</p>
      <Choices prepared={prepared} />
      <form method="post" action={withQuery('/console/send/send', query)}>
        <p>
          <code>{`${action.method} ${path}`}</code>
        </p>
        {body === undefined ? null : (
          <textarea class="code" name="body" aria-label="Body" rows={linesOf(text)} spellcheck={false}>
            {text}
          </textarea>
        )}
        <button type="submit">Send</button>
      </form>
      <h3>As a command</h3>
      <Curl
        method={action.method}
        url={origin + path}
        body={body === undefined ? undefined : parsed(text)}
        needsKey={isSignedIn}
      />
    </article>
  );
};

/** Changing a choice fills the body in anew; without JavaScript the button does. */
const Choices = ({ prepared }: { prepared: Prepared }) => {
  const { action, scenario, fields, verifications } = prepared;
  if (action.about && verifications.length === 0)
    return (
      <Empty>
        There is no verification that fits yet: <a href={whatComesFirst(prepared)}>verify first</a>.
      </Empty>
    );
  return (
    <form
      method="get"
      action="/console/send"
      class="action"
      hx-get="/console/send"
      hx-trigger="change"
      hx-target="#request"
      hx-select="#request"
      hx-swap="outerHTML"
      hx-push-url="true"
    >
      {scenario ? (
        <input type="hidden" name="scenario" value={scenario.id} />
      ) : (
        <input type="hidden" name="action" value={action.id} />
      )}
      {fields.map(name => (
        <FieldOf name={name} prepared={prepared} />
      ))}
      <button type="submit" class="secondary outline">
        Fill in
      </button>
    </form>
  );
};

const whatComesFirst = ({ action, scenario }: Prepared): string =>
  withQuery('/console/send', {
    action: action.about?.role === 'beneficiary' ? 'robot-verify-user' : 'verify-user',
    ...(scenario ? { user: scenario.user } : {}),
  });

const MOST_LINES = 34;
const linesOf = (text: string): number => Math.min(text.split('\n').length + 1, MOST_LINES);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
