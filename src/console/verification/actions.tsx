import type { Order } from '../../client/calls.ts';
import { Json } from '../components/json.tsx';
import { moment } from '../components/time.tsx';
import { type Action, done, type Notice } from '../page.ts';
import { counted, fill } from '../texts/languages.ts';

const answered = (text: string, answer: unknown): Notice => done(text, <Json of={answer} />);

/** As it was chosen in the form. The API refuses others. */
type Result = Order<'reportError'>['result'];

export const verificationActions: Record<string, Action> = {
  async advance({ api, texts: { timers } }, { duration = '' }) {
    const { now, fired, behind } = await api.advance(duration);
    return done(
      [
        fill(timers.isNow, { time: moment(now), fired: counted(timers.fired, fired.length) }),
        ...behind.map(each => fill(timers.behind, each)),
      ].join(' '),
    );
  },
  /** As the customer of the VASP would. */
  async 'pay-from-faucet'({ api, params, texts }) {
    const { verifications } = await api.verifications({ search: params.uuid!, limit: 1 });
    const { symbol, beneficiaryAddress, amount } = verifications[0]!;
    return answered(texts.actions.faucetPaid, await api.faucet(symbol, beneficiaryAddress, amount));
  },
  async report({ api, params, texts }, { txHash = '' }) {
    await api.reportTransaction(params.uuid!, txHash.trim());
    return done(texts.actions.reported);
  },
  async 'report-error'({ api, params, texts }, { result, reason = '', message = '' }) {
    await api.reportError(params.uuid!, result as Result, reason, message || undefined);
    return done(texts.actions.errorReported);
  },
  inquire: async ({ api, params, texts }) =>
    answered(texts.actions.robotAnswered, await api.inquireTransaction(params.uuid!)),
  'let-inquire': async ({ api, params, texts }) =>
    answered(texts.actions.vaspAnswered, await api.letRobotInquire(params.uuid!)),
  pay: async ({ api, params, texts }, { omitTxReport }) =>
    answered(
      texts.actions.robotPays,
      await api.letRobotWithdraw(params.uuid!, omitTxReport === 'yes' || undefined),
    ),
  async 'let-report-error'({ api, params, texts }, { result, reason = '', message = '' }) {
    await api.letRobotReportError(params.uuid!, result as Result, reason, message || undefined);
    return done(texts.actions.robotReported);
  },
  async resend({ api, texts: { actions: texts } }, { exchangeId = '' }) {
    const [exchange] = (await api.exchanges({ before: Number(exchangeId) + 1, limit: 1 })).exchanges;
    if (exchange?.id !== exchangeId || exchange.direction !== 'IN')
      return { kind: 'failed', text: texts.notKept };
    const { method, url, request } = exchange;
    const { status, body } = await api.call(method, url, request ?? undefined);
    return {
      kind: status === 200 ? 'done' : 'failed',
      text: fill(texts.sentAgain, { request: `${method} ${url}`, status }),
      detail: <Json of={body ?? ''} />,
    };
  },
  async replay({ api, texts }, { callbackId = '' }) {
    const { callbackType } = await api.replay(callbackId);
    return done(fill(texts.callbacks.replayed, { type: callbackType }));
  },
};
