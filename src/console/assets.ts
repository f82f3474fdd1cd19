import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The static files of all pages. Nothing is loaded from the internet. */

const ours = (name: string) => new URL(`./assets/${name}`, import.meta.url);
/** A file of another package. The build copies it to `vendor/`; from `src/` it is read where npm has put it. */
function packaged(name: string): string | URL {
  const copied = new URL(`./vendor/${name}`, import.meta.url);
  return existsSync(copied) ? copied : createRequire(import.meta.url).resolve(name);
}

const pico = () => packaged('@picocss/pico/css/pico.min.css');
const STYLES = ['console', 'runs', 'guide', 'navigation', 'sequence', 'json', 'palette', 'pictures'].map(
  name => `${name}.css`,
);

const OWN = ['console.css', 'navigation.css', 'docs.css', 'icon.svg'].concat(
  ['console', 'live', 'live-worker', 'connection', 'keys', 'docs'].map(name => `${name}.js`),
);
const FILES: Readonly<Record<string, () => string | URL | (string | URL)[]>> = {
  ...Object.fromEntries(OWN.map(name => [name, () => ours(name)])),
  // All styles of a console page in one request.
  'style.css': () => [pico(), ...STYLES.map(ours)],
  'pico.min.css': pico,
  'htmx.min.js': () => packaged('htmx.org/dist/htmx.min.js'),
  'swagger-ui.css': () => packaged('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': () => packaged('swagger-ui-dist/swagger-ui-bundle.js'),
};
const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };

const cache = new Map<string, Promise<Asset>>();

interface Asset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  /** Changes with the content. */
  tag: string;
}

const zip = promisify(gzip);

/** Undefined: unknown name. Each is read and compressed once, outside the event loop. */
export function asset(name: string): Promise<Asset> | undefined {
  if (!Object.hasOwn(FILES, name)) return undefined;
  const made = cache.get(name) ?? makeAsset(name);
  cache.set(name, made);
  made.catch(() => cache.delete(name));
  return made;
}

async function makeAsset(name: string): Promise<Asset> {
  const bytes = Buffer.concat(await Promise.all([FILES[name]!()].flat().map(file => readFile(file))));
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: `${TYPES[name.split('.').at(-1)!]}; charset=utf-8`, bytes, gzipped: await zip(bytes), tag };
}
