import { type Roles, serves } from '../contract/tenancy.ts';
import { type Frame, layout } from './layout.tsx';
import { PAGES } from './pages.tsx';

/** The pages that this process has, of all that are named. Addresses that are no page are everywhere. */

const patternOf = (path: string) => new RegExp(`^/console${path.replace(/:\w+/g, '[^/]+')}$`);
const SERVED = PAGES.map(({ path, servedBy = 'all' }) => ({ pattern: patternOf(path), servedBy }));

export function isHere(address: string, roles: Roles): boolean {
  const [path = ''] = address.split(/[?#]/);
  const page = SERVED.find(({ pattern }) => pattern.test(path));
  return !page || serves(page.servedBy, roles);
}

/** A link, or a form with nothing but a button, that leads to a page of the console. */
const LINK = /<a [^>]*?href="(\/console[^"]*)"[^>]*>(.*?)<\/a>/gs;
const FORM = /<form [^>]*?action="(\/console[^"]*)"[^>]*>.*?<\/form>/gs;

/** The layout without what leads to a page of another process: a link becomes its text. A form goes, and so does a link that is only an offer. */
export async function layoutHere(frame: Frame, roles: Roles): Promise<string> {
  const pages = frame.pages.filter(({ servedBy = 'all' }) => serves(servedBy, roles));
  const page = String(await layout({ ...frame, pages }));
  if (roles === 'both') return page;
  return page
    .replace(LINK, (link, address, text) =>
      isHere(address, roles) ? link : link.startsWith('<a data-offer') ? '' : text,
    )
    .replace(FORM, (form, address) => (isHere(address, roles) ? form : ''));
}
