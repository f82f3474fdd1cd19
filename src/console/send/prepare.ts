import type { Answers, Client, Info } from '../../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { withQuery } from '../components/table.tsx';
import { hashToReport } from '../hash-to-report.ts';
import { ACTIONS, type ActionId, type FieldName, isActionId, type SendAction, type Values } from './actions.ts';

export type Scenario = Answers['scenarios']['scenarios'][number];
export type Verification = Answers['verifications']['verifications'][number];
type AffectedOperation = Answers['users']['behaviours'][number]['operation'];
type Query = Record<string, string>;

/** A ready request and the choices of its form. */
export interface Prepared {
  actionId: ActionId;
  action: SendAction;
  scenario: Scenario | undefined;
  fields: readonly FieldName[];
  values: Values;
  info: Info;
  /** The verifications to choose from, newest first. */
  verifications: readonly Verification[];
  /** With its query. */
  path: string;
  body: object | undefined;
}

const MAX_OFFERED = 20;
const ORDINARY_USER = 'taylor-robbins';
/** The request that shows a user's special behaviour. */
const ACTION_OF_BEHAVIOUR: Record<AffectedOperation, ActionId> = {
  none: 'verify-user',
  'user-verification': 'verify-user',
  transfer: 'robot-verify-user',
  screening: 'assess-sanction',
};

/** Makes the request from `?action=`, `?scenario=` or `?user=` and the values of the fields. Everything has a default. */
export async function prepare(api: Client, query: Query): Promise<Prepared> {
  const [info, scenario] = await Promise.all([api.info(), scenarioOf(api, query.scenario)]);
  const actionId = actionIdOf(query, scenario);
  const action: SendAction = ACTIONS[actionId];
  const symbol = isAssetSymbol(query.symbol ?? '') ? (query.symbol as AssetSymbol) : ASSET_SYMBOLS[0]!;
  const userId = scenario?.user ?? query.user ?? ORDINARY_USER;
  const user = info.users.find(({ id }) => id === userId) ?? info.users[0];
  const verifications = action.about ? await offered(api, action.about, query, scenario) : [];
  const about = verifications.find(each => each.verificationUuid === query.verificationUuid) ?? verifications[0];
  const values: Values = {
    symbol,
    user: user?.id ?? userId,
    amount: query.amount ?? '0.024',
    account: query.account ?? '',
    verificationUuid: about?.verificationUuid ?? query.verificationUuid ?? '',
    txHash: query.txHash ?? (action.fields.includes('txHash') && about ? await hashOf(api, about) : ''),
    result: query.result ?? 'ERROR',
    reason: query.reason ?? 'USER-CANCELED',
    message: query.message ?? 'User canceled',
    omitTxReport: query.omitTxReport ?? 'false',
    vaspId: info.vasp.vaspId,
    address: user?.accounts[symbol] ?? '',
  };
  return {
    actionId,
    action,
    scenario,
    fields: scenario ? fieldsOf(scenario, action) : action.fields,
    values,
    info,
    verifications,
    path: action.method === 'GET' ? withQuery(action.path, action.body!(values) as Query) : action.path,
    body: await bodyOf(api, actionId, values, scenario),
  };
}

/** A catalogue entry fixes the user. An entry with a request fixes the amount too. */
const fieldsOf = (scenario: Scenario, action: SendAction): readonly FieldName[] =>
  scenario.requests ? ['symbol'] : action.fields.filter(name => name !== 'user');

async function scenarioOf(api: Client, id: string | undefined): Promise<Scenario | undefined> {
  if (id === undefined) return undefined;
  return (await api.scenarios()).scenarios.find(scenario => scenario.id === id);
}

function actionIdOf({ action = '' }: Query, scenario: Scenario | undefined): ActionId {
  if (scenario?.fault) return 'order-fault';
  const id = scenario?.operation ?? action;
  if (isActionId(id)) return id;
  return isAffectedOperation(id) ? ACTION_OF_BEHAVIOUR[id] : 'verify-user';
}

const isAffectedOperation = (operation: string): operation is AffectedOperation =>
  Object.hasOwn(ACTION_OF_BEHAVIOUR, operation);

async function offered(
  api: Client,
  about: Query,
  { verificationUuid }: Query,
  scenario: Scenario | undefined,
): Promise<Verification[]> {
  const search: Query = scenario ? { search: scenario.user, role: 'originating' } : {};
  const [{ verifications }, named] = await Promise.all([
    api.verifications({ ...about, ...search, limit: MAX_OFFERED }),
    verificationUuid ? api.verifications({ verificationUuid }) : { verifications: [] },
  ]);
  const fitting = verifications.filter(({ userId }) => !scenario || userId === scenario.user);
  const uuids = new Set(fitting.map(each => each.verificationUuid));
  return [...named.verifications.filter(each => !uuids.has(each.verificationUuid)), ...fitting];
}

/** The transaction of a verification: the reported one, the robot's transfer, or a matching payment. */
async function hashOf(api: Client, verification: Verification): Promise<string> {
  const { txHash, role, verificationUuid } = verification;
  if (txHash !== null) return txHash;
  if (role === 'originating') return (await hashToReport(api, verification)) ?? '';
  return (await api.transfers({ verificationUuid })).transfers[0]?.txHash ?? '';
}

async function bodyOf(
  api: Client,
  actionId: ActionId,
  values: Values,
  scenario: Scenario | undefined,
): Promise<object | undefined> {
  const symbol = values.symbol as AssetSymbol;
  if (scenario?.fault) return scenario.fault;
  if (scenario?.requests) return scenario.requests[symbol];
  const action: SendAction = ACTIONS[actionId];
  if (action.method === 'GET') return undefined;
  if (!action.isReady)
    return action.body?.(values) ?? Object.fromEntries(action.fields.map(name => [name, values[name]]));
  const { user, amount, account } = values;
  const query = { symbol, user, amount, ...(account === '' ? {} : { account }) };
  return (await api.readyRequest(actionId, query)).body;
}
