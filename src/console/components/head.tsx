import type { Child } from 'hono/jsx';

export const ASSETS = '/console/assets';

/** The head of every page. `children`: its style sheets and scripts. */
export const Head = ({ title, children }: { title: string; children?: Child }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{`${title} – robot-vasp`}</title>
    <link rel="icon" href={`${ASSETS}/icon.svg`} type="image/svg+xml" />
    {children}
  </head>
);
