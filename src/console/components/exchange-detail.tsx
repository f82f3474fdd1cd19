import { secretsIn } from '../../kernel/secrets.ts';
import { shellWord } from '../../kernel/text.ts';
import { useTexts } from '../texts/languages.ts';
import { Json, type Mark, shallowJson, useRoom } from './json.tsx';
import { Copyable, InlineCode } from './text.tsx';

interface Curl {
  method: string;
  url: string;
  body?: unknown;
  /** The VASP signed in with its own key. The command names a variable, never the key. */
  needsKey?: boolean;
  /** Names of the headers that hold a token. */
  tokens?: readonly string[];
}

export const Curl = (request: Curl) => (
  <div class="curl">
    <Copyable text={curlText(request)} label={useTexts().exchange.command} />
  </div>
);

const curlText = ({ method, url, body, needsKey, tokens = [] }: Curl): string =>
  [
    `curl -s${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} ${shellWord(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $API_KEY"`] : []),
    ...tokens.map(name => `-H ${shellWord(`${name}: ${name === 'authorization' ? 'Bearer ' : ''}`)}"$TOKEN"`),
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d ${shellWord(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`,
        ]),
  ].join(' \\\n  ');

export interface ShownExchange {
  method: string;
  url: string;
  request: unknown;
  response: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
  responseHeaders?: Readonly<Record<string, string>> | undefined;
  status: number | null;
  error: string | null;
}

interface ExchangeDetail {
  of: ShownExchange;
  /** Unique on the page. */
  id: string;
  /** Of the sandbox, for its own paths. */
  origin: string;
  mark?: Mark | undefined;
}

/** Request and answer side by side, with headers and a command to repeat the request. The token is a variable there. */
export const ExchangeDetail = ({ of, id, origin, mark }: ExchangeDetail) => {
  const { method, url, request, response, headers, responseHeaders, status, error } = of;
  const { exchange: texts, list } = useTexts();
  const command = curlText({
    method,
    url: new URL(url, origin).href,
    body: valueOfBody(request),
    tokens: secretsIn(headers ?? {}),
  });
  return (
    <div class="exchange">
      <section class="side">
        <h3>{texts.request}</h3>
        <Headers of={headers} />
        <Body of={request} id={`request-${id}`} mark={mark} />
        {useRoom('characters', command.length) ? (
          <>
            <button type="button" class="copy" data-copy={command} aria-label={texts.copyCurl}>
              {list.copy}
            </button>{' '}
            <small>{texts.asCurl}</small>
          </>
        ) : null}
      </section>
      <section class="side">
        <h3>
          {texts.answer} {status ?? ''}
        </h3>
        {error === null ? null : (
          <p class="failed">
            <InlineCode text={error} />
          </p>
        )}
        <Headers of={responseHeaders} />
        {status === null ? (
          <p class="missing">{texts.noAnswerCame}</p>
        ) : (
          <Body of={response} id={`answer-${id}`} mark={undefined} />
        )}
      </section>
    </div>
  );
};

const Headers = ({ of = {} }: { of: Readonly<Record<string, string>> | undefined }) => {
  const names = Object.keys(of);
  return names.length === 0 ? null : (
    <dl class="headers">
      {names.map(name => (
        <>
          <dt>{name}</dt>
          <dd>{of[name]}</dd>
        </>
      ))}
    </dl>
  );
};

const Body = ({ of, id, mark }: { of: unknown; id: string; mark: Mark | undefined }) =>
  of === null || of === undefined || of === '' ? (
    <p class="muted">{useTexts().exchange.noBody}</p>
  ) : (
    <Json of={of} id={id} mark={mark} />
  );

/** Text that is no JSON, or too deep to be written again, stays as it is. */
function valueOfBody(request: unknown): unknown {
  if (request === null || request === '') return undefined;
  return typeof request === 'string' ? (shallowJson(request) ?? request) : request;
}
