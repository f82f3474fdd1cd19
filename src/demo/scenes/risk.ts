import { type Client, client } from '../../client/client.ts';
import { natural } from '../../sandbox/scenarios/requests.ts';
import { expectEqual, type Story } from '../story.ts';
import { pay, requestFor, type SceneSet, verify } from './set.ts';

/** REF-4.1, REF-4.2, REF-4.3 as originating VASP: a listed counterparty, then a clean one, before and after its report. */
export async function riskAsOriginator(story: Story, set: SceneSet): Promise<void> {
  const listed = await verify(story, set, 'sanctioned-address', '0.3');
  await sanction(story, set, listed.uuid, 'SANCTION');
  await monitoring(story, set, listed.uuid, 'ATTEMPT', ['SEVERE']);
  await persons(story, set, listed.uuid, 'EXACT');

  const clean = await verify(story, set, 'taylor-robbins', '0.35');
  await sanction(story, set, clean.uuid, 'NOHIT');
  const txHash = await pay(story, set, clean);
  await story.step('we report the transaction: accepted', async () => {
    expectEqual('the answer', await set.api.reportTransaction(clean.uuid, txHash), { result: true });
  });
  await monitoring(story, set, clean.uuid, 'TRANSFER', []);
  await persons(story, set, clean.uuid, undefined);
}

const SENDER = '27372039731940771';
const senders = new WeakMap<Client, Client>();

/** Another VASP of the same sandbox sends: we are the beneficiary VASP, and never hear of it but by our own asking. */
export async function riskAsBeneficiary(story: Story, set: SceneSet): Promise<void> {
  const sender = await story.step(
    'another VASP registers in the same sandbox',
    () => senderOf(set),
    () => `vaspId ${SENDER}`,
  );
  const { uuid, from } = await story.step(
    'it verifies a transfer to us, from a listed address: VERIFIED',
    () => verifyFrom(sender, set),
    told => `verificationUuid ${told.uuid}\nfrom ${told.from}`,
  );
  await sanction(story, set, uuid, 'SANCTION');
  await story.step('monitoring before its transaction report: 400 UNSUPPORTED-RISK-ASSESSMENT', async () => {
    const body = { verificationUuid: uuid };
    const answer = await set.api.call<{ code: string }>('POST', '/v1/risk-assessment/providerA-kyt', body);
    expectEqual('the answer', [answer.status, answer.body.code], [400, 'UNSUPPORTED-RISK-ASSESSMENT']);
  });
  await story.step('it reports its transaction', async () => {
    expectEqual('the answer', await sender.reportTransaction(uuid, `demo-${uuid}`), { result: true });
  });
  await monitoring(story, set, uuid, 'TRANSFER', ['SEVERE']);
  await persons(story, set, uuid, 'EXACT');
  await story.step('every assessment stands in the timeline', async () => {
    const { timeline } = await set.api.timeline(uuid);
    const done = timeline.filter(each => each.what === 'assessment' && each.to === 'PROCESSED');
    expectEqual('how many are PROCESSED', done.length, 3);
    expectEqual('the originator', (await set.api.verification(uuid)).originatorAccountNumber, from);
  });
}

async function senderOf({ api, url }: SceneSet): Promise<Client> {
  const known = senders.get(api);
  if (known) return known;
  const { apiKey } = await api.registerVasp(SENDER, { name: 'Sending VASP' });
  const sender = client(url, { apiKey });
  senders.set(api, sender);
  return sender;
}

async function verifyFrom(sender: Client, set: SceneSet): Promise<{ uuid: string; from: string }> {
  const from = set.user('sanctioned-address').accounts[set.symbol];
  const request = requestFor(set, 'taylor-robbins', '0.4');
  request.beneficiaryVaspId = set.info.vasp.vaspId;
  request.payload.ivms101 = {
    originator: { originatorPersons: [natural('Escobar', 'Pablo')], accountNumber: [from] },
    beneficiary: {
      beneficiaryPersons: [natural('Moss', 'Kate')],
      accountNumber: [set.wallet.address],
    },
  };
  const { verificationUuid: uuid } = await sender.verifyUser(request);
  const query = { wait: '5s', type: 'VERIFICATION_RESULT', verificationUuid: uuid };
  const { callbacks } = await sender.mailbox(query);
  expectEqual('its callback', callbacks[0]?.data.verificationResult, 'VERIFIED');
  return { uuid, from };
}

const sanction = (story: Story, { api }: SceneSet, uuid: string, wanted: string): Promise<unknown> =>
  story.step(
    `sanction screening of the counterparty's address: ${wanted}`,
    async () => {
      const { providerASanction } = await api.assessSanction(uuid);
      expectEqual('status', providerASanction.status, wanted);
      return providerASanction;
    },
    ({ ofacName, direction }) => (ofacName ? `${direction}, listed: ${ofacName}` : direction),
  );

const monitoring = (
  story: Story,
  { api, vasp }: SceneSet,
  uuid: string,
  apiType: string,
  levels: string[],
): Promise<unknown> =>
  story.step(
    `monitoring, ${apiType}: ${levels.join(', ') || 'no'} alert by callback`,
    async () => {
      const { requestId } = await api.assessKyt(uuid);
      await api.advance('2s');
      const { riskAssessment } = await vasp.callbackOf(uuid, 'PROVIDER_A_KYT_RESULT');
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
  story: Story,
  { api, vasp }: SceneSet,
  uuid: string,
  wanted: string | undefined,
): Promise<unknown> =>
  story.step(
    `person screening: ${wanted ?? 'no match'} by callback`,
    async () => {
      const { requestId } = await api.assessWco(uuid);
      await api.advance('2s');
      const { providerBWCO } = (await vasp.callbackOf(uuid, 'PROVIDER_B_WCO_RESULT')).riskAssessment;
      expectEqual('requestId', providerBWCO.requestId, requestId);
      expectEqual('matchStrength', providerBWCO.matchStrength, wanted);
      return providerBWCO;
    },
    ({ direction, aggregatedSummaryResult }) => `${direction}, ${aggregatedSummaryResult}`,
  );
