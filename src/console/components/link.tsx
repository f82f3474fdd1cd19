import { createContext, type PropsWithChildren, useContext } from 'hono/jsx';

/** False: the page of this address belongs to another process, or to other readers. */
export const Served = createContext<(address: string) => boolean>(() => true);

interface Link {
  to: string | undefined;
  /** Where it leads nowhere, nothing is shown. Default: its words. */
  isOffer?: boolean;
  class?: string;
  'aria-label'?: string;
}

/** A link to a page that the reader may lack. */
export const Link = ({ to, isOffer, children, ...attributes }: PropsWithChildren<Link>) =>
  to !== undefined && useContext(Served)(to) ? (
    <a href={to} {...attributes}>
      {children}
    </a>
  ) : isOffer ? null : (
    (children ?? null)
  );
