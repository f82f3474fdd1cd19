import { type Client, client } from '../../client/client.ts';
import { natural, personsOf } from '../../sandbox/scenarios/requests.ts';
import { callbackOf } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { customerOf, order, ourAddress, requestFor, type SceneContext, withdraw } from './context.ts';

/** REF-4.1, REF-4.2, REF-4.3 as originating VASP: a listed counterparty, then a clean one, before and after its report. */
export async function riskAsOriginator(log: StepLog, context: SceneContext): Promise<void> {
  const listed = await order(log, context, 'verify-user', { user: 'sanctioned-address', amount: '0.3' });
  await sanction(log, context, listed.uuid, 'SANCTION');
  await monitoring(log, context, listed.uuid, 'ATTEMPT', ['SEVERE']);
  await persons(log, context, listed.uuid, 'EXACT');

  const clean = await withdraw(log, context, { user: 'taylor-robbins', amount: '0.35' });
  await sanction(log, context, clean.uuid, 'NOHIT');
  await monitoring(log, context, clean.uuid, 'TRANSFER', []);
  await persons(log, context, clean.uuid, undefined);
}

const LISTED = natural('Petrov', 'Anton', {
  dateAndPlaceOfBirth: { dateOfBirth: '1971-04-19', placeOfBirth: 'Perm' },
});
const SENDER = '27372039731940771';
const senders = new WeakMap<Client, Client>();

/** Another VASP of the same sandbox pays us: as the beneficiary VASP we must ask for every assessment ourselves. */
export async function riskAsBeneficiary(log: StepLog, context: SceneContext): Promise<void> {
  const sender = await log.step(
    'another VASP registers in the same sandbox',
    () => senderOf(context),
    () => `vaspId ${SENDER}`,
  );
  const { uuid, from } = await log.step(
    'it verifies a transfer to us, from a listed address: VERIFIED',
    () => verifyFrom(sender, context),
    sent => `verificationUuid ${sent.uuid}\nfrom ${sent.from}`,
  );
  await sanction(log, context, uuid, 'SANCTION');
  await log.step('monitoring before its transaction report: 400 UNSUPPORTED-RISK-ASSESSMENT', async () => {
    const body = { verificationUuid: uuid };
    const answer = await context.api.call<{ code: string }>(
      'POST',
      '/v1/risk-assessment/providerA-kyt',
      body,
    );
    expectEqual('the answer', [answer.status, answer.body.code], [400, 'UNSUPPORTED-RISK-ASSESSMENT']);
  });
  await log.step('it reports its transaction', async () => {
    expectEqual('the answer', await sender.reportTransaction(uuid, `demo-${uuid}`), { result: true });
  });
  await monitoring(log, context, uuid, 'TRANSFER', ['SEVERE']);
  await persons(log, context, uuid, 'EXACT');
  await log.step('the timeline shows every assessment', async () => {
    const { timeline } = await context.api.timeline(uuid);
    const done = timeline.filter(each => each.what === 'assessment' && each.to === 'PROCESSED');
    expectEqual('how many are PROCESSED', done.length, 3);
    expectEqual('the originator', (await context.api.verification(uuid)).originatorAccountNumber, from);
  });
}

async function senderOf({ api, url }: SceneContext): Promise<Client> {
  const existing = senders.get(api);
  if (existing) return existing;
  const { apiKey } = await api.registerVasp(SENDER, { name: 'Sending VASP' });
  const sender = client(url, { apiKey });
  senders.set(api, sender);
  return sender;
}

async function verifyFrom(sender: Client, context: SceneContext): Promise<{ uuid: string; from: string }> {
  const from = context.user('sanctioned-address').accounts[context.symbol];
  const request = requestFor(context, 'taylor-robbins', '0.4');
  request.beneficiaryVaspId = context.info.vasp.vaspId;
  request.payload.ivms101 = {
    originator: {
      originatorPersons: [LISTED],
      accountNumber: [from],
    },
    beneficiary: {
      beneficiaryPersons: personsOf(customerOf(context)),
      accountNumber: [ourAddress(context)],
    },
  };
  const { verificationUuid: uuid } = await sender.verifyUser(request);
  const query = { wait: '5s', type: 'VERIFICATION_RESULT', verificationUuid: uuid };
  const { callbacks } = await sender.mailbox(query);
  expectEqual('its callback', callbacks[0]?.data.verificationResult, 'VERIFIED');
  return { uuid, from };
}

const sanction = (log: StepLog, { api }: SceneContext, uuid: string, expected: string): Promise<unknown> =>
  log.step(
    `sanction screening of the counterparty's address: ${expected}`,
    async () => {
      const { providerASanction } = await api.assessSanction(uuid);
      expectEqual('status', providerASanction.status, expected);
      return providerASanction;
    },
    ({ ofacName, direction }) => (ofacName ? `${direction}, listed: ${ofacName}` : direction),
  );

const monitoring = (
  log: StepLog,
  { api }: SceneContext,
  uuid: string,
  apiType: string,
  levels: string[],
): Promise<unknown> =>
  log.step(
    `monitoring, ${apiType}: ${levels.join(', ') || 'no'} alert by callback`,
    async () => {
      const { requestId } = await api.assessKyt(uuid);
      await api.advance('2s');
      const { riskAssessment } = await callbackOf(api, uuid, 'PROVIDER_A_KYT_RESULT');
      const { providerAKYT: result, providerAKYTAlerts = [] } = riskAssessment;
      expectEqual('requestId', result.requestId, requestId);
      expectEqual('apiType and status', [result.apiType, result.status], [apiType, 'PROCESSED']);
      const alerts = providerAKYTAlerts.map(alert => alert.alertLevel);
      expectEqual('the alerts', [result.alertCount, ...alerts], [levels.length, ...levels]);
      return result;
    },
    ({ direction, transferRef }) => (transferRef ? `${direction}, ${transferRef}` : direction),
  );

const persons = (
  log: StepLog,
  { api }: SceneContext,
  uuid: string,
  expected: string | undefined,
): Promise<unknown> =>
  log.step(
    `person screening: ${expected ?? 'no match'} by callback`,
    async () => {
      const { requestId } = await api.assessWco(uuid);
      await api.advance('2s');
      const { providerBWCO } = (await callbackOf(api, uuid, 'PROVIDER_B_WCO_RESULT')).riskAssessment;
      expectEqual('requestId', providerBWCO.requestId, requestId);
      expectEqual('matchStrength', providerBWCO.matchStrength, expected);
      return providerBWCO;
    },
    ({ direction, aggregatedSummaryResult }) => `${direction}, ${aggregatedSummaryResult}`,
  );
