import { useTexts } from '../texts/languages.ts';
import { Copyable } from './copyable.tsx';
import { Fold } from './fold.tsx';

interface Request {
  method: string;
  url: string;
  body?: unknown;
}

const LANGUAGES = [
  { name: 'curl', target: 'shell', client: 'curl' },
  { name: 'TypeScript', target: 'javascript', client: 'fetch' },
  { name: 'Python', target: 'python', client: 'requests' },
  { name: 'Go', target: 'go', client: 'native' },
  { name: 'Java', target: 'java', client: 'nethttp' },
] as const;

/** One request in every language, each folded, to copy. `id` is unique on the page. */
export const Snippets = async ({ id, ...request }: Request & { id: string }) => {
  const texts = useTexts().exchange;
  const codes = await snippetsOf(request);
  return (
    <div class="snippets">
      {codes.map(({ name, code }) => (
        <Fold id={`${id}-${name}`} summary={name}>
          <Copyable text={code} label={texts.codeIn(name)} />
        </Fold>
      ))}
    </div>
  );
};

/** The library is loaded at the first request. */
async function snippetsOf({ method, url, body }: Request): Promise<{ name: string; code: string }[]> {
  const { HTTPSnippet } = await import('@readme/httpsnippet');
  const hasBody = body !== undefined;
  const snippet = new HTTPSnippet({
    method,
    url,
    httpVersion: 'HTTP/1.1',
    headers: hasBody ? [{ name: 'content-type', value: 'application/json' }] : [],
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    postData: hasBody ? { mimeType: 'application/json', text: JSON.stringify(body) } : { mimeType: '' },
  });
  return LANGUAGES.map(({ name, target, client }) => {
    const [code] = [snippet.convert(target, client)].flat();
    return { name, code: code || '' };
  });
}
