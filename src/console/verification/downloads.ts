import type { Answers } from '../../client/answers.ts';
import { orElsewhere } from '../elsewhere.ts';
import type { Download, Page, PageContext } from '../page.ts';

type Exchange = Answers['exchanges']['exchanges'][number];

const MOST = 999;

/** The files of a verification: its exchanges for other tools, and everything for a report of a defect. */
export const downloads: NonNullable<Page['downloads']> = {
  har: async context => har(context, await exchangesOf(context)),
  bundle,
};

const exchangesOf = async ({ api, params }: PageContext): Promise<Exchange[]> =>
  (await api.exchanges({ verificationUuid: params.uuid!, limit: MOST })).exchanges.reverse();

/** HTTP Archive 1.2. Secrets are masked, as everywhere. */
const har = ({ params, origin }: PageContext, exchanges: readonly Exchange[]): Download => ({
  name: `${params.uuid}.har`,
  type: 'application/json',
  content: JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'robot-vasp', version: '' },
      entries: exchanges.map(each => harEntry(each, origin)),
    },
  }),
});

const harEntry = (each: Exchange, origin: string) => ({
  startedDateTime: each.at,
  time: each.durationMs,
  request: {
    method: each.method,
    url: new URL(each.url, origin).href,
    httpVersion: 'HTTP/1.1',
    headers: pairs(each.headers),
    queryString: pairs(Object.fromEntries(new URL(each.url, origin).searchParams)),
    cookies: [],
    headersSize: -1,
    bodySize: sizeOf(each.request),
    ...(each.request === null ? {} : { postData: { mimeType: 'application/json', text: each.request } }),
  },
  response: {
    status: each.status ?? 0,
    statusText: each.error ?? '',
    httpVersion: 'HTTP/1.1',
    headers: pairs(each.responseHeaders),
    cookies: [],
    content: { size: sizeOf(each.response), mimeType: 'application/json', text: each.response ?? '' },
    redirectURL: '',
    headersSize: -1,
    bodySize: sizeOf(each.response),
  },
  cache: {},
  timings: {
    connect: each.connectMs ?? -1,
    send: 0,
    wait: each.durationMs - (each.connectMs ?? 0),
    receive: 0,
  },
  comment: each.operation,
});

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const sizeOf = (text: string | null): number => Buffer.byteLength(text ?? '');

async function bundle(context: PageContext): Promise<Download> {
  const { api, params } = context;
  const uuid = params.uuid!;
  const [info, verification, list, timeline, { callbacks }, exchanges] = await Promise.all([
    api.info(),
    orElsewhere(api.verification(uuid), null),
    api.verifications({ search: uuid, limit: 1 }),
    api.timeline(uuid),
    api.callbacks({ verificationUuid: uuid, limit: MOST }),
    exchangesOf(context),
  ]);
  const { version, mode, robot, vasp, chains } = info;
  const content = {
    sandbox: { version, mode, robot, vasp, chains },
    verification,
    listed: list.verifications[0],
    timeline,
    callbacks,
    exchanges,
  };
  return { name: `${uuid}.json`, type: 'application/json', content: JSON.stringify(content, null, 2) };
}
