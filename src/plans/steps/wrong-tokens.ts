/** Another token than the right one. */
export const otherToken = (right: string): string =>
  right === 'a-wrong-token' ? 'another-wrong-token' : 'a-wrong-token';

/** What a VASP compares: of Basic credentials it is not their code, which may be written in several ways. */
interface Secret {
  text: string;
  write(text: string): string;
}

/** A scheme before the token, such as `Bearer`, is compared without regard to case: it stays. */
const SCHEME = /^([A-Za-z][\w-]*) +(?=\S)/;

function secretOf(token: string): Secret {
  const [scheme = '', name] = SCHEME.exec(token) ?? [];
  const rest = token.slice(scheme.length);
  if (name?.toLowerCase() !== 'basic') return { text: rest, write: text => scheme + text };
  const [user = '', password = ''] = Buffer.from(rest, 'base64').toString().split(/:(.*)/s);
  const code = (text: string) => scheme + base64(`${user}:${text}`);
  return { text: password, write: code };
}

/** A shorter one may stand in an answer by chance. */
const SHORTEST_SECRET = 8;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** How an answer may write a token: whole, without its scheme, in one case, and in the codes of headers and addresses. */
function spellingsOf(token: string): string[] {
  const { text } = secretOf(token);
  const cases = [text, text.toLowerCase(), text.toUpperCase()];
  const coded = [...cases, encodeURIComponent(text), base64(text), base64(token)];
  return [...new Set([token, ...(text.length < SHORTEST_SECRET ? [] : coded)])];
}

/** In the log, in the place of the right token in the answer to a wrong one. */
export const TOLD_TOKEN = '[the token of the VASP]';

/** One token may hold the other one, and they may differ by the case of their letters only: the wrong one was given. */
export function withoutTokens(right: string, given: string | null | undefined): (text: string) => string {
  const wrong = given ? spellingsOf(given) : [];
  const all = [
    ...wrong.map(text => [text, '***'] as const),
    ...spellingsOf(right).map(text => [text, TOLD_TOKEN] as const),
  ].sort(([one], [other]) => other.length - one.length);
  return text => all.reduce((rest, [secret, shown]) => rest.replaceAll(secret, shown), text);
}

const otherCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** A lenient reader of base64 ignores what follows `=`, and one character behind a whole group of four. */
function longer(text: string): string {
  const groups = text.split('.').at(-1)!;
  return groups.endsWith('=')
    ? text.replace(/=+$/, padding => 'x'.repeat(padding.length))
    : text + 'x'.repeat(groups.length % 4 === 0 ? 4 : 1);
}
const shorter = (text: string): string => [...text.replace(/=+$/, '')].slice(0, -2).join('');

const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  'its beginning': shorter,
  'it with more characters': longer,
  'it in the other case': otherCase,
};

/** Tokens that are nearly the right one, with what was changed. A change that leaves it as it is is left out. */
export function nearTokens(right: string): [which: string, token: string][] {
  const { text, write } = secretOf(right);
  return Object.entries(CHANGES).flatMap(([which, change]): [string, string][] => {
    const changed = change(text);
    return changed === text || changed === '' ? [] : [[which, write(changed)]];
  });
}
