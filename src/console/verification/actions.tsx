import { Json } from '../components/json.tsx';
import type { Action, Notice } from '../page.ts';

const done = (text: string, answer?: unknown): Notice => ({
  kind: 'done',
  text,
  ...(answer === undefined ? {} : { detail: <Json of={answer} /> }),
});

/** The actions of a verification's page. */
export const verificationActions: Record<string, Action> = {
  async advance({ api }, { duration = '' }) {
    const { now, fired } = await api.advance(duration);
    return done(`It is ${now} now. ${fired.length === 1 ? '1 timer' : `${fired.length} timers`} fired.`);
  },
  async report({ api, params }, { txHash = '' }) {
    await api.reportTransaction(params.uuid!, txHash.trim());
    return done('The transaction is reported.');
  },
  async 'report-error'({ api, params }, { result = '', reason = '', message = '' }) {
    await api.reportError(params.uuid!, result, reason, message || undefined);
    return done('The error is reported.');
  },
  inquire: async ({ api, params }) => done('The robot answered:', await api.inquireTransaction(params.uuid!)),
  'let-inquire': async ({ api, params }) =>
    done('Your VASP answered the robot:', await api.letRobotInquire(params.uuid!)),
  pay: async ({ api, params }, { omitTxReport }) =>
    done('The robot pays:', await api.letRobotWithdraw(params.uuid!, omitTxReport === 'yes' || undefined)),
  async 'let-report-error'({ api, params }, { result = '', reason = '', message = '' }) {
    await api.letRobotReportError(params.uuid!, result, reason, message || undefined);
    return done('The robot reported the error.');
  },
  async resend({ api }, { exchangeId = '' }) {
    const [exchange] = (await api.exchanges({ before: Number(exchangeId) + 1, limit: 1 })).exchanges;
    if (exchange?.id !== exchangeId || exchange.direction !== 'IN')
      return { kind: 'failed', text: 'The request is not kept any more.' };
    const { method, url, request } = exchange;
    const { status, body } = await api.call(method, url, request ?? undefined);
    return {
      kind: status === 200 ? 'done' : 'failed',
      text: `${method} ${url} was sent again and answered ${status}.`,
      detail: <Json of={body ?? ''} />,
    };
  },
  async replay({ api }, { callbackId = '' }) {
    const { callbackType } = await api.replay(callbackId);
    return done(`${callbackType} will be sent again.`);
  },
};
