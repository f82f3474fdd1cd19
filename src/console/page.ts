import type { Child } from 'hono/jsx';
import type { Client } from '../client/client.ts';
import type { ServedBy } from '../contract/tenancy.ts';
import type { Texts } from './texts/english.ts';

/** Input of a page: the API as the signed-in VASP, and its address. */
export interface PageContext {
  api: Client;
  /** In the language of the request. */
  texts: Texts;
  /** With an API key. Without one, D-01 decides who the caller is. */
  isSignedIn: boolean;
  /** Public origin of the program, for addresses and commands to copy. */
  origin: string;
  params: Record<string, string>;
  query: Record<string, string>;
}

/** Shown above the page after an action. */
export interface Notice {
  kind: 'done' | 'failed';
  text: string;
  /** The field that is wrong. The sentence stands there, too. */
  field?: string | undefined;
  /** Details below the sentence: an answer, a command. */
  detail?: Child;
}

export const done = (text: string, detail?: Child): Notice => ({ kind: 'done', text, detail });

/** A redirect to the page that shows the outcome. */
export interface GoTo {
  goTo: string;
}

/** Handles a form of the page through the API. A refusal of the API becomes a notice. */
export type Action = (context: PageContext, form: Record<string, string>) => Promise<Notice | GoTo>;

export const GROUPS = ['Test', 'Look', 'Steer', 'Set up'] as const satisfies (keyof Texts['groups'])[];
export type Group = (typeof GROUPS)[number];

/** The content of a page about one thing, with a title of its own. */
export class Titled {
  readonly title: string;
  readonly body: Child;
  constructor(title: string, body: Child) {
    this.title = title;
    this.body = body;
  }
}

/** The users of a page: everybody, or in hosted mode a VASP or the operator. */
export type Audience = 'local' | 'hosted VASP' | 'operator';

/** A file that the browser saves. */
export interface Download {
  name: string;
  type: string;
  content: string;
}

export interface Page {
  /** Default: VASPs of both modes. */
  audience?: readonly Audience[];
  /** Below `/console`, with `:name` for parameters. */
  path: string;
  title: keyof Texts['pages'];
  /** The group of the navigation that lists the page, in the order of `pages.ts`. */
  group?: Group;
  /** Path of the page above a page that the navigation does not list. */
  parent?: string;
  /** The processes that have it. Default: all. */
  servedBy?: ServedBy;
  /** Reloads the content after every event. Forms with input have `hx-morph-skip`. */
  isLive: boolean;
  render(context: PageContext): Promise<Child | Titled>;
  /** `GET /console{path}/{name}` answers a file. */
  downloads?: Record<string, (context: PageContext) => Promise<Download>>;
  /** `POST /console{path}/{name}` runs the action and shows the page again with its notice. */
  actions?: Record<string, Action>;
}
