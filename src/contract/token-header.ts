/** The header that carries the token of a VASP. Names that steer the connection or its body are left out. */

const STEERING = [
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  '__proto__',
];
/** The API document has no flag for it. */
export const inAnyCase = (name: string): string =>
  name.replace(/[a-z]/gi, letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

export const TOKEN_HEADER = new RegExp(
  `^(?!(?:${STEERING.map(inAnyCase).join('|')})$|${['proxy-', 'sec-'].map(inAnyCase).join('|')})[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,64}$`,
);
export const TOKEN_HEADER_PROBLEM = 'should be a header name that does not steer the connection';

/** Its value. */
export const TOKEN = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/;
