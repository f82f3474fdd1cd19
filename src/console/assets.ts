import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { withQuery } from './components/table.tsx';
import type { Group, Page } from './page.ts';
import { ACTIONS, type ActionId } from './send/actions.ts';
import type { Texts } from './texts/english.ts';

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

const FILES: Record<string, { type: string; file: () => string | URL | (string | URL)[] }> = {
  // All styles of a console page in one request.
  'style.css': { type: 'text/css', file: () => [pico(), ...STYLES.map(ours)] },
  'console.css': { type: 'text/css', file: () => ours('console.css') },
  'navigation.css': { type: 'text/css', file: () => ours('navigation.css') },
  'console.js': { type: 'text/javascript', file: () => ours('console.js') },
  'live.js': { type: 'text/javascript', file: () => ours('live.js') },
  'live-worker.js': { type: 'text/javascript', file: () => ours('live-worker.js') },
  'connection.js': { type: 'text/javascript', file: () => ours('connection.js') },
  'keys.js': { type: 'text/javascript', file: () => ours('keys.js') },
  'icon.svg': { type: 'image/svg+xml', file: () => ours('icon.svg') },
  'pico.min.css': { type: 'text/css', file: pico },
  'htmx.min.js': { type: 'text/javascript', file: () => packaged('htmx.org/dist/htmx.min.js') },
  'docs.css': { type: 'text/css', file: () => ours('docs.css') },
  'docs.js': { type: 'text/javascript', file: () => ours('docs.js') },
  'swagger-ui.css': { type: 'text/css', file: () => packaged('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript', file: () => packaged('swagger-ui-dist/swagger-ui-bundle.js') },
};

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
  const made = cache.get(name) ?? makeAsset(FILES[name]!);
  cache.set(name, made);
  made.catch(() => cache.delete(name));
  return made;
}

async function makeAsset(entry: (typeof FILES)[string]): Promise<Asset> {
  const bytes = Buffer.concat(await Promise.all([entry.file()].flat().map(file => readFile(file))));
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: `${entry.type}; charset=utf-8`, bytes, gzipped: await zip(bytes), tag };
}

interface Entry {
  group: string;
  text: string;
  href: string;
}

export const paletteEntries = (pages: readonly Page[], texts: Texts): Entry[] => {
  const { groups, pages: titles, palette, requests } = texts;
  const entry = (group: Group, text: string, path: string) => ({ group: groups[group], text, href: `/console${path}` });
  return [
    ...pages.flatMap(({ group, title, path }) => (group ? [entry(group, titles[title], path)] : [])),
    ...[titles['Withdrawal test'], titles['Deposit test']].map(text => entry('Test', text, '/tests')),
    entry('Test', titles['Deposit by hand'], '/tests/deposit'),
    entry('Look', palette.open, '/verifications?status=OPEN'),
    entry('Look', palette.denied, '/verifications?result=DENIED'),
    entry('Look', palette.givenUp, '/callbacks?status=GIVEN-UP'),
    entry('Look', palette.unanswered, '/exchanges?status=none'),
    entry('Look', palette.slow, '/exchanges?slow=500'),
    entry('Steer', palette.advance, '/timers'),
    entry('Steer', palette.fault, '/faults'),
    entry('Steer', palette.faucet, '/chains'),
    entry('Steer', palette.addUser, '/users#add'),
    entry('Set up', palette.callEndpoints, '/settings'),
    ...(Object.keys(ACTIONS) as ActionId[]).map(action => ({
      group: titles.Send,
      text: requests[action].title,
      href: withQuery('/console/send', { action }),
    })),
    { group: titles.Guide, text: titles.Guide, href: '/guide' },
    { group: titles.Guide, text: titles.API, href: '/docs' },
  ];
};
