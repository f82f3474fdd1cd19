import type { Child } from 'hono/jsx';
import type { Client } from '../client/client.ts';

/** What a page is given: the API as the signed-in VASP, and what the address says. */
export interface PageContext {
  api: Client;
  /** By an API key; otherwise D-01 says who is calling. */
  isSignedIn: boolean;
  /** Where users reach the program, for addresses and commands to copy. */
  origin: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** After an action: what its form was sent with. */
  form?: Record<string, string> | undefined;
}

/** Said above the page after an action. */
export interface Notice {
  kind: 'done' | 'failed';
  text: string;
  /** More than a sentence: an answer, a command. */
  detail?: Child;
}

/** Instead of a notice: the address that shows what has come of it. */
export interface GoTo {
  goTo: string;
}

/** Runs what a form of the page asks for, through the API. What the API refuses becomes a notice by itself. */
export type Action = (context: PageContext, form: Record<string, string>) => Promise<Notice | GoTo>;

export interface Page {
  /** Below `/console`, with `:name` for parameters. */
  path: string;
  title: string;
  /** Stands in the navigation, in the order of `pages.ts`. */
  inNavigation: boolean;
  /** Reads it again whenever something happens. Forms with unsaved input say `hx-morph-skip`. */
  isLive: boolean;
  render(context: PageContext): Promise<Child>;
  /** By name: `POST /console{path}/{name}`; then the page is shown again with the notice. */
  actions?: Record<string, Action>;
}
