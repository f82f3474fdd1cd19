import { isIn, type Parts } from '../contract/tenancy.ts';
import { type Frame, layout } from './layout.tsx';
import { PAGES } from './pages.tsx';

/** The pages that this process has, of all that are named. Addresses that are no page are everywhere. */

const patternOf = (path: string) => new RegExp(`^/console${path.replace(/:\w+/g, '[^/]+')}$`);
const HOMES = PAGES.map(({ path, home = 'all' }) => ({ pattern: patternOf(path), home }));

export function isHere(address: string, parts: Parts): boolean {
  const [path = ''] = address.split(/[?#]/);
  const page = HOMES.find(({ pattern }) => pattern.test(path));
  return !page || isIn(page.home, parts);
}

/** A link, or a form with nothing but a button, that leads to a page of the console. */
const LINK = /<a [^>]*?href="(\/console[^"]*)"[^>]*>(.*?)<\/a>/gs;
const FORM = /<form [^>]*?action="(\/console[^"]*)"[^>]*>.*?<\/form>/gs;

/** The layout without what leads to a page of another process: a link becomes its text. A form goes, and so does a link that is only an offer. */
export async function layoutHere(frame: Frame, parts: Parts): Promise<string> {
  const pages = frame.pages.filter(({ home = 'all' }) => isIn(home, parts));
  const page = String(await layout({ ...frame, pages }));
  if (parts === 'both') return page;
  return page
    .replace(LINK, (link, address, text) =>
      isHere(address, parts) ? link : link.startsWith('<a data-offer') ? '' : text,
    )
    .replace(FORM, (form, address) => (isHere(address, parts) ? form : ''));
}
