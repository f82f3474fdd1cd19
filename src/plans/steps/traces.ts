/** Does an answer tell of the code that made it? */

/** A line of a stack: in the languages of most VASPs. */
const TRACES = [
  /(\\n|\n)[ \t]*at .+[(:]/,
  /Traceback \(most recent call last\)/,
  /goroutine \d+ \[/,
  /\bat [\w.$]+\(\w+\.(java|kt|scala):\d+\)/,
];

const SOURCE = /[^/\\]\.(js|ts|mjs|cjs|py|go|java|kt|scala|rb|php|cs|fs|rs|swift|cpp|cc|ex|exs|erl|clj|dart)\b/;
const DRIVE = /[A-Za-z]:$/;

/** Does it name a source file with its path? Each character is read once. */
function hasPath(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(/[\w.@/\\-]+/g)) {
    const isOnDrive = run.startsWith('\\') && DRIVE.test(text.slice(Math.max(0, index - 2), index));
    const begins = isOnDrive ? 0 : run.indexOf('/');
    if (begins >= 0 && SOURCE.test(run.slice(begins))) return true;
  }
  return false;
}

const PAGE = /<(!doctype|html|head|body)\b/i;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]*/gi;

/** `url`: of the call. What a browser loads for a page has a path on the web, and so has the call itself. */
export function hasTrace(answer: string, url: string): boolean {
  const text = PAGE.test(answer) ? shownOf(answer) : answer;
  const { pathname } = new URL(url, 'http://vasp');
  const plain = text.replace(ADDRESS, '').replaceAll(pathname.length > 1 ? pathname : ADDRESS, '');
  return TRACES.some(trace => trace.test(plain)) || hasPath(plain);
}

/** What a page shows to people, and its comments. */
function shownOf(page: string): string {
  let hidden: string | undefined;
  let shown = '';
  for (const piece of page.split('<')) {
    const [, isEnd, name = ''] = /^(\/?)([a-z]*)/i.exec(piece)!;
    const tag = name.toLowerCase();
    if (hidden !== undefined && !(isEnd && tag === hidden)) continue;
    hidden = !isEnd && (tag === 'script' || tag === 'style') ? tag : undefined;
    if (hidden === undefined) shown += isEnd || tag ? piece.slice(piece.indexOf('>') + 1) : piece;
  }
  return shown;
}
