import { expect, test } from 'vitest';
import { hasTrace } from '../../src/plans/steps/answers.ts';

/** S8: a trace is what tells of the code of the VASP, and not what a browser loads. */

const URL = 'https://vasp.example/hooks/travel.php';
const page = (text: string) =>
  `<!DOCTYPE html><html><head><link href="/assets/site.js"><script src='/static/main.js'></script>
  <script>import("/static/late.mjs"); const at = "\n at x (";</script><style>a { b: url(/x.cs) }</style></head>
  <body data-page="/pages/error.ts"><h1>502 Bad Gateway</h1><a href="/help.php">Help</a> ${text}</body></html>`;

test.each([
  ['an error page of a gateway', page('')],
  ['a page that names an address', page('See https://docs.example/errors.php')],
  ['the path of the call', '{"type":"about:blank","instance":"/hooks/travel.php"}'],
  ['the address of the call', '{"path":"https://vasp.example/hooks/travel.php"}'],
  ['a text of a support page', '{"help":"https://vasp.example/static/main.js"}'],
  ['JSON that names a file without a path', '{"message":"main.js is missing"}'],
  ['a name behind a tab in JSON', '{"message":"file\\tmain.js"}'],
  ['a time in a line of its own', '{"message":"The node did not answer\\nat 10:30:00"}'],
  ['a date in a line of its own', 'Service unavailable\n  at Mon, 30 Nov 2026 05:00:00 GMT (server time)'],
  ['a sentence with at', '{"message":"look at it: nothing (yet)"}'],
])('no trace: %s', (_, answer) => expect(hasTrace(answer, URL)).toBe(false));

test.each([
  ['a path in JSON', '{"message":"ENOENT: /srv/vasp/src/handlers/user.ts"}'],
  ['a path of Windows in JSON', '{"message":"C:\\\\vasp\\\\Handlers\\\\User.cs"}'],
  ['a stack in a page', page('<pre>Error: x<br> &nbsp; at handle (/srv/vasp/user.js:12:5)</pre>')],
  ['a path in a page of PHP', page('<b>Fatal error</b> in <b>/var/www/vasp/user.php</b> on line <b>12</b>')],
  ['a comment of a page', page('<!-- Traceback (most recent call last) -->')],
  ['a stack of Node in JSON', '{"stack":"Error: x\\n    at handle (file:///srv/vasp/user.mjs:1:2)"}'],
  [
    'a stack of Node without names',
    '{"stack":"Error: x\\n    at async new Promise (<anonymous>)\\n    at /srv/x:1:2"}',
  ],
  ['a stack of .NET', 'System.Exception: x\n   at Vasp.Handlers.User.Handle(Request request)'],
  ['a stack of Java', 'at com.vasp.User.handle(User.java:12)'],
  ['a stack of Go', 'goroutine 12 [running]:'],
  ['a path beside the one of the call', '{"at":"/hooks/travel.php","in":"/srv/vasp/user.py"}'],
])('a trace: %s', (_, answer) => expect(hasTrace(answer, URL)).toBe(true));

test.each(['\n', '/', '<', '<script>', '/a.', '.js', '/a.js ', ' at ', '\n at a', 'https://'])(
  'an answer of 256 KiB that repeats %j is read within a second of the processor',
  piece => {
    const isPath = piece === '/a.js ';
    const began = process.cpuUsage();
    const text = piece.repeat(Math.trunc((256 * 1024) / piece.length));
    expect([hasTrace(text, URL), hasTrace(`<html>${text}`, URL)]).toEqual([isPath, isPath]);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
  },
);
