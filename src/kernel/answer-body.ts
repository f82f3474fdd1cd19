import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { readUtf8 } from './utf8-text.ts';

export type AnswerProblemCode = 'TOO-LONG' | 'CODING-UNKNOWN' | 'CODING-BROKEN' | 'CHARSET-UNKNOWN' | 'NOT-UTF-8';

/** The reason why the body of an answer cannot be read. */
export interface AnswerProblem {
  code: AnswerProblemCode;
  /** After "The answer of the VASP". */
  text: string;
}

export interface AnswerBody {
  /** With a problem: what of it is readable. */
  body: string;
  problem: AnswerProblem | undefined;
}

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const [asGzip, asZlib, asRaw, asBrotli] = [gunzip, inflate, inflateRaw, brotliDecompress].map(
  each => promisify(each as (bytes: Buffer, options: ZlibOptions, done: never) => void) as Decode,
) as [Decode, Decode, Decode, Decode];

/** RFC 9110, 8.4.1: `deflate` is zlib. Some servers send the bare deflate format. */
const asDeflate: Decode = (bytes, options) => (isZlib(bytes) ? asZlib : asRaw)(bytes, options);
const isZlib = (bytes: Buffer): boolean =>
  (bytes[0]! & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;

const DECODERS: Readonly<Record<string, Decode>> = { gzip: asGzip, 'x-gzip': asGzip, deflate: asDeflate, br: asBrotli };
const READ = 'gzip, deflate and br';
const MAX_CODINGS = 4;

export const tooLong = (most: number): AnswerProblem => ({
  code: 'TOO-LONG',
  text: `is longer than ${Math.floor(most / 1024)} KiB`,
});

/** D-39: removes the content codings and reads UTF-8. `most`: bytes, after every step. */
export async function readAnswer(raw: Buffer, headers: IncomingHttpHeaders, most: number): Promise<AnswerBody> {
  const decoded = await decodeAll(raw, codingsOf(headers), most);
  if (!Buffer.isBuffer(decoded)) return { body: '', problem: decoded };
  const { text, problem } = readUtf8(decoded);
  const charset = charsetOf(headers['content-type']);
  if (charset !== undefined && !CONTAINS_ASCII.test(charset))
    return { body: text, problem: { code: 'CHARSET-UNKNOWN', text: `has the charset ${charset} and should be UTF-8` } };
  return { body: text, problem: problem === undefined ? undefined : { code: 'NOT-UTF-8', text: problem } };
}

async function decodeAll(raw: Buffer, codings: string[], most: number): Promise<Buffer | AnswerProblem> {
  const unknown = codings.find(coding => !(coding in DECODERS));
  if (unknown !== undefined) return unknownCoding(unknown);
  if (codings.length > MAX_CODINGS) return unknownCoding(codings.join(', '));
  let bytes = raw;
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) return bytes;
    try {
      bytes = await DECODERS[coding]!(bytes, { maxOutputLength: most });
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === 'ERR_BUFFER_TOO_LARGE') return tooLong(most);
      return { code: 'CODING-BROKEN', text: `says Content-Encoding: ${coding} and cannot be decoded (${message})` };
    }
  }
  return bytes;
}

const unknownCoding = (coding: string): AnswerProblem => ({
  code: 'CODING-UNKNOWN',
  text: `has the content coding ${coding.slice(0, 64)}, and only ${READ} are read`,
});

type ContentCoding = { 'content-encoding'?: string | undefined };

/** In the order in which they were applied. */
export const codingsOf = ({ 'content-encoding': text = '' }: ContentCoding): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && each !== 'identity');

/** In lower case. */
export const charsetOf = (contentType = ''): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";]{1,64})/i.exec(contentType)?.[1]?.toLowerCase();

/** JSON has no charset parameter (RFC 8259, 11), so the bytes decide wherever ASCII is the same. */
const CONTAINS_ASCII =
  /^(utf-?8(mb4)?|(us-)?ascii|ansi.*|iso-?8859.*|latin.*|windows-?\d+|cp\d+|euc-?\w+|shift[-_]?jis|gb\w+|big5|koi8.*|ks_c.*)$/;
