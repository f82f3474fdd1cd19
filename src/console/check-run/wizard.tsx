import type { Child } from 'hono/jsx';
import type { Answers, Client, Info } from '../../client/client.ts';
import { ASSETS, splitAddress } from '../../contract/assets.ts';
import type { ByHand } from '../../contract/plans.ts';
import { parseUnits, toUnits } from '../../kernel/decimal.ts';
import { parseJson } from '../../kernel/json.ts';
import { ActionForm } from '../components/form.tsx';
import { withQuery } from '../components/table.tsx';
import { Copyable, DefinitionList } from '../components/text.tsx';
import { Badge, VerificationLink } from '../components/values.tsx';
import { hashToReport } from '../hash-to-report.ts';
import { type Action, done, type PageContext } from '../page.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { type Module, nameOf } from './modules.tsx';

type Verification = Answers['verifications']['verifications'][number];

const STEPS = ['verify', 'pay', 'report'] as const;
type StepName = (typeof STEPS)[number];
const LAST: Record<ByHand['action'], StepName> = {
  'verify-user': 'verify',
  'send-without-report': 'pay',
  withdraw: 'report',
};

/** A withdrawal by hand as far as it has come. */
interface ByHandState {
  of: ByHand;
  module: Module;
  verification: Verification | undefined;
  txHash: string | undefined;
  chain: Info['chains'][number] | undefined;
}

/** Undefined: a person has nothing to do in this module. */
export async function byHandOf(api: Client, module: Module | undefined): Promise<ByHandState | undefined> {
  if (!module?.byHand || module.status === 'FINISHED') return undefined;
  const { byHand } = module;
  const call = module.exchanges.findLast(each => isCallFor(byHand, each));
  const verificationUuid = call?.verificationUuid ?? undefined;
  const [{ chains }, found] = await Promise.all([
    api.info(),
    verificationUuid === undefined ? undefined : api.verifications({ verificationUuid }),
  ]);
  const verification = found?.verifications[0];
  return {
    of: byHand,
    module,
    verification,
    txHash: verification && (await hashToReport(api, verification)),
    chain: chains.find(({ symbol }) => symbol === byHand.symbol),
  };
}

/** The verification of the order, not one that only came close. */
function isCallFor({ symbol, amount }: ByHand, { operation, status, request }: Module['exchanges'][number]): boolean {
  if (operation !== 'verify-user' || status !== 200) return false;
  const { assetInfo } = (parseJson(request ?? '') ?? {}) as { assetInfo?: { symbol?: unknown; amount?: unknown } };
  const { decimals } = ASSETS[symbol];
  return (
    assetInfo?.symbol === symbol && parseUnits(String(assetInfo.amount), decimals) === parseUnits(amount, decimals)
  );
}

/** Undefined: all is done. */
function nextStep({ of, verification, txHash }: ByHandState): StepName | undefined {
  const next = verification?.result !== 'VERIFIED' ? 'verify' : txHash === undefined ? 'pay' : 'report';
  const isDone = STEPS.indexOf(next) > STEPS.indexOf(LAST[of.action]) || verification?.txHash;
  return isDone ? undefined : next;
}

/** The steps of a withdrawal by hand. The one that is next has its data to copy, and a button that does it. */
export const Wizard = ({ of, here }: { of: ByHandState; here: string }) => {
  const { wizard } = useTexts();
  const next = nextStep(of);
  const steps = STEPS.slice(0, STEPS.indexOf(LAST[of.of.action]) + 1);
  const at = next === undefined ? steps.length : steps.indexOf(next);
  return (
    <section aria-labelledby="wizard">
      <h2 id="wizard">{wizard.title}</h2>
      <ol class="wizard">
        {steps.map((step, position) => (
          <li class={position === at ? 'now' : undefined} aria-current={position === at ? 'step' : undefined}>
            <h3>
              {wizard[step]} {position < at ? <Badge of={wizard.done} tone="good" /> : null}
            </h3>
            {position === at ? <Now of={of} step={step} here={here} /> : null}
          </li>
        ))}
      </ol>
    </section>
  );
};

const Now = ({ of, step, here }: { of: ByHandState; step: StepName; here: string }) => {
  const { wizard } = useTexts();
  const canDo = step !== 'pay' || of.chain?.embedded;
  return (
    <>
      <p>{wizard.meanings[step]}</p>
      <DefinitionList of={DATA[step](of, wizard)} />
      {canDo ? (
        <ActionForm
          to={`${here}/${step}`}
          values={{ module: nameOf(of.module) }}
          label={wizard.doIt}
          describe={label => `${label}: ${wizard[step]}`}
          tone="primary"
        />
      ) : null}
    </>
  );
};

type Words = ReturnType<typeof useTexts>['wizard'];

const accountData = ({ account }: ByHand, wizard: Words): [string, Child][] => {
  const [address, tag] = splitAddress(account);
  return [
    [wizard.account, <Copyable text={address} />],
    ...(tag === undefined ? [] : [[wizard.tag, <Copyable text={tag} />] satisfies [string, Child]]),
  ];
};

const DATA: Record<StepName, (state: ByHandState, wizard: Words) => [string, Child][]> = {
  verify: ({ of, verification }, wizard) => [
    [wizard.vasp, <Copyable text={of.vaspId} />],
    [wizard.name, <Copyable text={of.name} />],
    ...accountData(of, wizard),
    [fill(wizard.amountIn, { symbol: of.symbol }), <Copyable text={of.amount} />],
    verification
      ? [wizard.result, <Badge of={verification.result ?? verification.status} />]
      : [
          wizard.elsewhere,
          <a
            href={withQuery('/console/send', {
              action: 'verify-user',
              user: of.user,
              symbol: of.symbol,
              amount: of.amount,
            })}
          >
            {wizard.asRequest}
          </a>,
        ],
  ],
  pay: ({ of, chain, verification }, wizard) => [
    ...accountData(of, wizard),
    [fill(wizard.amountIn, { symbol: of.symbol }), <Copyable text={of.amount} />],
    [wizard.verification, <VerificationLink uuid={verification!.verificationUuid} />],
    ...(of.symbol === 'ETH'
      ? [[wizard.elsewhere, <a href={walletLink(of, chain)}>{wizard.inWallet}</a>] satisfies [string, Child]]
      : []),
  ],
  report: ({ verification, txHash }, wizard) => [
    [wizard.verification, <Copyable text={verification!.verificationUuid} />],
    [wizard.hash, <Copyable text={txHash!} />],
    [wizard.elsewhere, <VerificationLink uuid={verification!.verificationUuid} />],
  ],
};

/** EIP-681 */
const walletLink = ({ account, amount }: ByHand, chain: ByHandState['chain']): string =>
  `ethereum:${account}${chain?.id ? `@${chain.id}` : ''}?value=${toUnits(amount, ASSETS.ETH.decimals)}`;

/** As the tested VASP. `act` returns what was done; undefined: there is nothing to do any more. */
const asVasp =
  (act: (state: ByHandState, context: PageContext) => Promise<string | undefined>): Action =>
  async (context, { module: name = '' }) => {
    const { api, params, texts } = context;
    const { modules } = await api.run(params.id!);
    const state = await byHandOf(
      api,
      modules.find(module => nameOf(module) === name),
    );
    const outcome = state && (await act(state, context));
    return outcome === undefined ? { kind: 'failed', text: texts.wizard.over } : done(outcome);
  };

export const wizardActions: Record<StepName, Action> = {
  verify: asVasp(async ({ of: { symbol, user, amount } }, { api, texts }) => {
    for (const operation of ['verify-account', 'verify-user']) {
      const { method, path, body } = await api.readyRequest(operation, { symbol, user, amount });
      await api.call(method, path, body);
    }
    return texts.wizard.verifyDone;
  }),
  pay: asVasp(async ({ of: { symbol, account, amount } }, { api, texts }) => {
    await api.faucet(symbol, account, amount);
    return texts.wizard.payDone;
  }),
  report: asVasp(async ({ verification, txHash }, { api, texts }) => {
    if (!verification || txHash === undefined) return undefined;
    await api.reportTransaction(verification.verificationUuid, txHash);
    return texts.actions.reported;
  }),
};
